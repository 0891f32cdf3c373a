import { invalid, type Reading, valid } from '../../reading/reading.ts';
import { documentAddress } from '../../reading/web-address.ts';
import type { PlacedFault } from '../listings/first-fault.ts';
import { RULE_OF_ADDRESS_FAULT } from '../listings/operator-address.ts';
import { MAX_FEEDS_OF_A_HOME } from './rate-card.ts';

const MAX_ADDRESS_LENGTH = 2048;

/**
 * The addresses of a home's feeds, each once. One that cannot be used holds the home back: its nights may be taken. A reason
 * never repeats an address, because whoever has it can read the feed.
 */
export function readFeedAddresses(entry: {
  readonly availability_feed?: unknown;
  readonly availability_feeds?: unknown;
}): Reading<readonly string[], PlacedFault> {
  const { availability_feed: one = null, availability_feeds: several = null } = entry;
  if (several !== null && !Array.isArray(several)) {
    return invalid({
      field: 'availability_feeds',
      rule: 'wrong_type',
      reason: 'must be a list of addresses',
    });
  }
  const named: (readonly [field: string, address: unknown])[] = (several ?? []).map(
    (address: unknown, index) => [`availability_feeds/${index}`, address],
  );
  if (one !== null) named.unshift(['availability_feed', one]);
  if (named.length > MAX_FEEDS_OF_A_HOME) {
    const reason = `names ${named.length} feeds, must name at most ${MAX_FEEDS_OF_A_HOME}`;
    return invalid({ field: 'availability_feeds', rule: 'too_many_entries', reason });
  }
  const addresses = new Set<string>();
  for (const [field, address] of named) {
    if (typeof address !== 'string')
      return invalid({ field, rule: 'wrong_type', reason: 'must be an address' });
    if (address.length > MAX_ADDRESS_LENGTH) {
      const reason = `has ${address.length} characters, may have at most ${MAX_ADDRESS_LENGTH}`;
      return invalid({ field, rule: 'address_too_long', reason });
    }
    const reading = documentAddress(address);
    if (reading.kind === 'valid') {
      addresses.add(reading.value);
      continue;
    }
    const [reason = 'is not a whole address'] = reading.faults;
    return invalid({ field, rule: RULE_OF_ADDRESS_FAULT[reason], reason });
  }
  return valid([...addresses]);
}
