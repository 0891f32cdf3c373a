import type { Calendar } from '../../catalogue/calendar.ts';
import type { Day } from '../../stay/day.ts';

export type SampleStay = { readonly checkIn: Day; readonly checkOut: Day };

/** The first stay from a day on that the calendar offers and that keeps all its rules, as short as it may be. */
export function firstFreeStay(calendar: Calendar, earliest: Day): SampleStay | undefined {
  const { firstDay, available, minimumStay, maximumStay, closedToArrival, closedToDeparture } = calendar;
  for (let index = Math.max(0, earliest - firstDay); index < available.length; index += 1) {
    const nights = minimumStay[index] ?? 1;
    const maximum = maximumStay[index] ?? 0;
    const end = index + nights;
    const isOpen = !closedToArrival[index] && !closedToDeparture[end] && (maximum === 0 || nights <= maximum);
    if (isOpen && end <= available.length && available.subarray(index, end).every((night) => night === 1)) {
      return { checkIn: firstDay + index, checkOut: firstDay + end };
    }
  }
  return undefined;
}

/** The first stay from a day on that begins with a night that is not available. */
export function firstTakenStay(calendar: Calendar, earliest: Day): SampleStay | undefined {
  const { firstDay, available, minimumStay } = calendar;
  const index = available.indexOf(0, Math.max(0, earliest - firstDay));
  if (index < 0) return undefined;
  const nights = Math.min(Math.max(2, minimumStay[index] ?? 1), 28);
  return { checkIn: firstDay + index, checkOut: firstDay + index + nights };
}
