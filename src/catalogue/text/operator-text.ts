import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { shownText } from '../rejections/rejected-value.ts';
import type { RejectionFault } from '../rejections/rejection.ts';
import { isLaidOutAsChat, ruleAgainstText, TEXT_REASONS, type TextRule } from './text-for-a-model.ts';

/**
 * Language models read operator text, so only plain, visible text is accepted. It is cut to `maxLength` code points, never inside a
 * grapheme, and a cut text ends in an ellipsis.
 */
export type OperatorText = Reading<{ readonly text: string; readonly wasCut: boolean }, RejectionFault>;

// Longer text is cut first, which bounds all further work. Removing markup shortens it further.
const MAX_RAW_MULTIPLE = 2;
const MAX_END_CHECKED = 80;
/** The part of a text that a report shows. */
const SHOWN_PART = 80;
const MAX_GRAPHEME = 32;
// Ordinary text needs two passes. Text that needs more nests markup to hide something.
const MAX_PASSES = 5;

const ELLIPSIS = '…';
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

// Controls, surrogates, private use, unassigned, everything that renders as nothing (default ignorable: zero widths,
// joiners, fillers, bidi, tags, variation selectors), other format characters except the visible Arabic and Syriac signs,
// and the two replacement characters.
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\ufffc\ufffd[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]]/gv;
// One line of printable ASCII with single blanks, as most texts are.
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
// U+2800, the braille blank, looks like a space but is none in Unicode.
const BLANK = /[\s\u2800]+/g;
const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;

const MARKUP_SIGN = /[<&\]]/;
const TAG = /<([a-z/!?][^<>]*)>/gi;
const TAG_OPENING = /<(?=[a-z/!?])/gi;
const INLINE_TAG = /^\/?(?:a|abbr|b|em|font|i|mark|s|small|span|strong|sub|sup|u)(?![a-z0-9-])/i;
const ENTITY = /&(?:(#\d+|#x[0-9a-f]+);?|([a-z]{2,8});)/gi;
const MARKDOWN_LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;
const MARKDOWN_LINK_OPENING = /\](?=\()/g;

/** Each name with its character. */
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map(
  'amp&|lt<|gt>|quot"|apos\'|nbsp |ndash–|mdash—|hellip…|lsquo‘|rsquo’|ldquo“|rdquo”|bull•|middot·|euro€|pound£|deg°|eacuteé|times×|period.|colon:|sol/|commat@|plus+|lowbar_|lpar(|rpar)|lsqb[|rsqb]|bsol\\|ast*|num#'
    .split('|')
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);

/** One line of plain text: no markup, no invisible characters, single spaces. */
export function cleanText(raw: string, maxLength: number): OperatorText {
  let text = bounded(raw, maxLength);
  if (isLaidOutAsChat(text)) return rejections('addresses_assistant', text);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const line = oneLine(text);
    text = MARKUP_SIGN.test(line) ? withoutMarkup(line) : line;
    if (text === line) return checked(text, maxLength, isBeyond(raw, maxLength));
  }
  return rejections('nested_markup', text);
}

/**
 * The operator's words and lines unchanged, because a policy is quoted word for word. Changes only structure: brackets of tags become
 * round, and links in Markdown become their words. Keeps line breaks (at most one empty line in a row), turns other blanks into plain
 * spaces, and removes invisible characters.
 */
export function verbatimText(raw: string, maxLength: number): OperatorText {
  const lines = bounded(raw, maxLength).replace(LINE_BREAK, '\n').split('\n');
  let text = lines
    .map((line) =>
      visible(line)
        .replace(/[\s\u2800]/g, ' ')
        .trimEnd(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (isLaidOutAsChat(text)) return rejections('addresses_assistant', text);
  for (let pass = 0; MARKUP_SIGN.test(text); pass += 1) {
    const before = text;
    text = withoutStructure(text).normalize('NFC');
    if (text === before) break;
    if (pass === MAX_PASSES) return rejections('nested_markup', text);
  }
  // Entities stay as written, but a model decodes them, so the rules see them decoded.
  const decoded = text.replace(ENTITY, decodeEntity);
  const rule = decoded === text ? undefined : ruleAgainstText(decoded);
  return rule === undefined ? checked(text, maxLength, isBeyond(raw, maxLength)) : rejections(rule, decoded);
}

function rejections(rule: TextRule, text: string): OperatorText {
  return invalid({ rule, reason: TEXT_REASONS[rule], value: shownText(offendingPart(text, rule)) });
}

/** The part of a long text that breaks the rule by itself, if any; else its start. */
function offendingPart(text: string, rule: TextRule): string {
  if (rule === 'nested_markup' || text.length <= SHOWN_PART) return text;
  for (let from = 0; from < text.length; from += SHOWN_PART / 2) {
    const part = text.slice(from, from + SHOWN_PART).toWellFormed();
    if (ruleAgainstText(part) === rule) return part;
  }
  return text;
}

function bounded(raw: string, maxLength: number): string {
  return raw.slice(0, maxLength * MAX_RAW_MULTIPLE).toWellFormed();
}

function isBeyond(raw: string, maxLength: number): boolean {
  return raw.length > maxLength * MAX_RAW_MULTIPLE;
}

function checked(text: string, maxLength: number, goesOn: boolean): OperatorText {
  const shown = cut(text, maxLength, goesOn);
  const wasCut = shown !== text;
  // Checks the whole text, because a cut can hide the end of a harmful sentence, and the new end, which can be an address.
  const rule = ruleAgainstText(text);
  if (rule !== undefined) return rejections(rule, text);
  const end = wasCut ? shown.slice(-MAX_END_CHECKED) : '';
  const ruleAgainstEnd = wasCut ? ruleAgainstText(end) : undefined;
  return ruleAgainstEnd === undefined ? valid({ text: shown, wasCut }) : rejections(ruleAgainstEnd, end);
}

function oneLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return visible(text).replace(BLANK, ' ').trim();
}

function visible(text: string): string {
  // Blanks first: tabs and line breaks are control characters, and removing them would join words.
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

function withoutStructure(text: string): string {
  return text
    .replace(TAG, '($1)')
    .replace(TAG_OPENING, '(')
    .replace(MARKDOWN_LINK, '$1')
    .replace(MARKDOWN_LINK_OPENING, '] ');
}

function decodeEntity(entity: string, number: string | undefined, name: string): string {
  if (number === undefined)
    return NAMED_ENTITIES.get(name) ?? NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
  const codePoint = Number(number.replace('#', '').replace(/^x/i, '0x'));
  // Out of range or a lone surrogate: it cannot be shown.
  return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint).toWellFormed();
}

/** `goesOn`: more text followed, so an ellipsis is added even if the rest fits. */
function cut(text: string, maxLength: number, goesOn: boolean): string {
  if (text === '' || (!goesOn && (text.length <= maxLength || unitsOf(text, maxLength) >= text.length)))
    return text;
  const room = maxLength - 1;
  const end = unitsOf(text, room);
  if (end >= text.length) return text.trimEnd() + ELLIPSIS;
  const start = GRAPHEMES.segment(text.slice(0, end + MAX_GRAPHEME)).containing(end)?.index ?? end;
  // A single grapheme beyond the limit is not ordinary text: it is cut between code points.
  const kept = text.slice(0, start > 0 ? start : end);
  return kept.trimEnd() + ELLIPSIS;
}

/** The number of UTF-16 units of the first code points. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (let count = 0; count < codePoints && units < text.length; count += 1) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

/** Cleans the labels of price lines. */
export type LabelCleaner = {
  /** Empty when it cannot be shown. */
  clean(label: string): string;
  /** Whether the labels are harmless together: a sentence or a phone number can be spread over them. */
  canStandTogether(labels: readonly string[]): boolean;
};

const MAX_LABEL_LENGTH = 120;

export const labelCleaner: LabelCleaner = {
  clean(label) {
    const text = cleanText(label, MAX_LABEL_LENGTH);
    return text.kind === 'valid' ? text.value.text : '';
  },
  canStandTogether: (labels) => ruleAgainstText(labels.join(' ')) === undefined,
};
