import type { Calendar } from '../../../catalogue/calendar.ts';
import type { UnavailableReason } from '../../../quotes/booking-system.ts';
import type { Day } from '../../../stay/day.ts';

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
