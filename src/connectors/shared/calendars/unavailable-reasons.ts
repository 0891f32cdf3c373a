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
