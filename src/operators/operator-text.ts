import { invalid, type Reading, valid } from '../reading/reading.ts';
import { addressesAssistant, carriesAddress } from './text-for-a-model.ts';

/**
 * Operator text is read by language models, so only plain, visible text is accepted. It is cut to `maxLength` code points,
 * never inside a grapheme, and a text that was cut ends in an ellipsis.
 */
export type OperatorText = Reading<string>;

// Longer text is cut before any other work, which bounds that work.
const MAX_RAW_LENGTH = 20_000;
// Ordinary text settles in two passes. Text that needs more nests markup to hide something.
const MAX_PASSES = 5;

const ELLIPSIS = '…';

// Controls, surrogates, private use, unassigned, everything that renders as nothing (default ignorable: zero widths,
// joiners, fillers, bidi, tags, variation selectors), other format characters except the visible Arabic and Syriac signs,
// and the two replacement characters.
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\ufffc\ufffd[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]]/gv;
// U+2800, the braille blank, is no space to Unicode but looks like one.
const BLANK = /[\s\u2800]+/g;
const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

const TAG = /<([a-z/!?][^<>]*)>/gi;
const TAG_OPENING = /<(?=[a-z/!?])/gi;
const INLINE_TAG = /^\/?(?:a|abbr|b|em|font|i|mark|s|small|span|strong|sub|sup|u)(?![a-z0-9-])/i;
const ENTITY = /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi;
const MARKDOWN_LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;
const MARKDOWN_LINK_OPENING = /\](?=\()/g;

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bull', '•'],
  ['middot', '·'],
  ['euro', '€'],
  ['pound', '£'],
  ['deg', '°'],
  ['eacute', 'é'],
  ['times', '×'],
]);

/** One line of plain text: no markup, no invisible characters, single spaces. */
export function cleanText(raw: string, maxLength: number): OperatorText {
  let text = raw.slice(0, MAX_RAW_LENGTH).toWellFormed();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = text;
    text = withoutMarkup(oneLine(text));
    if (text === before) return checked(text, maxLength);
  }
  return invalid('its markup is nested too deeply');
}

/**
 * Every visible character as the operator wrote it; markup is not touched, because a policy is repeated word for word.
 * Line breaks stay (at most one empty line in a row), other blanks become plain spaces, invisible characters go.
 */
export function verbatimText(raw: string, maxLength: number): OperatorText {
  const lines = raw.slice(0, MAX_RAW_LENGTH).toWellFormed().replace(LINE_BREAK, '\n').split('\n');
  const text = lines
    .map((line) =>
      visible(line)
        .replace(/[\s\u2800]/g, ' ')
        .trimEnd(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return checked(text, maxLength);
}

function checked(text: string, maxLength: number): OperatorText {
  const shown = cut(text, maxLength);
  // Both are checked: a cut can turn a harmless word into an address, and can hide the end of a harmful sentence.
  for (const candidate of [text, shown]) {
    if (addressesAssistant(candidate)) return invalid('it addresses the assistant');
    if (carriesAddress(candidate)) return invalid('it carries a web or e-mail address');
  }
  return valid(shown);
}

function oneLine(text: string): string {
  return visible(text).replace(BLANK, ' ').trim();
}

function visible(text: string): string {
  // Blanks first: tabs and line breaks are control characters, and dropping them would join words.
  return text
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC');
}

function withoutMarkup(text: string): string {
  return text
    .replace(TAG, (_, inside: string) => (INLINE_TAG.test(inside) ? '' : ' '))
    .replace(TAG_OPENING, ' ')
    .replace(MARKDOWN_LINK, '$1')
    .replace(MARKDOWN_LINK_OPENING, '] ')
    .replace(ENTITY, decodeEntity);
}

function decodeEntity(entity: string, name: string): string {
  if (!name.startsWith('#'))
    return NAMED_ENTITIES.get(name) ?? NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
  const isHexadecimal = name[1] === 'x' || name[1] === 'X';
  const codePoint = isHexadecimal ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  // Out of range or a lone surrogate: it cannot be shown.
  return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint).toWellFormed();
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength || Array.from(text).length <= maxLength) return text;
  const room = maxLength - 1;
  const codePoints = Array.from(text)
    .slice(0, room + 1)
    .join('');
  let end = 0;
  let length = 0;
  for (const { index, segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(
    codePoints,
  )) {
    length += Array.from(segment).length;
    if (length > room) break;
    end = index + segment.length;
  }
  // A single grapheme longer than the limit was not typed by anybody: it is cut between code points.
  const kept = end > 0 ? codePoints.slice(0, end) : Array.from(codePoints).slice(0, room).join('');
  return kept.trimEnd() + ELLIPSIS;
}
