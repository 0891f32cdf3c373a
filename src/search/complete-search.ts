import type { Clock } from '../clock.ts';
import type { AvailabilityIndex, Network } from '../inventory/availability-index.ts';
import type { PropertyId } from '../inventory/catalogue.ts';
import type { SettledWish } from '../inventory/wish.ts';
import type { CollectQuotes } from '../quotes/collect-quotes.ts';
import type { Random } from '../random.ts';
import type { Day } from '../stay/day.ts';
import { type Comparison, compareQuotes } from './comparison.ts';

export type Completed =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  | { readonly kind: 'nobody_answered' };

/** Matches come from the index, prices only from the operators, asked at this moment. */
export type CompleteSearch = (wish: SettledWish, sessionEnd: number) => Promise<Completed>;

export function createCompleteSearch({
  index,
  network,
  collectQuotes,
  propertyRefused,
  clock,
  random,
}: {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly collectQuotes: CollectQuotes;
  /** Tells whoever keeps the index fresh that an operator does not offer these nights after all. */
  readonly propertyRefused: (property: PropertyId, from: Day, to: Day) => void;
  readonly clock: Clock;
  readonly random: Random;
}): CompleteSearch {
  return async (wish, sessionEnd) => {
    const candidates = index.candidates(wish, clock.now());
    const collected = await collectQuotes({
      candidates,
      property: (id) => index.property(id),
      checkIn: wish.checkIn,
      checkOut: wish.checkOut,
      guests: wish.guests,
      currency: network.places.get(wish.place)?.currency ?? '',
    });
    for (const { property } of collected.refused) propertyRefused(property, wish.checkIn, wish.checkOut);
    if (collected.everyOperatorFailed) return { kind: 'nobody_answered' };
    const comparison = compareQuotes({
      wish,
      candidates,
      collected,
      index,
      network,
      sessionEnd,
      newQuoteId: () => `nxq_${random.bytes(16).toString('base64url')}`,
    });
    return { kind: 'compared', comparison };
  };
}
