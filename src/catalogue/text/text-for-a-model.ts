import type { RejectionRule } from '../rejections/rejection-rules.ts';
import { carriesAddress, carriesMarkedNumber, carriesNumberToCallOrPay } from './contact-details.ts';
import { foldLookalikes } from './fold-lookalikes.ts';

/** The rules for texts; a reason completes the sentence "<field> …". */
export const TEXT_REASONS = {
  addresses_assistant: 'addresses the assistant instead of the traveller',
  carries_address: 'carries a web or e-mail address',
  carries_contact: 'carries a phone number or bank details',
  nested_markup: 'has markup that is nested too deeply',
} as const satisfies Partial<Record<RejectionRule, string>>;
export type TextRule = keyof typeof TEXT_REASONS;

/**
 * The rule that rejects a text for language models; undefined when it may be shown. What protects a model is that operators' words are
 * marked as data and cannot leave their fields; the rules keep out chat markup, other addresses, contacts and payment details.
 */
export function ruleAgainstText(text: string): TextRule | undefined {
  const said = asRead(text);
  const folded = foldLookalikes(said);
  if (speaksToAssistant(folded)) return 'addresses_assistant';
  if (carriesAddress(said, folded)) return 'carries_address';
  if (carriesNumberToCallOrPay(said, folded)) return 'carries_contact';
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

/** Whether folded text imitates a chat or speaks to an assistant in the plainest words. Others pass: texts are marked as data. */
function speaksToAssistant(folded: string): boolean {
  return CHAT_MARKUP.test(folded) || SYSTEM_LINE.test(folded) || PLAIN_INJECTION.test(folded);
}

const PLAIN_INJECTION = new RegExp(
  [
    '\\b(?:ignore|disregard|forget|override)\\b[^.!?]{0,20}\\b(?:all|any|previous|prior|above|earlier|your|system)\\b[^.!?]{0,20}\\b(?:instructions?|prompts?|rules|guidelines)\\b',
    '\\bsystem prompt\\b',
    '\\b(?:ai|language) (?:assistant|agent|model)s?\\b',
    '\\byou are now an? \\b',
  ].join('|'),
);

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

/** "System: underfloor heating" describes a home, so the sentence must speak to someone or state a price. */
const SYSTEM_LINE = new RegExp(`^${SIGNS}system ?:[^.!?;]{0,200}(?:\\d|pri[cxz]|preci|preis|\\byou)`, 'v');

/** Every such text has one of these characters before folding. */
const CHAT_SIGN = /[[\p{Ps}--\(]<＜﹤\|｜#＃﹟=＝﹦:：﹕︓∶꞉ː˸։׃‹]/v;
const LINE_BREAKS = /[\n\r\v\f\u0085\u2028\u2029]+/;

/** Whether text with its markup and line breaks is laid out as a chat. */
export function isLaidOutAsChat(text: string): boolean {
  return (
    CHAT_SIGN.test(text) &&
    text
      .split(LINE_BREAKS)
      .map(foldLookalikes)
      .some((line) => CHAT_MARKUP.test(line) || SYSTEM_LINE.test(line))
  );
}
