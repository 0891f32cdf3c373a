import type { Clock } from '../clock.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { PropertyId } from '../inventory/catalogue.ts';
import type { Day } from '../stay/day.ts';

export type Refusals = {
  /** The operator has just refused the nights from `from` up to, but not including, `to`. */
  remember(property: PropertyId, from: Day, to: Day): void;
  /** The calendar without the nights that were refused recently. */
  withoutRefused(property: PropertyId, calendar: Calendar): Calendar;
  /** How many properties have remembered refusals. */
  readonly size: number;
};

type RefusedNights = { readonly from: Day; readonly to: Day; readonly expiresAt: number };

/**
 * Many booking systems publish a calendar that lags behind their own quotes. For `memoryMs` a refusal outweighs the
 * calendar; otherwise travellers would be offered the same taken nights again.
 */
export function createRefusals({
  clock,
  memoryMs,
}: {
  readonly clock: Clock;
  readonly memoryMs: number;
}): Refusals {
  // Ordered by the latest refusal, oldest first, so that expired entries are found at the front.
  const refusedByProperty = new Map<PropertyId, readonly RefusedNights[]>();

  function currentlyRefused(property: PropertyId): readonly RefusedNights[] {
    return (refusedByProperty.get(property) ?? []).filter(({ expiresAt }) => expiresAt > clock.elapsed());
  }

  function dropExpired(): void {
    for (const property of refusedByProperty.keys()) {
      if (currentlyRefused(property).length > 0) return;
      refusedByProperty.delete(property);
    }
  }

  return {
    remember(property, from, to) {
      const others = currentlyRefused(property).filter(
        (refused) => refused.from !== from || refused.to !== to,
      );
      // Deleted first, so that the property moves to the end of the map.
      refusedByProperty.delete(property);
      refusedByProperty.set(property, [...others, { from, to, expiresAt: clock.elapsed() + memoryMs }]);
      dropExpired();
    },
    withoutRefused(property, calendar) {
      const current = currentlyRefused(property);
      if (current.length === 0) return calendar;
      const available = calendar.available.slice();
      for (const { from, to } of current) {
        // A negative index would count from the end of the column.
        const [first, end] = [from, to].map((day) => Math.max(0, day - calendar.firstDay));
        available.fill(0, first, end);
      }
      return { ...calendar, available };
    },
    get size() {
      return refusedByProperty.size;
    },
  };
}
