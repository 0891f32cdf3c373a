import type { QuoteOutcome, QuoteRequest, UnavailableReason } from '../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay, WEEKDAY_CODES, weekdayOf } from '../../stay/day.ts';
import { type MinorUnits, parseAmount } from '../../stay/money.ts';
import { todayIn } from '../../stay/time-zone.ts';
import type { CardEntry } from './catalogue.ts';
import type { Rates, TakenNights } from './rate-card.ts';

export type PricedStay = {
  readonly total: MinorUnits;
  readonly lines: readonly { readonly label: string; readonly amount: MinorUnits }[];
};

type StaySize = { readonly nights: number; readonly guests: number };

/**
 * The final price of a stay, line by line in minor units: nights, extra guests, discount, fees, taxes. Only percentages can fall between
 * two minor units: each such line is rounded half up (a discount of 0.5 cents lowers the price by 1 cent), and the total is the sum of
 * the lines. `canBook` checks whether the stay can be booked.
 */
export function priceStay(request: {
  readonly rates: Rates;
  readonly currency: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
}): PricedStay {
  const { rates, currency, checkIn, checkOut, guests } = request;
  const nights = checkOut - checkIn;
  if (nights < 1 || guests < 1) throw new RangeError('a stay has at least one night and one guest');
  const stay: StaySize = { nights, guests };

  const rateOf = nightRates(rates, currency);
  let nightsPrice = 0;
  for (let night = checkIn; night < checkOut; night += 1) nightsPrice += rateOf(night).price;
  const lines = [{ label: nights === 1 ? '1 night' : `${nights} nights`, amount: nightsPrice }];

  const extraGuests = rates.extra_guest ? Math.max(0, guests - rates.extra_guest.above) : 0;
  if (rates.extra_guest && extraGuests > 0) {
    const amount = exactAmount(rates.extra_guest.nightly, currency) * extraGuests * nights;
    lines.push({ label: 'Extra guests', amount });
  }

  const discount = longestReached(rates.discounts, nights);
  if (discount) lines.push({ label: discount.label, amount: -percentOf(sum(lines), discount.percent) });

  for (const fee of rates.fees) {
    lines.push({ label: fee.label, amount: exactAmount(fee.amount, currency) * timesCharged(fee.per, stay) });
  }

  const taxable = sum(lines);
  for (const tax of rates.taxes) {
    if ('percent' in tax) {
      lines.push({ label: tax.label, amount: percentOf(taxable, tax.percent) });
    } else {
      const taxed = { guests, nights: Math.min(nights, tax.first_nights ?? nights) };
      lines.push({
        label: tax.label,
        amount: exactAmount(tax.amount, currency) * timesCharged(tax.per, taxed),
      });
    }
  }

  const total = sum(lines);
  if (!Number.isSafeInteger(total)) throw new RangeError('the price of the stay is too large to be exact');
  return { total, lines };
}

function longestReached(discounts: Rates['discounts'], nights: number) {
  return discounts
    .filter((discount) => discount.nights <= nights)
    .reduce<Rates['discounts'][number] | undefined>(
      (longest, discount) => (longest && longest.nights >= discount.nights ? longest : discount),
      undefined,
    );
}

function timesCharged(per: 'stay' | 'night' | 'guest' | 'guest_night', { nights, guests }: StaySize): number {
  return { stay: 1, night: nights, guest: guests, guest_night: guests * nights }[per];
}

/** Rounds half up, in exact arithmetic: a percentage has six decimals. */
function percentOf(amount: MinorUnits, percent: number): MinorUnits {
  const scaled = BigInt(amount) * BigInt(Math.round(percent * 1_000_000));
  return Number((scaled + 50_000_000n) / 100_000_000n);
}

function sum(lines: readonly { readonly amount: MinorUnits }[]): MinorUnits {
  return lines.reduce((total, line) => total + line.amount, 0);
}

type Bookability =
  | { readonly kind: 'bookable' }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason };

/** Applies the rules of a rate card. The first rule that refuses the stay gives the reason. */
export function canBook(request: {
  readonly rates: Rates;
  readonly currency: string;
  readonly booked: readonly TakenNights[];
  readonly maxGuests: number;
  readonly leadDays: number;
  /** In the time zone of the property. */
  readonly today: Day;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
}): Bookability {
  const { rates, checkIn, checkOut } = request;
  const nights = checkOut - checkIn;
  const reason = refusedBeforeItsNights(request);
  if (reason) return refused(reason);
  if (request.booked.some(({ from, to }) => realDay(from) < checkOut && checkIn < realDay(to))) {
    return refused('booked');
  }
  if (falls(checkIn, rates.no_arrival_on)) return refused('closed_to_arrival');
  if (falls(checkOut, rates.no_departure_on)) return refused('closed_to_departure');
  if (nights < nightRates(rates, request.currency)(checkIn).minimumStay) return refused('minimum_stay');
  if (rates.maximum_stay !== undefined && nights > rates.maximum_stay) return refused('maximum_stay');
  return { kind: 'bookable' };
}

/** Applies the rules that do not depend on the nights of the stay. */
export function refusedBeforeItsNights(request: {
  readonly maxGuests: number;
  readonly leadDays: number;
  readonly today: Day;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
}): UnavailableReason | undefined {
  const { checkIn, checkOut, guests } = request;
  if (checkOut <= checkIn || guests < 1) return 'not_offered';
  if (guests > request.maxGuests) return 'too_many_guests';
  return checkIn < request.today + request.leadDays ? 'lead_time' : undefined;
}

export function falls(day: Day, weekdays: Rates['no_arrival_on'] = []): boolean {
  return weekdays.some((weekday) => WEEKDAY_CODES[weekdayOf(day)] === weekday);
}

function refused(reason: UnavailableReason): Bookability {
  return { kind: 'unavailable', reason };
}

type NightRate = { readonly price: MinorUnits; readonly minimumStay: number };

const FRIDAY = 4;
const SATURDAY = 5;

/** Parses the rates once, and returns the price of a night and the minimum stay for an arrival on it. */
export function nightRates(rates: Rates, currency: string): (night: Day) => NightRate {
  const standard = {
    nightly: exactAmount(rates.nightly, currency),
    weekendNightly: exactAmount(rates.weekend_nightly ?? rates.nightly, currency),
    minimumStay: rates.minimum_stay ?? 1,
  };
  const seasons = rates.seasons.map((season) => ({
    from: realDay(season.from),
    to: realDay(season.to),
    nightly: exactAmount(season.nightly, currency),
    weekendNightly: exactAmount(season.weekend_nightly ?? season.nightly, currency),
    minimumStay: season.minimum_stay ?? standard.minimumStay,
  }));
  return (night) => {
    const rate = seasons.find(({ from, to }) => from <= night && night < to) ?? standard;
    const weekday = weekdayOf(night);
    const isWeekend = weekday === FRIDAY || weekday === SATURDAY;
    return { price: isWeekend ? rate.weekendNightly : rate.nightly, minimumStay: rate.minimumStay };
  };
}

/** `rateFault` has checked the rates of an accepted card, so an inexact amount here is an error in the program. */
function exactAmount(text: string, currency: string): MinorUnits {
  const amount = parseAmount(text, currency);
  if (amount === undefined) throw new RangeError(`not an exact amount of ${currency}: ${text}`);
  return amount;
}

export function realDay(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new RangeError(`not a day: ${text}`);
  return day;
}

type Terms = { readonly rates: Rates; readonly booked: readonly TakenNights[] };

/**
 * Drops the seasons and bookings outside the stay: a card has them for years, and parsing their days and amounts takes longer than
 * pricing a stay. Compares days as text, which has the same order.
 */
export function termsWithin({ rates, booked }: Terms, checkIn: Day, checkOut: Day): Terms {
  const [first, end] = [formatDay(checkIn), formatDay(checkOut)];
  const holdsANight = ({ from, to }: TakenNights) => from < end && first < to;
  return {
    rates: { ...rates, seasons: rates.seasons.filter(holdsANight) },
    booked: booked.filter(holdsANight),
  };
}

/** The price of a stay by the card. */
export function quoteOne(
  entry: CardEntry | undefined,
  reference: string,
  request: QuoteRequest,
  at: { readonly timeZone: string | undefined; readonly now: number; readonly retrievedAt: number },
): QuoteOutcome {
  if (!entry) return { kind: 'unavailable', reference, reason: 'unknown_property' };
  const { currency, maxGuests, leadDays } = entry.property;
  if (at.timeZone === undefined) return { kind: 'failed', reference, failure: 'garbled' };
  if (currency !== request.currency) return { kind: 'failed', reference, failure: 'wrong_currency' };
  const { checkIn, checkOut, guests } = request;
  const stay = { ...termsWithin(entry, checkIn, checkOut), currency, checkIn, checkOut, guests };
  const today = todayIn(at.timeZone, at.now);
  try {
    const answer = canBook({ ...stay, maxGuests, leadDays, today });
    if (answer.kind === 'unavailable') return { kind: 'unavailable', reference, reason: answer.reason };
    const { total, lines } = priceStay(stay);
    return {
      kind: 'quoted',
      reference,
      quote: {
        currency,
        total,
        // Show all lines or none: a breakdown without one of its lines would not add up.
        ...(lines.every(({ label }) => label !== '')
          ? { lines }
          : { lines: [], linesFault: 'label_held_back' }),
        heldUntil: null,
        retrievedAt: at.retrievedAt,
        deposit: entry.deposit,
        dueOnSite: dueOnSiteFor(entry, { nights: checkOut - checkIn, guests }),
      },
    };
  } catch {
    // The amounts are too large to be exact: prefer no price to a wrong one.
    return { kind: 'failed', reference, failure: 'garbled' };
  }
}

/** Null when the operator publishes none, or when the amount is too large to be exact. */
function dueOnSiteFor({ dueOnSite, property }: CardEntry, stay: StaySize): MinorUnits | null {
  if (dueOnSite === null) return null;
  const amount = exactAmount(dueOnSite.amount, property.currency) * timesCharged(dueOnSite.per, stay);
  return Number.isSafeInteger(amount) ? amount : null;
}
