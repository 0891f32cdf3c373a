import { shownText } from '../../../catalogue/rejections/rejected-value.ts';
import type { RejectionFault } from '../../../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../../../catalogue/rejections/rejection-rules.ts';
import { carriesContactNumber, carriesOtherSite } from '../../../catalogue/text/contact-details.ts';
import { addressesAssistant } from '../../../catalogue/text/text-for-a-model.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { type AddressFault, userFacingAddress, wordsOfAddress } from '../../../parsing/web-address.ts';

const MAX_WORDS = 16;
/** Hexadecimal identifiers, with the hyphens of a UUID or without: their letters are not words. */
const HEXADECIMAL =
  /(?<![\p{L}\p{N}])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{16,64})(?![\p{L}\p{N}])/giu;
const MAX_HOSTS_NAMED = 3;

export type AddressRules = {
  readonly hosts: readonly string[];
  readonly pattern: string | null;
  readonly maxLength: number;
};

export const RULE_OF_ADDRESS_FAULT = {
  'is too long': 'address_too_long',
  'is not a whole address': 'address_incomplete',
  'must begin with https://': 'address_not_https',
  'must not carry a user name or password': 'address_with_credentials',
  'must name its host, not give a number': 'address_numeric_host',
  'is not on a host registered for the brand': 'address_not_registered',
  'has a path that cannot be decoded': 'address_undecodable',
  'is under /ai/': 'address_for_assistants',
  'must not have a fragment': 'address_with_fragment',
  'must not have a query or a fragment': 'address_with_fragment',
  'has a character that addresses do not need': 'address_odd_character',
} as const satisfies Record<AddressFault, RejectionRule>;

/** Checks the address of a page or a picture of one property. Models read it too, so it must carry no message and no contact. */
export function operatorAddress(
  text: string,
  reference: string,
  { hosts, pattern, maxLength }: AddressRules,
): Reading<string, RejectionFault> {
  const fault = (rule: RejectionRule, reason: string) => invalid({ rule, reason, value: shownText(text) });
  const address = userFacingAddress(text, hosts, maxLength);
  if (address.kind === 'invalid') {
    const [first] = address.faults;
    return first
      ? fault(RULE_OF_ADDRESS_FAULT[first], inFull(first, text, { hosts, maxLength }))
      : fault('address_incomplete', 'is not a whole address');
  }
  if (pattern !== null && !followsPattern(address.value, pattern, reference)) {
    return fault('address_off_pattern', `does not follow the pattern registered for the brand, ${pattern}`);
  }
  const said = wordsOfAddress(address.value);
  if (/%[0-7][0-9a-f]/i.test(said)) return fault('address_encoded_repeatedly', 'is encoded too many times');
  const words = wordsOf(said);
  const count = words.length > MAX_WORDS ? wordsOf(said.replace(HEXADECIMAL, ' ')).length : words.length;
  if (count > MAX_WORDS) {
    return fault('address_too_many_words', `has ${count} words, may have at most ${MAX_WORDS}`);
  }
  if (addressesAssistant(words.join(' '))) return fault('addresses_assistant', 'addresses the assistant');
  if (/:\/\/|[^\s/]@/.test(said) || carriesOtherSite(said, hosts)) {
    return fault('carries_address', 'carries another address');
  }
  if (carriesContactNumber(said)) return fault('carries_contact', 'carries a number to call or to pay');
  return address;
}

function wordsOf(said: string): readonly string[] {
  return said.match(/\p{L}{2,}/gu) ?? [];
}

/** Adds the expected value to faults that depend on the brand. */
function inFull(
  fault: AddressFault,
  text: string,
  { hosts, maxLength }: Pick<AddressRules, 'hosts' | 'maxLength'>,
): string {
  if (fault === 'is too long') {
    return text.length > maxLength
      ? `has ${text.length} characters, may have at most ${maxLength}`
      : `has more than ${maxLength} characters once it is encoded`;
  }
  if (fault !== 'is not on a host registered for the brand') return fault;
  const named = hosts.slice(0, MAX_HOSTS_NAMED).join(', ');
  return `${fault} (${hosts.length > MAX_HOSTS_NAMED ? `${named} and others` : named})`;
}

/**
 * Patterns of a brand's addresses: `https://casas.example/homes/{reference}/{page}`. `{reference}` stands for the property's reference,
 * any other name in braces for one part of at most 80 plain characters.
 */
const PLACEHOLDER = /\{([a-z_]{1,30})\}/g;
const PLAIN_PART = /^[A-Za-z0-9._~-]{1,80}$/;

/** Checks a pattern of the network file. */
export function readAddressPattern(text: string, hosts: readonly string[]): Reading<string> {
  const example = text.replace(PLACEHOLDER, 'x');
  if (/[{}]/.test(example)) return invalid('has braces that do not hold a name');
  const address = userFacingAddress(example, hosts);
  if (address.kind === 'invalid') return address;
  return address.value === example ? valid(text) : invalid(`must be written as ${address.value}`);
}

export function followsPattern(address: string, pattern: string, reference: string): boolean {
  let rest = address;
  let from = 0;
  for (const { 0: placeholder, 1: name, index } of pattern.matchAll(PLACEHOLDER)) {
    const literal = pattern.slice(from, index);
    if (!rest.startsWith(literal)) return false;
    rest = rest.slice(literal.length);
    from = index + placeholder.length;
    const end = partEnd(rest);
    const part = name === 'reference' ? reference : rest.slice(0, partLength(rest, end, pattern.slice(from)));
    if (!rest.startsWith(part) || !PLAIN_PART.test(part)) return false;
    rest = rest.slice(part.length);
  }
  return rest === pattern.slice(from);
}

/** A part ends at the next separator of an address. */
function partEnd(rest: string): number {
  const end = rest.search(/[/?&=#]/);
  return end < 0 ? rest.length : end;
}

/** Excludes a literal that follows within the same part, such as `.jpg`. */
function partLength(rest: string, end: number, following: string): number {
  const literal = following.split(/[{/?&=]/, 1)[0] ?? '';
  return literal !== '' && rest.slice(0, end).endsWith(literal) ? end - literal.length : end;
}
