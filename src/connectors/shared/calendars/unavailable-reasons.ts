import type { Calendar } from '../../../catalogue/calendar.ts';
import type { CalendarReadings, Horizon, UnavailableReason } from '../../../quotes/booking-system.ts';
import type { Day } from '../../../stay/day.ts';
import type { AskedStayTerms } from '../vendors/vendor-system.ts';

/** Why a calendar does not allow a stay; undefined when it does. */
export function obstacleOfStay(
  calendar: Calendar,
  { checkIn, checkOut }: { readonly checkIn: Day; readonly checkOut: Day },
): UnavailableReason | undefined {
  const arrival = checkIn - calendar.firstDay;
  const departure = checkOut - calendar.firstDay;
  const nights = departure - arrival;
  for (let night = arrival; night < departure; night += 1) {
    if (calendar.available[night] !== 1) return 'booked';
  }
  if (nights < (calendar.minimumStay[arrival] ?? 1)) return 'minimum_stay';
  const maximum = calendar.maximumStay[arrival] ?? 0;
  if (maximum > 0 && nights > maximum) return 'maximum_stay';
  if (calendar.closedToArrival[arrival] === 1) return 'closed_to_arrival';
  return calendar.closedToDeparture[departure] === 1 ? 'closed_to_departure' : undefined;
}

/** Looks up why a vendor declined stays without a reason. Unreadable calendars only cost the reasons. */
export async function reasonsInCalendars(
  refused: { readonly size: number },
  stay: AskedStayTerms,
  readCalendars: (horizon: Horizon) => Promise<CalendarReadings>,
): Promise<ReadonlyMap<string, UnavailableReason>> {
  const reasons = new Map<string, UnavailableReason>();
  if (refused.size === 0) return reasons;
  try {
    for (const [reference, calendar] of await readCalendars(daysOf(stay))) {
      const obstacle = calendar.kind === 'valid' ? obstacleOfStay(calendar.value, stay) : undefined;
      if (obstacle) reasons.set(reference, obstacle);
    }
  } catch {
    return reasons;
  }
  return reasons;
}

/** Includes the day of departure, which has a rule too. */
export function daysOf({ checkIn, checkOut }: Pick<AskedStayTerms, 'checkIn' | 'checkOut'>): Horizon {
  return { from: checkIn, nights: checkOut - checkIn + 1 };
}

/** Stores calendars compactly, for a vendor that declines stays without a reason. */
type StaysRefusedByCalendar = {
  keep(reference: string, calendar: Calendar): void;
  /** Why the last calendar does not allow the stay; undefined when it does. */
  reasonAgainst(reference: string, checkIn: Day, checkOut: Day): UnavailableReason | undefined;
};

const BOOKED = 1;
const CLOSED_TO_ARRIVAL = 2;
const CLOSED_TO_DEPARTURE = 4;
const MAX_8_BITS = 255;

type PackedCalendar = {
  readonly firstDay: Day;
  readonly rules: Uint8Array;
  readonly minimumStay: Uint8Array;
};

export function createStaysRefusedByCalendar(): StaysRefusedByCalendar {
  const packed = new Map<string, PackedCalendar>();
  return {
    keep(reference, { firstDay, available, minimumStay, closedToArrival, closedToDeparture }) {
      const rules = available.map(
        (isFree, night) =>
          (isFree ? 0 : BOOKED) |
          (closedToArrival[night] ? CLOSED_TO_ARRIVAL : 0) |
          (closedToDeparture[night] ? CLOSED_TO_DEPARTURE : 0),
      );
      const minimums = Uint8Array.from(minimumStay, (nights) => Math.min(nights, MAX_8_BITS));
      packed.set(reference, { firstDay, rules, minimumStay: minimums });
    },
    reasonAgainst(reference, checkIn, checkOut) {
      const calendar = packed.get(reference);
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
