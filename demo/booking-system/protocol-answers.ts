import { Compile } from 'typebox/compile';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import {
  type CalendarPeriod,
  type CalendarsAnswer,
  CalendarsRequest,
} from '../../src/connectors/open/calendar.ts';
import type { BookingsPage, CataloguePage } from '../../src/connectors/open/catalogue.ts';
import { type QuotesAnswer, QuotesRequest } from '../../src/connectors/open/quote.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import { formatAmount } from '../../src/stay/money.ts';
import type { Bookings } from '../bookings.ts';
import { type Answer, badRequest, type DemoRequest, json, jsonWithTag } from '../http.ts';
import { type Operator, type Stay, stayOf } from '../operator.ts';

const LISTINGS_ON_A_PAGE = 25;

export function answerCatalogue(operator: Operator, request: DemoRequest): Answer {
  const page = Number(request.query.get('page') ?? '1');
  const pages = Math.ceil(operator.properties.length / LISTINGS_ON_A_PAGE);
  if (!Number.isInteger(page) || page < 1 || page > pages) return badRequest('There is no such page.');
  const shown = operator.properties.slice((page - 1) * LISTINGS_ON_A_PAGE, page * LISTINGS_ON_A_PAGE);
  const answer: CataloguePage = {
    properties: shown.map((property) => operator.entry(property).listing),
    next_page: page < pages ? String(page + 1) : null,
  };
  return jsonWithTag(request, answer);
}

const calendarsRequest = Compile(CalendarsRequest);

export function answerCalendars(operator: Operator, content: unknown): Answer {
  if (!calendarsRequest.Check(content)) return badRequest('Name properties, from and nights.');
  const from = parseDay(content.from);
  if (from === undefined) return badRequest('from is not a day.');
  const answer: CalendarsAnswer = {
    calendars: content.properties.flatMap((reference) => {
      const property = operator.property(reference);
      if (!property) return [];
      const calendar = operator.calendar(property, from, content.nights);
      return [{ property: reference, periods: periodsOf(calendar, property.city.currency) }];
    }),
  };
  return json(200, answer);
}

type NightRules = Omit<CalendarPeriod, 'from' | 'to'>;

/** Joins consecutive nights with the same rules into one period. */
function periodsOf(calendar: Calendar, currency: string): CalendarPeriod[] {
  const periods: { first: number; last: number; rules: NightRules; key: string }[] = [];
  for (let night = 0; night < calendar.available.length; night++) {
    const rules = rulesOf(calendar, night, currency);
    const key = JSON.stringify(rules);
    const current = periods.at(-1);
    if (current?.key === key) current.last = night;
    else periods.push({ first: night, last: night, rules, key });
  }
  return periods.map(({ first, last, rules }) => ({
    from: formatDay(calendar.firstDay + first),
    to: formatDay(calendar.firstDay + last + 1),
    ...rules,
  }));
}

function rulesOf(calendar: Calendar, night: number, currency: string): NightRules {
  const closedToDeparture = calendar.closedToDeparture[night] === 1;
  // A taken night can still be a departure day, so this rule is published for taken nights too.
  if (calendar.available[night] !== 1) {
    return { available: false, ...(closedToDeparture && { closed_to_departure: true }) };
  }
  const maximumStay = calendar.maximumStay[night] ?? 0;
  return {
    available: true,
    minimum_stay: calendar.minimumStay[night] ?? 1,
    ...(maximumStay > 0 && { maximum_stay: maximumStay }),
    ...(calendar.closedToArrival[night] === 1 && { closed_to_arrival: true }),
    ...(closedToDeparture && { closed_to_departure: true }),
    price: formatAmount(calendar.price[night] ?? 0, currency),
  };
}

const quotesRequest = Compile(QuotesRequest);
type Quote = QuotesAnswer['quotes'][number];

export function answerQuotes(operator: Operator, content: unknown, now: number): Answer {
  if (!quotesRequest.Check(content)) {
    return badRequest('Name properties, check_in, check_out, guests and currency.');
  }
  const stay = stayOf(content.check_in, content.check_out, content.guests);
  if (!stay) return badRequest('check_in and check_out must be days, in this order.');
  const answer: QuotesAnswer = {
    quotes: content.properties.map((reference) => quoteOf(operator, reference, stay, now)),
  };
  return json(200, answer);
}

/** Always in the currency of the property: no price is converted. */
function quoteOf(operator: Operator, reference: string, stay: Stay, now: number): Quote {
  const property = operator.property(reference);
  if (!property) return { property: reference, status: 'unavailable', reason: 'unknown_property' };
  const offer = operator.offer(property, stay);
  if (offer.kind === 'unavailable')
    return { property: reference, status: 'unavailable', reason: offer.reason };
  const { givesBreakdown, holdMinutes } = operator.brand;
  const { deposit, due_on_site: dueOnSite } = operator.entry(property);
  const amount = (minorUnits: number) => formatAmount(minorUnits, offer.currency);
  return {
    property: reference,
    status: 'quoted',
    currency: offer.currency,
    total: amount(offer.total),
    ...(givesBreakdown && {
      lines: offer.lines.map((line) => ({ label: line.label, amount: amount(line.amount) })),
    }),
    // The amount due on site is 0 for every stay.
    ...(deposit && { deposit }),
    ...(dueOnSite && { due_on_site: dueOnSite.amount }),
    ...(holdMinutes !== null && { held_until: new Date(now + holdMinutes * 60_000).toISOString() }),
  };
}

const BOOKINGS_ON_A_PAGE = 100;
/** The source in links of the network. */
const MARKER = 'staywire';

/** The bookings of an operator that came from the network, without data about guests. */
export function answerBookings(source: string, bookings: Bookings, { query }: DemoRequest): Answer {
  const since = Date.parse(query.get('since') ?? '');
  const page = Number(query.get('page') ?? '1');
  if (Number.isNaN(since)) return badRequest('since is not an instant.');
  if (!Number.isInteger(page) || page < 1) return badRequest('There is no such page.');
  const changed = bookings
    .ofBrand(source)
    .filter((one) => one.came_from === MARKER)
    .filter((one) => Date.parse(one.cancelled_at ?? one.booked_at) >= since);
  const answer: BookingsPage = {
    bookings: changed.slice((page - 1) * BOOKINGS_ON_A_PAGE, page * BOOKINGS_ON_A_PAGE).map((one) => ({
      reference: one.code,
      quote: one.quote ?? null,
      status: one.cancelled_at === undefined ? 'booked' : 'cancelled',
      booked_at: one.booked_at,
      amount: one.total,
      currency: one.currency,
    })),
    next_page: changed.length > page * BOOKINGS_ON_A_PAGE ? String(page + 1) : null,
  };
  return json(200, answer);
}
