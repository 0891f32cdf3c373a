import { invalid, type Reading, valid } from '../../reading/reading.ts';
import { documentAddress } from '../../reading/web-address.ts';
import { MAX_FEEDS_OF_A_HOME } from './rate-card.ts';
import type { RateFault } from './rate-faults.ts';

const MAX_ADDRESS_LENGTH = 2048;

/**
 * The addresses of a home's feeds, each once. One that cannot be used holds the home back: its nights may be taken. A reason
 * never repeats an address, because whoever has it can read the feed.
 */
export function readFeedAddresses(entry: {
  readonly availability_feed?: unknown;
  readonly availability_feeds?: unknown;
}): Reading<readonly string[], RateFault> {
  const { availability_feed: one = null, availability_feeds: several = null } = entry;
  if (several !== null && !Array.isArray(several)) {
    return invalid({ field: 'availability_feeds', reason: 'must be a list of addresses' });
  }
  const named: (readonly [field: string, address: unknown])[] = (several ?? []).map(
    (address: unknown, index) => [`availability_feeds/${index}`, address],
  );
  if (one !== null) named.unshift(['availability_feed', one]);
  if (named.length > MAX_FEEDS_OF_A_HOME) {
    const reason = `names ${named.length} feeds, must name at most ${MAX_FEEDS_OF_A_HOME}`;
    return invalid({ field: 'availability_feeds', reason });
  }
  const addresses = new Set<string>();
  for (const [field, address] of named) {
    if (typeof address !== 'string' || address.length > MAX_ADDRESS_LENGTH) {
      return invalid({ field, reason: `must be an address of at most ${MAX_ADDRESS_LENGTH} characters` });
    }
    const reading = documentAddress(address);
    if (reading.kind === 'invalid') return invalid({ field, reason: reading.faults.join('; ') });
    addresses.add(reading.value);
  }
  return valid([...addresses]);
}
