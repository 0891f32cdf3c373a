import type { Clock } from '../clock.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network, PropertyId } from '../inventory/catalogue.ts';
import type { CompleteCriteria } from '../inventory/stay-criteria.ts';
import type { CollectQuotes } from '../quotes/collect-quotes.ts';
import type { Random } from '../random.ts';
import type { CallerPath } from '../sessions/caller-path.ts';
import type { Day } from '../stay/day.ts';
import { type Comparison, compareQuotes } from './comparison.ts';

export type Completed =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | { readonly kind: 'no_operator_answered'; readonly retryAfterSeconds: number };

/** How long a caller waits at least before it asks again when no operator answered. */
export const RETRY_AFTER_SILENCE_SECONDS = 5;

/** On whose behalf operators are asked. */
export type Asker = {
  readonly caller: CallerPath;
  /** Aborts when the caller no longer waits: then nobody is asked any more, and its reason is thrown. */
  readonly departure?: AbortSignal | undefined;
};

/** Takes matches from the index and asks the operators for prices: prices are never cached. */
export type CompleteSearch = (
  criteria: CompleteCriteria,
  sessionEnd: number,
  asker: Asker,
) => Promise<Completed>;

export function createCompleteSearch({
  index,
  network,
  collectQuotes,
  propertyRefused,
  maxOptions,
  clock,
  random,
}: {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly collectQuotes: CollectQuotes;
  /** Reports that an operator refused nights that the index has as free. */
  readonly propertyRefused: (property: PropertyId, from: Day, to: Day) => void;
  /** Shown in a result; more may be priced. */
  readonly maxOptions: number;
  readonly clock: Clock;
  readonly random: Random;
}): CompleteSearch {
  return async (criteria, sessionEnd, { caller, departure }) => {
    const { place, checkIn, checkOut, guests, ...others } = criteria;
    // Only the index needs these. A new criterion does not compile until it is decided whether to send it to operators.
    const { brand: _brand, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
    forgotten satisfies Record<string, never>;
    const candidates = index.candidates(criteria, clock.now());
    const collected = await collectQuotes({
      candidates,
      property: (id) => index.property(id),
      checkIn,
      checkOut,
      guests,
      currency: network.places.get(place)?.currency ?? '',
      caller,
      signal: departure,
    });
    for (const { property } of collected.refused) propertyRefused(property, checkIn, checkOut);
    departure?.throwIfAborted();
    if (collected.everyOperatorFailed) {
      const askableAfterSeconds = Math.ceil(collected.askableAfterMs / 1000);
      return {
        kind: 'no_operator_answered',
        retryAfterSeconds: Math.max(RETRY_AFTER_SILENCE_SECONDS, askableAfterSeconds),
      };
    }
    const comparison = compareQuotes({
      criteria,
      candidates,
      unpublishedAmenities: withoutPublishedAmenities(criteria),
      maxOptions,
      collected,
      index,
      network,
      sessionEnd,
      newQuoteId: () => `nxq_${random.bytes(16).toString('base64url')}`,
    });
    return { kind: 'compared', comparison };
  };

  /** Nobody knows whether these have the amenities that were asked for, so the filter leaves them out. */
  function withoutPublishedAmenities(criteria: CompleteCriteria): number {
    if (criteria.amenities.length === 0) return 0;
    const unfiltered = index.candidates({ ...criteria, amenities: [] }, clock.now());
    return unfiltered.filter(({ property }) => index.property(property)?.amenities === null).length;
  }
}
