import type { Clock } from '../clock.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { PropertyId } from '../inventory/catalogue.ts';
import type { Day } from '../stay/day.ts';

export type Refusals = {
  /** The operator has just refused the nights from `from` up to, but not including, `to`. */
  remember(property: PropertyId, from: Day, to: Day): void;
  /** The calendar without the nights that were refused lately. */
  withoutRefused(property: PropertyId, calendar: Calendar): Calendar;
  /** How many properties something is remembered of. */
  readonly size: number;
};

type Refusal = { readonly from: Day; readonly to: Day; readonly until: number };

/**
 * Many booking systems publish a calendar that lags behind their own quotes. For a while the refusal weighs more, or
 * travellers would be offered the same taken nights again and again.
 */
export function createRefusals({
  clock,
  memoryMs,
}: {
  readonly clock: Clock;
  readonly memoryMs: number;
}): Refusals {
  // Whoever was refused last stands last, so the front is where the old ones are.
  const refusals = new Map<PropertyId, readonly Refusal[]>();

  function currentOf(property: PropertyId): readonly Refusal[] {
    return (refusals.get(property) ?? []).filter(({ until }) => until > clock.now());
  }

  function forgetOld(): void {
    for (const property of refusals.keys()) {
      if (currentOf(property).length > 0) return;
      refusals.delete(property);
    }
  }

  return {
    remember(property, from, to) {
      const others = currentOf(property).filter((refusal) => refusal.from !== from || refusal.to !== to);
      refusals.delete(property);
      refusals.set(property, [...others, { from, to, until: clock.now() + memoryMs }]);
      forgetOld();
    },
    withoutRefused(property, calendar) {
      const current = currentOf(property);
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
      return refusals.size;
    },
  };
}
