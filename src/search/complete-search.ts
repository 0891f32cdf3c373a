import type { Clock } from '../clock.ts';
import type { AvailabilityIndex, Candidate } from '../inventory/availability-index/availability-index.ts';
import type { Brand, Network, PropertyId } from '../inventory/catalogue.ts';
import type { CompleteCriteria, RequestedStay } from '../inventory/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import type { CollectQuotes } from '../quotes/collect-quotes.ts';
import type { Random } from '../random.ts';
import type { CallerPath } from '../sessions/caller-path.ts';
import { StorageFailure, type StorageFailureKind } from '../sessions/storage-failure.ts';
import { type Comparison, compareQuotes } from './comparison.ts';

export type Completed =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | {
      readonly kind: 'no_operator_answered';
      readonly retryAfterSeconds: number;
      /** Those of them that could not even be asked. */
      readonly unasked: readonly Brand[];
    };

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
  hasRefused,
  storeFault,
  maxOptions,
  clock,
  random,
}: {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly collectQuotes: CollectQuotes;
  /** Reports that an operator refused a stay that the index offered. */
  readonly propertyRefused: (property: PropertyId, stay: RequestedStay, reason: UnavailableReason) => void;
  /** Whether it refused this very stay a moment ago, so that asking again would only cost another candidate its turn. */
  readonly hasRefused: (candidate: Candidate, stay: RequestedStay) => boolean;
  /** Why nothing can be stored at present; null when it can. */
  readonly storeFault: () => StorageFailureKind | null;
  /** Shown in a result; more may be priced. */
  readonly maxOptions: number;
  readonly clock: Clock;
  readonly random: Random;
}): CompleteSearch {
  return async (criteria, sessionEnd, { caller, departure }) => {
    const fault = storeFault();
    // The result could not be kept, and operators would be asked for nobody.
    if (fault !== null) throw new StorageFailure(fault, 'Nothing can be stored, so no operator was asked.');
    const { place, checkIn, checkOut, guests, ...others } = criteria;
    // Only the index needs these. A new criterion does not compile until it is decided whether to send it to operators.
    const { brand: _brand, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
    forgotten satisfies Record<string, never>;
    const stay = { checkIn, checkOut, guests };
    const candidates = candidatesFor(criteria);
    const collected = await collectQuotes({
      candidates,
      property: (id) => index.property(id),
      ...stay,
      currency: network.places.get(place)?.currency ?? '',
      caller,
      signal: departure,
    });
    for (const { property, reason } of collected.refused) propertyRefused(property, stay, reason);
    departure?.throwIfAborted();
    if (collected.everyOperatorFailed) {
      const askableAfterSeconds = Math.ceil(collected.askableAfterMs / 1000);
      return {
        kind: 'no_operator_answered',
        retryAfterSeconds: Math.max(RETRY_AFTER_SILENCE_SECONDS, askableAfterSeconds),
        unasked: collected.unasked.flatMap((brand) => network.brands.get(brand) ?? []),
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

  function candidatesFor(criteria: CompleteCriteria): readonly Candidate[] {
    const candidates = index.candidates(criteria, clock.now());
    return candidates.filter((candidate) => !hasRefused(candidate, criteria));
  }

  /** Nobody knows whether these have the amenities that were asked for, so the filter leaves them out. */
  function withoutPublishedAmenities(criteria: CompleteCriteria): number {
    if (criteria.amenities.length === 0) return 0;
    const unfiltered = candidatesFor({ ...criteria, amenities: [] });
    return unfiltered.filter(({ property }) => index.property(property)?.amenities === null).length;
  }
}
