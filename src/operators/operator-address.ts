import { invalid, type Reading } from '../reading/reading.ts';
import { userFacingAddress, wordsOfAddress } from '../reading/web-address.ts';
import { followsPattern } from './address-pattern.ts';
import { carriesContactNumber, carriesOtherSite } from './model-text/contact-in-address.ts';
import { addressesAssistant } from './text-for-a-model.ts';

const MAX_WORDS = 16;

export type AddressRules = {
  readonly hosts: readonly string[];
  readonly pattern: string | null;
  readonly maxLength: number;
};

/** The address of a page or a picture of one property. Models read it too, so it must carry no message and no contact. */
export function operatorAddress(
  text: string,
  reference: string,
  { hosts, pattern, maxLength }: AddressRules,
): Reading<string> {
  const address = userFacingAddress(text, hosts, maxLength);
  if (address.kind === 'invalid') return address;
  if (pattern !== null && !followsPattern(address.value, pattern, reference)) {
    return invalid('does not follow the pattern registered for the brand');
  }
  const said = wordsOfAddress(address.value);
  if (/%[0-7][0-9a-f]/i.test(said)) return invalid('is encoded too many times');
  const words = said.match(/\p{L}{2,}/gu) ?? [];
  if (words.length > MAX_WORDS) return invalid('has too many words');
  if (addressesAssistant(words.join(' '))) return invalid('addresses the assistant');
  if (/:\/\/|[^\s/]@/.test(said) || carriesOtherSite(said, hosts)) return invalid('carries another address');
  if (carriesContactNumber(said)) return invalid('carries a number to call or to pay');
  return address;
}
