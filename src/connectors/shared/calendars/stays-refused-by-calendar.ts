import type { Calendar } from '../../../catalogue/calendar.ts';
import type { UnavailableReason } from '../../../quotes/booking-system.ts';
import type { Day } from '../../../stay/day.ts';

/** Remembers calendars in little space, for a vendor that refuses a stay without saying why. */
export type StaysRefusedByCalendar = {
  keep(reference: string, calendar: Calendar): void;
  /** Why the calendar read last refuses the stay; undefined when it does not. */
  reasonAgainst(reference: string, checkIn: Day, checkOut: Day): UnavailableReason | undefined;
};

const BOOKED = 1;
const CLOSED_TO_ARRIVAL = 2;
const CLOSED_TO_DEPARTURE = 4;
const MAX_8_BITS = 255;

type Kept = { readonly firstDay: Day; readonly rules: Uint8Array; readonly minimumStay: Uint8Array };

export function createStaysRefusedByCalendar(): StaysRefusedByCalendar {
  const kept = new Map<string, Kept>();
  return {
    keep(reference, { firstDay, available, minimumStay, closedToArrival, closedToDeparture }) {
      const rules = available.map(
        (isFree, night) =>
          (isFree ? 0 : BOOKED) |
          (closedToArrival[night] ? CLOSED_TO_ARRIVAL : 0) |
          (closedToDeparture[night] ? CLOSED_TO_DEPARTURE : 0),
      );
      const minimums = Uint8Array.from(minimumStay, (nights) => Math.min(nights, MAX_8_BITS));
      kept.set(reference, { firstDay, rules, minimumStay: minimums });
    },
    reasonAgainst(reference, checkIn, checkOut) {
      const calendar = kept.get(reference);
      if (!calendar) return undefined;
      const [arrival, departure] = [checkIn - calendar.firstDay, checkOut - calendar.firstDay];
      if (arrival < 0 || departure > calendar.rules.length) return undefined;
      if (calendar.rules.subarray(arrival, departure).some((rules) => rules & BOOKED)) return 'booked';
      if (departure - arrival < (calendar.minimumStay[arrival] ?? 1)) return 'minimum_stay';
      if ((calendar.rules[arrival] ?? 0) & CLOSED_TO_ARRIVAL) return 'closed_to_arrival';
      return (calendar.rules[departure] ?? 0) & CLOSED_TO_DEPARTURE ? 'closed_to_departure' : undefined;
    },
  };
}
