import type { UnavailableReason } from '../../quotes/booking-system.ts';
import type { Day } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { isBookable, type NightPeriods, periodAt, periodsWithin } from '../calendars/night-periods.ts';
import { refusedBeforeItsNights } from '../rate-card/can-book.ts';

/** A stay in an imported home: its price, or the first rule that refuses it. The order is that of a rate card. */
export type ImportedStay =
  | { readonly kind: 'bookable'; readonly total: MinorUnits }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason };

export function bookImported(
  calendar: NightPeriods,
  request: Parameters<typeof refusedBeforeItsNights>[0],
): ImportedStay {
  const { checkIn, checkOut } = request;
  const reason = refusedBeforeItsNights(request);
  if (reason) return refused(reason);
  const total = priceOf(calendar, checkIn, checkOut);
  if (total === undefined) return refused('booked');
  const arrival = periodAt(calendar, checkIn);
  const nights = checkOut - checkIn;
  if (arrival?.closedToArrival) return refused('closed_to_arrival');
  if (periodAt(calendar, checkOut)?.closedToDeparture) return refused('closed_to_departure');
  if (arrival && nights < arrival.minimumStay) return refused('minimum_stay');
  if (arrival && arrival.maximumStay > 0 && nights > arrival.maximumStay) return refused('maximum_stay');
  return { kind: 'bookable', total };
}

/** Undefined when a night is taken, has no price or is beyond the file. */
function priceOf(calendar: NightPeriods, checkIn: Day, checkOut: Day): MinorUnits | undefined {
  let total = 0;
  let nights = 0;
  for (const period of periodsWithin(calendar, checkIn, checkOut)) {
    if (!isBookable(period)) return undefined;
    const held = Math.min(period.to, checkOut) - Math.max(period.from, checkIn);
    nights += held;
    total += held * period.price;
  }
  return nights === checkOut - checkIn ? total : undefined;
}

function refused(reason: UnavailableReason): ImportedStay {
  return { kind: 'unavailable', reason };
}
