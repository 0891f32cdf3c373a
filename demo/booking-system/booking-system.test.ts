import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { type CalendarPeriod, CalendarsAnswer } from '../../src/connectors/open/calendar.ts';
import { CataloguePage } from '../../src/connectors/open/catalogue.ts';
import { QuotesAnswer } from '../../src/connectors/open/quote.ts';
import { RateCard } from '../../src/connectors/rate-card/rate-card.ts';
import { type Day, formatDay, parseDay } from '../../src/stay/day.ts';
import { parseAmount } from '../../src/stay/money.ts';
import { createBookings } from '../bookings.ts';
import { BRANDS } from '../brands.ts';
import { createOperator } from '../operator.ts';
import { type Demo, startDemo } from '../start-demo.ts';
import { bookingSystemRoutes } from './booking-system-routes.ts';
import { answerCalendars, answerQuotes } from './protocol-answers.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const TODAY = parseDay('2026-11-15') ?? 0;
const cataloguePage = Compile(CataloguePage);
const calendarsAnswer = Compile(CalendarsAnswer);
const quotesAnswer = Compile(QuotesAnswer);

let demo: Demo;
before(async () => {
  demo = await startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: null });
});
after(() => demo.close());

const open = BRANDS.filter((brand) => brand.connection === 'open');
const address = (source: string, call: string) => `${demo.origin}/operators/${source}/${call}`;
const post = (url: string, content: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  });

async function wholeCatalogue(source: string) {
  const listings: CataloguePage['properties'] = [];
  let page: string | null = '1';
  while (page !== null) {
    const content: unknown = await (await fetch(`${address(source, 'catalogue')}?page=${page}`)).json();
    assert.deepEqual([...cataloguePage.Errors(content)].slice(0, 3), []);
    assert.ok(cataloguePage.Check(content));
    listings.push(...content.properties);
    page = content.next_page;
  }
  return listings;
}

test('every answer of every booking system keeps to the protocol', async () => {
  for (const brand of open) {
    const listings = await wholeCatalogue(brand.source);
    assert.equal(
      listings.length,
      Object.values(brand.propertyCounts).reduce((sum, count) => sum + count, 0),
    );
    const properties = listings.slice(0, 50).map((listing) => listing.reference);
    const calendars: unknown = await (
      await post(address(brand.source, 'calendars'), { properties, from: '2026-11-15', nights: 540 })
    ).json();
    assert.deepEqual([...calendarsAnswer.Errors(calendars)].slice(0, 3), []);
    assert.ok(calendarsAnswer.Check(calendars));
    assert.deepEqual(
      calendars.calendars.map(({ property }) => property),
      properties,
    );
    const stay = { check_in: '2027-02-02', check_out: '2027-02-06', guests: 2, currency: 'EUR' };
    const quotes: unknown = await (
      await post(address(brand.source, 'quotes'), { properties, ...stay })
    ).json();
    assert.deepEqual([...quotesAnswer.Errors(quotes)].slice(0, 3), []);
    assert.ok(quotesAnswer.Check(quotes));
    const quoted = quotes.quotes.filter((quote) => quote.status === 'quoted');
    assert.ok(quoted.length >= 5, `${brand.source} quotes ${quoted.length}`);
    for (const quote of quoted) {
      assert.equal(quote.lines !== undefined, brand.givesBreakdown);
      assert.equal(quote.deposit !== undefined, brand.takesDeposit);
      if (!quote.lines) continue;
      const sum = quote.lines.reduce(
        (all, line) => all + (parseAmount(line.amount, quote.currency) ?? Number.NaN),
        0,
      );
      assert.equal(sum, parseAmount(quote.total, quote.currency));
    }
  }
});

test('a reader who has the current catalogue or rate card is told so', async () => {
  const card = `${demo.origin}/sites/quince-and-key/rate-card.json`;
  for (const url of [address('kumori', 'catalogue'), card]) {
    const first = await fetch(url);
    const etag = first.headers.get('etag');
    assert.ok(etag);
    await first.body?.cancel();
    const second = await fetch(url, { headers: { 'if-none-match': etag } });
    assert.equal(second.status, 304);
    assert.equal(await second.text(), '');
    const other = await fetch(url, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200);
    await other.body?.cancel();
  }
  const content: unknown = await (await fetch(card)).json();
  assert.ok(Compile(RateCard).Check(content));
});

test('bad requests get a 400 with the reason in JSON', async () => {
  const quote = {
    properties: ['KM-101'],
    check_in: '2027-02-06',
    check_out: '2027-02-06',
    guests: 2,
    currency: 'JPY',
  };
  for (const [call, content] of [
    ['quotes', quote],
    ['quotes', { ...quote, check_out: '2027-02-30' }],
    ['quotes', { ...quote, properties: [] }],
    ['quotes', { ...quote, check_out: '2027-02-08', guests: 0 }],
    ['quotes', 'not json'],
    ['calendars', { properties: ['KM-101'], from: '2027-13-01', nights: 5 }],
    ['calendars', { properties: ['KM-101'], from: '2027-01-01', nights: 731 }],
  ] as const) {
    const answer = await post(address('kumori', call), content);
    assert.equal(answer.status, 400, JSON.stringify(content));
    const body: unknown = await answer.json();
    assert.ok(typeof body === 'object' && body !== null && 'error' in body);
  }
  for (const page of ['0', '99', 'x']) {
    assert.equal((await fetch(`${address('kumori', 'catalogue')}?page=${page}`)).status, 400);
  }
  assert.equal((await fetch(address('kumori', 'quotes'))).status, 405);
  assert.equal((await fetch(address('quince-and-key', 'catalogue'))).status, 404, 'it has only a rate card');
  const unknown = await post(address('kumori', 'quotes'), {
    ...quote,
    check_out: '2027-02-08',
    properties: ['KM-999'],
  });
  assert.deepEqual(await unknown.json(), {
    quotes: [{ property: 'KM-999', status: 'unavailable', reason: 'unknown_property' }],
  });
});

/** Reads a calendar as the protocol describes it, without any of the code that wrote it. */
function allows(periods: readonly CalendarPeriod[], checkIn: Day, checkOut: Day): boolean {
  const periodOf = (day: Day) =>
    periods.find(({ from, to }) => from <= formatDay(day) && formatDay(day) < to);
  for (let night = checkIn; night < checkOut; night++) if (!periodOf(night)?.available) return false;
  const arrival = periodOf(checkIn);
  const nights = checkOut - checkIn;
  return (
    !arrival?.closed_to_arrival &&
    nights >= (arrival?.minimum_stay ?? 1) &&
    nights <= (arrival?.maximum_stay ?? Number.POSITIVE_INFINITY) &&
    !periodOf(checkOut)?.closed_to_departure
  );
}

const operators = BRANDS.map((brand) =>
  createOperator({ brand, site: 'http://127.0.0.1/x', bookings: createBookings(null), now: () => NOON }),
);
const homes = operators.flatMap((operator) =>
  operator.properties.map((property) => ({ operator, property })),
);

/** Asks the calendar and the quote about a stay, expects them to agree, and says what they say. */
function bothSay({ operator, property }: (typeof homes)[number], checkIn: Day, checkOut: Day): 'yes' | 'no' {
  const properties = [property.reference];
  const window = { from: formatDay(checkIn - 3), nights: checkOut - checkIn + 6 };
  const calendars: CalendarsAnswer = JSON.parse(answerCalendars(operator, { properties, ...window }).body);
  const stay = { check_in: formatDay(checkIn), check_out: formatDay(checkOut), guests: 2, currency: 'EUR' };
  const quotes: QuotesAnswer = JSON.parse(answerQuotes(operator, { properties, ...stay }, NOON).body);
  const allowed = allows(calendars.calendars[0]?.periods ?? [], checkIn, checkOut);
  assert.equal(
    quotes.quotes[0]?.status,
    allowed ? 'quoted' : 'unavailable',
    `${properties} ${JSON.stringify(stay)}`,
  );
  return allowed ? 'yes' : 'no';
}

test('what the calendar allows is quoted, and what it forbids is refused', () => {
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...homes),
      fc.integer({ min: 3, max: 600 }),
      fc.integer({ min: 1, max: 12 }),
      (home, ahead, nights) => {
        seen[bothSay(home, TODAY + ahead, TODAY + ahead + nights)] += 1;
      },
    ),
    { seed: 7 },
  );
  assert.ok(seen.yes > 10 && seen.no > 10, JSON.stringify(seen));
});

test('they agree about stays that fill a gap up to the next booking, too', () => {
  const seen = { yes: 0, no: 0 };
  for (const home of homes) {
    const { rates, booked } = home.operator.entry(home.property);
    if (rates.no_departure_on === undefined) continue;
    for (const { from } of booked) {
      const departure = parseDay(from) ?? 0;
      for (const nights of [3, 4, 7]) {
        if (departure - nights > TODAY + 3) seen[bothSay(home, departure - nights, departure)] += 1;
      }
    }
  }
  assert.ok(seen.yes > 5 && seen.no > 50, JSON.stringify(seen));
});

function quoteRoute(steady: boolean) {
  const brand = BRANDS.find(({ isUnreliable }) => isUnreliable);
  assert.ok(brand);
  const waits: number[] = [];
  const now = () => Date.UTC(2026, 10, 15);
  const clock = {
    now,
    elapsed: now,
    after(milliseconds: number, action: () => void) {
      waits.push(milliseconds);
      queueMicrotask(action);
      return () => {};
    },
  };
  const bookings = createBookings(null);
  const operator = createOperator({ brand, site: 'http://127.0.0.1/x', bookings, now });
  const route = bookingSystemRoutes({ operator, bookings, clock, steady }).find(({ path }) =>
    path.endsWith('/quotes'),
  );
  assert.ok(route);
  const body = JSON.stringify({
    properties: ['DR-101'],
    check_in: '2027-03-01',
    check_out: '2027-03-04',
    guests: 2,
    currency: 'EUR',
  });
  const ask = () => route.answer({ parameters: {}, query: new URLSearchParams(), headers: {}, body });
  return { ask, waits };
}

test('the unreliable operator is slow, and every seventh quote call fails', async () => {
  const { ask, waits } = quoteRoute(false);
  const statuses: number[] = [];
  for (let call = 0; call < 15; call++) statuses.push((await ask()).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 503, 200, 200, 200, 200, 200, 200, 503, 200]);
  assert.equal(waits.length, 15);
  assert.ok(waits.every((wait) => wait >= 300 && wait <= 900));
  assert.ok(new Set(waits).size > 5, 'not always the same delay');
});

test('on a steady network it neither waits nor fails', async () => {
  const { ask, waits } = quoteRoute(true);
  for (let call = 0; call < 15; call++) assert.equal((await ask()).status, 200);
  assert.deepEqual(waits, []);
});
