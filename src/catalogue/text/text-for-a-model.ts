import type { RejectionRule } from '../rejections/rejection-rules.ts';
import { meetsRule, namesConcept } from './concept-rules.ts';
import {
  carriesAddress,
  carriesEncodedText,
  carriesMarkedNumber,
  carriesNumberToCallOrPay,
} from './contact-details.ts';
import { foldLookalikes } from './fold-lookalikes.ts';

/** The rules for texts; a reason completes the sentence "<field> …". */
export const TEXT_REASONS = {
  addresses_assistant: 'addresses the assistant instead of the traveller',
  carries_address: 'carries a web or e-mail address',
  carries_contact: 'carries a phone number or bank details',
  carries_encoded_text: 'carries encoded text',
  nested_markup: 'has markup that is nested too deeply',
} as const satisfies Partial<Record<RejectionRule, string>>;
export type TextRule = keyof typeof TEXT_REASONS;

/**
 * The rule that rejects a text for language models; undefined when it may be shown. The filter stops known attacks, not a determined
 * author; the main defence is that operator text appears in its own fields only.
 */
export function ruleAgainstText(text: string): TextRule | undefined {
  const said = asRead(text);
  const folded = foldLookalikes(said);
  if (speaksToAssistant(folded)) return 'addresses_assistant';
  if (carriesAddress(said, folded)) return 'carries_address';
  if (carriesNumberToCallOrPay(said, folded)) return 'carries_contact';
  if (carriesEncodedText(text)) return 'carries_encoded_text';
  return undefined;
}

const ESCAPE_OR_EMPHASIS = /\\(?=[!-/:-@[-`{-~])|[*_~`]{1,4}(?=[.@:/])|(?<=[.@:/])[*_~`]{1,4}/g;

/** Decodes "evil%2Ecom", also with an encoded percent sign, and in Markdown "evil\\.com" and "evil**.**com". */
function asRead(text: string): string {
  return text
    .replace(/%(?:25)*([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)))
    .replace(ESCAPE_OR_EMPHASIS, '');
}

/** For separate words, such as the parts of an address. */
export function addressesAssistant(text: string): boolean {
  return speaksToAssistant(foldLookalikes(text));
}

/**
 * For the texts of one listing, each harmless alone: a sentence or a number can be spread over them. Digits that only meet where two texts
 * join are not a phone number, unless a word or a sign marks them as one or the texts consist of numbers only.
 */
export function ruleAgainstTextsTogether(texts: readonly string[]): TextRule | undefined {
  const together = asRead(texts.join(' '));
  const folded = foldLookalikes(together);
  if (speaksToAssistant(folded)) return 'addresses_assistant';
  if (carriesAddress(together, folded)) return 'carries_address';
  if (carriesMarkedNumber(together, folded)) return 'carries_contact';
  const bare = texts.filter((text) => !ANY_LETTER.test(text));
  const isNumber = bare.length > 1 && carriesNumberToCallOrPay(together, folded);
  return isNumber ? 'carries_contact' : undefined;
}

const ANY_LETTER = /\p{L}/u;

/** Whether folded text addresses an assistant, or directs it to book or pay elsewhere. */
function speaksToAssistant(folded: string): boolean {
  return CHAT_MARKUP.test(folded) || speaksAsSystem(folded) || readingsOf(folded).some(meetsRule);
}

const ROLE = '(?:assistant|developer|user|human|tool)';
const SIGNS = '[^\\p{L}\\p{N}]{0,5}';
/** Separators of roles in chat templates. Rejected everywhere, because no listing needs them. */
const CHAT_MARKUP = new RegExp(
  [
    '<\\|',
    '\\|>',
    // All brackets except round ones.
    `(?:[[\\p{Ps}‹]--[\\(‚„]]|==) ?\\/?(?:inst|sys|system|${ROLE}) ?(?:[\\p{Pe}›]|==)`,
    '<<?\\/?(?:system|sys|assistant|user|human|tool|function|invoke|instructions?|prompt|developer)\\b',
    '## ?(?:system|instructions?|assistant|user|human)\\b',
    `^${SIGNS}(?:\\d{1,3}[.\\)\\]]${SIGNS})?${ROLE}[^\\p{L}\\p{N}]{0,4}:`,
    '^ ?[>*#][ >*#]{0,4}system ?:',
    `["']role["'] ?:`,
    `\\brole ?: ?["']?(?:system|${ROLE})\\b`,
    '\\{ ?["\'][a-z0-9_ \\-]{1,40}["\'] ?:',
  ].join('|'),
  'v',
);

/** Whether text with its markup and line breaks is laid out as a chat. */
export function isLaidOutAsChat(text: string): boolean {
  if (!CHAT_SIGN.test(text)) return false;
  return text
    .split(LINE_BREAKS)
    .map(foldLookalikes)
    .some((line) => CHAT_MARKUP.test(line) || speaksAsSystem(line));
}

/** "System: underfloor heating" describes a home, so the sentence must steer an assistant or state a price. */
function speaksAsSystem(folded: string): boolean {
  const said = SYSTEM_LINE.exec(folded)?.[1];
  return said !== undefined && (PRICE_OR_NUMBER.test(said) || namesConcept(said));
}

/** Every such text has one of these characters before folding. */
const CHAT_SIGN = /[[\p{Ps}--\(]<＜﹤\|｜#＃﹟=＝﹦:：﹕︓∶꞉ː˸։׃‹]/v;
const LINE_BREAKS = /[\n\r\v\f\u0085\u2028\u2029]+/;
const PRICE_OR_NUMBER = /\d|pric|preci|prec[oi]|preis|prix|prezz|prij[sz]|cena|fiyat/;
const SYSTEM_LINE = new RegExp(`^${SIGNS}system ?:([^.!?;]{0,200})`, 'v');

const LETTER = '[a-z\\u0430-\\u044f\\u0370-\\u03ff]';
const LETTERS_APART = new RegExp(`(?<!${LETTER})${LETTER}(?:[ ._*-]${LETTER}(?!${LETTER})){4,}`, 'g');
// At least three in a row, otherwise the end of every sentence would count.
const CHARACTERS_APART = /(?:[\u3040-\u30ff\u3400-\u9fff][ .·*_-]){3,}(?=[\u3040-\u30ff\u3400-\u9fff])/g;
const MARKS_IN_A_ROW = /[-._*~^|+/\\']+/g;
const MARK = /[-._*~^|+/\\']/;
const WITHIN_A_WORD = /^[\p{L}--[\u3040-\u30ff\u3400-\u9fff]]{2}$/v;
const DIGIT_WITHIN_WORD = /(?<=[a-z])[013457]|[013457](?=[a-z]{2})/g;
const LETTER_OF_DIGIT: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
const BACKWARDS = /erongi|tpmorp|snoitcurtsni|suoiverp/;
const ROTATED = /vtaber|vafgehpgvba|cerivbhf|flfgrz cebzcg/;

/** The text, and the text without letters, digits and marks that disguise it. */
function readingsOf(folded: string): string[] {
  const readings = [folded];
  const joined = folded
    .replace(LETTERS_APART, (run) => run.replace(/[ ._*-]/g, ''))
    .replace(CHARACTERS_APART, (run) => run.replace(/[ .·*_-]/g, ''));
  const together = MARK.test(joined) ? withoutMarksInWords(joined) : joined;
  if (together !== folded) readings.push(together);
  const spelled = spelledOut(together);
  if (spelled !== together) readings.push(spelledOut(spelled));
  if (BACKWARDS.test(folded)) readings.push(Array.from(folded).reverse().join(''));
  if (ROTATED.test(folded)) readings.push(folded.replace(/[a-z]/g, rotated));
  return readings;
}

function withoutMarksInWords(text: string): string {
  return text.replace(MARKS_IN_A_ROW, (marks, at: number) =>
    WITHIN_A_WORD.test(text.charAt(at - 1) + text.charAt(at + marks.length)) ? '' : marks,
  );
}

function spelledOut(text: string): string {
  return text.replace(DIGIT_WITHIN_WORD, (digit) => LETTER_OF_DIGIT[digit] ?? digit);
}

function rotated(letter: string): string {
  return String.fromCharCode(((letter.charCodeAt(0) - 0x61 + 13) % 26) + 0x61);
}
