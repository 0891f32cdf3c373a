import { type Dictionary, type Item, parseDictionary, parseItem, parseList } from 'structured-headers';

/** Longer ones are not parsed: four RSA signatures of 4,096 bits take less. */
export const MAX_FIELD_LENGTH = 8192;
/** What a structured field may hold. Anything else could end a line of the signature base. */
const PRINTABLE = /^[\x20-\x7e\t]*$/;

/** Null for what is no dictionary, is too long, or names a member twice: of two, each reader would believe another one. */
export function dictionaryIn(text: string): Dictionary | null {
  if (!isParsable(text)) return null;
  const members = countMembers(text);
  const dictionary = parsedOrNull(parseDictionary, text);
  return dictionary?.size === members ? dictionary : null;
}

/** A member that is named twice is overwritten, as RFC 8941 has it: fields of others are not ours to judge. */
export function anyDictionaryIn(text: string): Dictionary | null {
  return isParsable(text) ? parsedOrNull(parseDictionary, text) : null;
}

export function listIn(text: string) {
  return isParsable(text) ? parsedOrNull(parseList, text) : null;
}

export function itemIn(text: string): Item | null {
  return isParsable(text) ? parsedOrNull(parseItem, text) : null;
}

function isParsable(text: string): boolean {
  return text.length <= MAX_FIELD_LENGTH && PRINTABLE.test(text);
}

function parsedOrNull<Parsed>(parse: (text: string) => Parsed, text: string): Parsed | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/**
 * How many members a dictionary has when those with the same name count too: one more than the commas outside of strings. Minus
 * one for a display string, which has another kind of quoting and no place in the fields that this is asked of.
 */
function countMembers(text: string): number {
  let members = text.trim() === '' ? 0 : 1;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString && character === '\\') index += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && character === ',') members += 1;
    else if (!isInString && character === '%' && text[index + 1] === '"') return -1;
  }
  return members;
}
