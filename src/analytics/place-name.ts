import { foldText } from '../search/names/fold-text.ts';

const MAX_NAME_LENGTH = 40;
/** Las Palmas de Gran Canaria has as many. A sentence has more. */
const MAX_WORDS = 5;
const MIN_LETTERS = 2;
/** A text with this many may be a telephone number, a street or a postcode. */
const TELLING_DIGITS = 3;

const NO_LETTER = /[^\p{L}\p{M}]+/gu;
const LETTER = /\p{L}/gu;
const DIGIT = /\p{N}/gu;
/** Digits as numbers are read out. 十 and larger ones are left out, because they occur in names such as 九十九里. */
const CHINESE_DIGITS = new RegExp(`[〇零一二三四五六七八九]{${TELLING_DIGITS}}`, 'u');
const NO_CHINESE_DIGIT = /[^\p{L}〇]+/gu;
const ESCAPE = /(?:%[0-9a-f]{2})+/giu;
/** A region or country is often written after the name. */
const AFTER_THE_NAME = /[,;(，；、].*/su;
/** An address whose signs are spelt out or were removed. */
const ADDRESS =
  /\b(?:https?|www|gmail|googlemail|hotmail|outlook|yahoo|icloud|protonmail|gmx|instagram|facebook|linkedin|whatsapp|telegram|tiktok)\b| (?:dot|arroba) | (?:com|net|org)$/;

/**
 * The name of an unknown place as it may be counted: words in small letters without accents, digits and signs. Null for what is no name, and
 * for what may be somebody's contact details.
 */
export function foldedPlaceName(written: unknown): string | null {
  if (typeof written !== 'string') return null;
  const text = unescaped(written).normalize('NFKC');
  if (isAddressOrSecret(text) || text.search(ESCAPE) >= 0 || isNumber(text)) return null;
  const words = wordsIn(text);
  const name = isTooLong(words) ? wordsIn(text.replace(AFTER_THE_NAME, '')) : words;
  return isTooLong(name) || [words, name].some(isAddress) || lettersIn(name) < MIN_LETTERS ? null : name;
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function isNumber(text: string): boolean {
  return (
    (text.match(DIGIT)?.length ?? 0) >= TELLING_DIGITS ||
    CHINESE_DIGITS.test(text.replace(NO_CHINESE_DIGIT, ''))
  );
}

function wordsIn(text: string): string {
  return foldText(text).replace(NO_LETTER, ' ').trim();
}

function isTooLong(words: string): boolean {
  return Array.from(words).length > MAX_NAME_LENGTH || words.split(' ').length > MAX_WORDS;
}

function isAddress(words: string): boolean {
  return ADDRESS.test(words);
}

function lettersIn(words: string): number {
  return words.match(LETTER)?.length ?? 0;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Before which a name goes on without a blank. */
const ABBREVIATION = /\b(?:ste?|st[ao]|mt|ft)\./giu;
/** Single letters have a dot between them too: D.C. */
const DOT_IN_A_WORD = /[\p{L}\p{N}\p{M}]{2}[.。][\p{L}\p{N}\p{M}]{2}/u;
/** Towns with two names have one slash between them, and no dot: Biel/Bienne. */
const PATH = /\/.*\/|\p{L}\.\p{L}\S*\/|\/\S*\p{L}\.\p{L}/su;
const NEVER_IN_A_NAME = /[@_\\]/u;
const ESCAPED_SIGN = /%u[0-9a-f]|&#|&\w+;/iu;
const SIGN_IN_BRACKETS = /[([{<]\s*(?:a|ä|at|ät|arroba|dot|punkt|punto)\s*[)\]}>]/iu;

const WORD = /[\p{L}\p{M}]+/gu;
/** After which a capital may stand inside a word: McAllen, LaSalle, KwaZulu, and as Irish and Zulu change the beginning of a name. */
const BEFORE_A_CAPITAL = /^(?:Ma?c|De[ls]?|Di|Du|Las?|Les?|Los|Van|Von|Fitz|Kwa|\p{Ll}{1,2})(?=\p{Lu})/u;
const CAPITAL_INSIDE = /\p{Ll}\p{Lu}/u;

/** How signs and capitals stand in addresses of mail and the web, and in keys, but in no name of a place. A text in the form NFKC. */
function isAddressOrSecret(text: string): boolean {
  const visible = text.replace(INVISIBLE, '');
  return (
    [NEVER_IN_A_NAME, ESCAPED_SIGN, SIGN_IN_BRACKETS, PATH].some((sign) => sign.test(visible)) ||
    DOT_IN_A_WORD.test(visible.replace(ABBREVIATION, ' ')) ||
    (visible.match(WORD) ?? []).some((word) => CAPITAL_INSIDE.test(withoutPrefix(word)))
  );
}

function withoutPrefix(word: string): string {
  return word.replace(BEFORE_A_CAPITAL, '');
}
