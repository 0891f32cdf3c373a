import type { QuoteOutcome, QuoteRequest, UnavailableReason } from '../../quotes/booking-system.ts';
import type { Day } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { refusedBeforeItsNights } from '../rate-card/quote.ts';
import { isBookable, type NightPeriods, periodAt, periodsWithin } from '../shared/calendars/night-periods.ts';
import type { ImportedHome } from './catalogue.ts';

/** The price of a stay by the file, which has nightly prices without a breakdown. */
export function quoteOne(
  home: ImportedHome | undefined,
  reference: string,
  request: QuoteRequest,
  at: { readonly timeZone: string | undefined; readonly now: number; readonly retrievedAt: number },
): QuoteOutcome {
  if (!home) return { kind: 'unavailable', reference, reason: 'unknown_property' };
  const { property, calendar } = home;
  const { currency, maxGuests, leadDays } = property;
  if (at.timeZone === undefined || calendar.kind === 'invalid')
    return { kind: 'failed', reference, failure: 'garbled' };
  if (currency !== request.currency) return { kind: 'failed', reference, failure: 'wrong_currency' };
  const { checkIn, checkOut } = request;
  const today = todayIn(at.timeZone, at.now);
  const total = priceOf(calendar.value, checkIn, checkOut);
  const reason =
    refusedBeforeItsNights({ ...request, maxGuests, leadDays, today }) ??
    refusedByItsNights(calendar.value, total, checkIn, checkOut);
  if (reason) return { kind: 'unavailable', reference, reason };
  if (total === undefined || !Number.isSafeInteger(total))
    return { kind: 'failed', reference, failure: 'garbled' };
  const quote = { currency, total, lines: [], heldUntil: null, retrievedAt: at.retrievedAt };
  return { kind: 'quoted', reference, quote };
}

/** In the order of a rate card. */
function refusedByItsNights(
  calendar: NightPeriods,
  total: MinorUnits | undefined,
  checkIn: Day,
  checkOut: Day,
): UnavailableReason | undefined {
  if (total === undefined) return 'booked';
  const arrival = periodAt(calendar, checkIn);
  const nights = checkOut - checkIn;
  if (arrival?.closedToArrival) return 'closed_to_arrival';
  if (periodAt(calendar, checkOut)?.closedToDeparture) return 'closed_to_departure';
  if (arrival && nights < arrival.minimumStay) return 'minimum_stay';
  if (arrival && arrival.maximumStay > 0 && nights > arrival.maximumStay) return 'maximum_stay';
  return undefined;
}

/** Undefined when a night is taken, has no price or is not in the file. */
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
