import type { RejectionRule } from '../rejections/rejection-rules.ts';
import { speaksToAssistant } from './addresses-assistant.ts';
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
 * Why a text that a language model will read is held back; undefined when it may be shown. The filter stops what is in
 * circulation, not a determined author; the main defence is that operator text appears in its own fields only.
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

/** "evil%2Ecom", also where the sign of the code is itself a code, and in Markdown "evil\\.com" and "evil**.**com". */
function asRead(text: string): string {
  return text
    .replace(/%(?:25)*([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)))
    .replace(ESCAPE_OR_EMPHASIS, '');
}

/** For words that were written apart, such as the parts of an address. */
export function addressesAssistant(text: string): boolean {
  return speaksToAssistant(foldLookalikes(text));
}

/**
 * For the texts of one listing, each of which may be shown: a sentence or a number can be spread over them. Numbers that only
 * meet where two texts do are none to call, so a word or a sign must say so, or the texts be nothing but numbers.
 */
export function ruleAgainstTextsTogether(texts: readonly string[]): TextRule | undefined {
  const together = asRead(texts.join(' '));
  const folded = foldLookalikes(together);
  if (speaksToAssistant(folded)) return 'addresses_assistant';
  if (carriesAddress(together, folded)) return 'carries_address';
  if (carriesMarkedNumber(together, folded)) return 'carries_contact';
  const bare = texts.filter((text) => !LETTER.test(text));
  const isNumber = bare.length > 1 && carriesNumberToCallOrPay(together, folded);
  return isNumber ? 'carries_contact' : undefined;
}

const LETTER = /\p{L}/u;
