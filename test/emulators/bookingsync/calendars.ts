import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';
import { decimalText } from './decimals.ts';
import { type BookingsyncRecord, type RecordSource, rentalIdOf, secondsText, times } from './record.ts';

const MAP_DAYS = 1096;
const RATE_DAYS = 366;

export function availabilityOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord {
  const start = compactDay(source.request.query.get('from')) ?? monthStart(source);
  return {
    links: { rental: rentalIdOf(home.id) },
    id: rentalIdOf(home.id),
    start_date: start,
    map: daysFrom(start)
      .map((day) => (source.world.isTaken(home.id, day) ? '1' : '0'))
      .join(''),
    ...calendarTimes(home, source),
  };
}

/** Only this map knows the days on which nobody may arrive or leave. */
export function changeOverOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord {
  const { world } = source;
  const start = monthStart(source);
  const days = daysFrom(start);
  const letter = (day: string, index: number) => {
    const nightBefore = days[index - 1] ?? addDays(day, -1);
    const checkIn = !world.isTaken(home.id, day) && !home.closedToArrival(day);
    const checkOut = !world.isTaken(home.id, nightBefore) && !home.closedToDeparture(day);
    if (checkIn) return checkOut ? 'C' : 'I';
    return checkOut ? 'O' : 'X';
  };
  return {
    links: { rental: rentalIdOf(home.id) },
    id: rentalIdOf(home.id),
    start_date: start,
    map: days.map(letter).join(''),
    ...calendarTimes(home, source),
  };
}

/** One for each span of days with the same price and minimum stay. */
export function ratesOf(source: RecordSource): BookingsyncRecord[] {
  const wanted = source.request.query.get('rental_id')?.split(',').map(Number);
  return source.world.homes
    .filter(({ id }) => wanted?.includes(rentalIdOf(id)) ?? true)
    .flatMap((home) =>
      spansOf(home, source.world.today()).map((span, index) => rateOf(home, span, index, source)),
    );
}

type RateSpan = { readonly from: string; to: string; readonly price: number; readonly minimumStay: number };

/** Every page counts the rates of all homes. */
const KNOWN_SPANS = new WeakMap<EmulatedHome, { readonly today: string; readonly spans: RateSpan[] }>();

function spansOf(home: EmulatedHome, today: string): RateSpan[] {
  const known = KNOWN_SPANS.get(home);
  if (known?.today === today) return known.spans;
  const spans: RateSpan[] = [];
  for (const day of nightsBetween(today, addDays(today, RATE_DAYS))) {
    const last = spans.at(-1);
    const price = home.nightlyPrice(day);
    const minimumStay = home.minimumStay(day);
    if (last && last.price === price && last.minimumStay === minimumStay) last.to = day;
    else spans.push({ from: day, to: day, price, minimumStay });
  }
  KNOWN_SPANS.set(home, { today, spans });
  return spans;
}

function rateOf(home: EmulatedHome, span: RateSpan, index: number, source: RecordSource): BookingsyncRecord {
  const forNights = (nights: number) => decimalText(span.price * nights, home.currency);
  return {
    links: { rental: rentalIdOf(home.id) },
    id: rentalIdOf(home.id) * 1000 + index,
    currency: home.currency,
    start_date: span.from,
    end_date: span.to,
    initial_nightly_rate: forNights(1),
    initial_weekly_rate: forNights(7),
    initial_monthly_rate: forNights(30),
    final_nightly_rate: forNights(1),
    final_weekly_rate: forNights(7),
    final_monthly_rate: forNights(30),
    minimum_stay: span.minimumStay,
    ...times(source),
  };
}

function daysFrom(start: string): string[] {
  return nightsBetween(start, addDays(start, MAP_DAYS));
}

function monthStart({ world }: RecordSource): string {
  return `${world.today().slice(0, 7)}-01`;
}

/** The reference writes days in a query both as 20140324 and as 2014-03-24, and times with an hour. */
export function compactDay(text: string | null): string | undefined {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/.exec(text ?? '');
  return match ? `${match[1]}-${match[2]}-${match[3]}` : undefined;
}

export function calendarChangedAt(home: EmulatedHome, { createdAt, bookedAt }: RecordSource): number {
  return bookedAt.get(home.id) ?? createdAt;
}

function calendarTimes(home: EmulatedHome, source: RecordSource) {
  return { ...times(source), updated_at: secondsText(calendarChangedAt(home, source)) };
}
