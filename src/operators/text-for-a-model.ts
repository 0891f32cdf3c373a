import { speaksToAssistant } from './model-text/addresses-assistant.ts';
import {
  carriesAddress,
  carriesEncodedText,
  carriesNumberToCallOrPay,
} from './model-text/contact-details.ts';
import { foldLookalikes } from './model-text/fold-lookalikes.ts';

/**
 * Why a text that a language model will read is held back; undefined when it may be shown. The filter stops what is in
 * circulation, not a determined author; the main defence is that operator text appears in its own fields only.
 */
export function reasonToHoldBackText(text: string): string | undefined {
  const folded = foldLookalikes(text);
  if (speaksToAssistant(folded)) return 'it addresses the assistant';
  if (carriesAddress(text, folded)) return 'it carries a web or e-mail address';
  if (carriesNumberToCallOrPay(text, folded)) return 'it carries a phone number or bank details';
  if (carriesEncodedText(text)) return 'it carries encoded text';
  return undefined;
}

/** For words that were written apart, such as the fields of one listing or the parts of an address. */
export function addressesAssistant(text: string): boolean {
  return speaksToAssistant(foldLookalikes(text));
}
