import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { CalendarsAnswer } from '../../src/connectors/open/calendar.ts';
import { BookingsPage } from '../../src/connectors/open/catalogue.ts';
import { QuotesAnswer } from '../../src/connectors/open/quote.ts';
import { canBook, priceStay } from '../../src/connectors/rate-card/quote.ts';
import { RateCard } from '../../src/connectors/rate-card/rate-card.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import { formatAmount } from '../../src/stay/money.ts';
import { BRANDS, type Brand } from '../brands.ts';
import { propertiesOf } from '../properties.ts';
import { seededBy } from '../seeded.ts';
import { type Demo, startDemo } from '../start-demo.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const TODAY = parseDay('2026-11-15') ?? 0;
const directory = mkdtempSync(path.join(tmpdir(), 'staywire-demo-'));
const start = () => startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: directory });

let demo: Demo;
before(async () => {
  demo = await start();
});
after(async () => {
  await demo.close();
  rmSync(directory, { recursive: true });
});

type Stay = { check_in: string; check_out: string; guests: string };
const textOf = async (address: string) => (await fetch(`${demo.origin}${address}`)).text();
const jsonOf = async (address: string, content?: unknown): Promise<unknown> => {
  const answer = await fetch(
    `${demo.origin}${address}`,
    content === undefined ? {} : { method: 'POST', body: JSON.stringify(content) },
  );
  assert.equal(answer.status, 200);
  return answer.json();
};
const rateCard = Compile(RateCard);
const quotesAnswer = Compile(QuotesAnswer);
const calendarsAnswer = Compile(CalendarsAnswer);
const rateCardOf = async (source: string) => {
  const card = await jsonOf(`/sites/${source}/rate-card.json`);
  assert.ok(rateCard.Check(card));
  return card;
};
const pageOf = (brand: Brand, reference: string, stay: Stay) =>
  textOf(`/sites/${brand.source}/stays/${reference}?${new URLSearchParams({ ...stay, source: 'staywire' })}`);
const totalOn = (page: string) => /data-testid="total" data-amount="([^"]+)"/.exec(page)?.[1] ?? null;

/** The total from outside: from the booking system, or worked out from the published rate card. */
async function quotedTotal(brand: Brand, reference: string, stay: Stay): Promise<string | null> {
  if (brand.connection === 'open') {
    const content = { properties: [reference], ...stay, guests: Number(stay.guests), currency: 'EUR' };
    const answer = await jsonOf(`/operators/${brand.source}/quotes`, content);
    assert.ok(quotesAnswer.Check(answer));
    const [quote] = answer.quotes;
    return quote?.status === 'quoted' ? quote.total : null;
  }
  const card = await rateCardOf(brand.source);
  const entry = card.properties.find(({ listing }) => listing.reference === reference);
  assert.ok(entry);
  const { listing, rates, booked } = entry;
  const asked = {
    rates,
    currency: listing.currency,
    checkIn: parseDay(stay.check_in) ?? 0,
    checkOut: parseDay(stay.check_out) ?? 0,
    guests: Number(stay.guests),
  };
  const { max_guests: maxGuests, lead_days: leadDays = 0 } = listing;
  const { kind } = canBook({ ...asked, booked, maxGuests, leadDays, today: TODAY });
  if (kind === 'unavailable') return null;
  return formatAmount(priceStay(asked).total, listing.currency);
}

function* randomStays(brand: Brand, count: number) {
  const seeded = seededBy(`stays in ${brand.source}`);
  const properties = propertiesOf(brand);
  for (let index = 0; index < count; index++) {
    const checkIn = TODAY + seeded.integer(3, 400);
    const stay = {
      check_in: formatDay(checkIn),
      check_out: formatDay(checkIn + seeded.integer(2, 9)),
      guests: String(seeded.integer(1, 3)),
    };
    yield { reference: seeded.pick(properties).reference, stay };
  }
}

async function freeStay(brand: Brand): Promise<{ reference: string; stay: Stay; total: string }> {
  for (const { reference, stay } of randomStays(brand, 100)) {
    const total = await quotedTotal(brand, reference, stay);
    if (total !== null) return { reference, stay, total };
  }
  throw new Error(`${brand.source} has nothing free`);
}

test('the page shows the total that the booking system quotes, for all brands', async () => {
  for (const brand of BRANDS) {
    let quoted = 0;
    for (const { reference, stay } of randomStays(brand, 14)) {
      const [page, total] = [await pageOf(brand, reference, stay), await quotedTotal(brand, reference, stay)];
      assert.equal(totalOn(page), total, `${brand.source} ${reference} ${JSON.stringify(stay)}`);
      assert.equal(page.includes('data-testid="booking-form"'), total !== null);
      assert.equal(page.includes('data-testid="unavailable"'), total === null);
      assert.equal(page.includes('data-testid="breakdown"'), total !== null && brand.givesBreakdown);
      if (total !== null) quoted += 1;
    }
    assert.ok(quoted >= 2, `${brand.source}: ${quoted} quoted`);
  }
});

test('the results page lists the free homes of a place with the same totals', async () => {
  const stay = { check_in: '2027-02-02', check_out: '2027-02-06', guests: '2' };
  for (const brand of BRANDS) {
    const [city = ''] = Object.keys(brand.propertyCounts);
    const query = new URLSearchParams({ ...stay, destination: city });
    const page = await textOf(`/sites/${brand.source}/stays?${query}`);
    const cards = page.matchAll(/data-reference="([^"]+)"[\s\S]*?data-amount="([^"]+)"/g);
    const shown = new Map([...cards].map(([, reference = '', total = '']) => [reference, total]));
    assert.ok(shown.size > 0, brand.source);
    for (const property of propertiesOf(brand).slice(0, 6)) {
      const total = property.city.id === city ? await quotedTotal(brand, property.reference, stay) : null;
      assert.equal(shown.get(property.reference) ?? null, total, property.reference);
    }
  }
});

const bookingForm = (stay: Stay, guest: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams({ ...stay, source: 'staywire', ...guest }),
});
const ana = { name: 'Ana Marques', email: 'ana@example.com' };

test('a booking takes its nights out of page, quotes, calendar and rate card, for good, and cannot be made twice', async () => {
  for (const source of ['casa-lumeira', 'quince-and-key']) {
    const brand = BRANDS.find((one) => one.source === source);
    assert.ok(brand);
    const { reference, stay, total } = await freeStay(brand);
    const form = `/sites/${source}/stays/${reference}/book`;
    const confirmation = await fetch(`${demo.origin}${form}`, bookingForm(stay, { ...ana, total }));
    assert.equal(confirmation.status, 200);
    const page = await confirmation.text();
    assert.match(page, /data-testid="confirmation"/);
    assert.match(page, new RegExp(`data-testid="booking-code">${brand.prefix}-[A-Z2-9]{5}-[A-Z2-9]{5}<`));
    assert.equal(totalOn(page), total);

    const isGone = async () => {
      assert.equal(await quotedTotal(brand, reference, stay), null);
      assert.match(await pageOf(brand, reference, stay), /data-testid="unavailable"/);
      if (brand.connection === 'rate-card') {
        const card = await rateCardOf(source);
        const entry = card.properties.find(({ listing }) => listing.reference === reference);
        assert.ok(entry?.booked.some(({ from, to }) => from === stay.check_in && to === stay.check_out));
        return;
      }
      const nights = (parseDay(stay.check_out) ?? 0) - (parseDay(stay.check_in) ?? 0);
      const content = { properties: [reference], from: stay.check_in, nights };
      const answer = await jsonOf(`/operators/${source}/calendars`, content);
      assert.ok(calendarsAnswer.Check(answer));
      assert.ok(answer.calendars[0]?.periods.every(({ available }) => !available));
    };
    await isGone();

    const again = await fetch(`${demo.origin}${form}`, bookingForm(stay, { ...ana, name: 'Somebody Else' }));
    assert.equal(again.status, 409);
    assert.match(await again.text(), /Nothing was booked/);

    await demo.close();
    demo = await start();
    await isGone();
    const { pathname } = new URL(confirmation.url);
    assert.match(await textOf(pathname), /data-testid="confirmation"/);
  }
});

test('a booking that came of a quote is reported with it and nothing about the guest, and again when it is cancelled', async () => {
  const brand = BRANDS.find((one) => one.source === 'kumori');
  assert.ok(brand);
  const { reference, stay, total } = await freeStay(brand);
  const link = `/sites/kumori/stays/${reference}?${new URLSearchParams({ ...stay, source: 'staywire', quote: 'nxq_a-1' })}`;
  assert.equal((await textOf(link)).match(/name="quote" value="nxq_a-1"/g)?.length, 2, 'in both forms');
  const reported = async () => {
    const page = await jsonOf('/operators/kumori/bookings?since=2026-11-01T00:00:00.000Z');
    assert.ok(Compile(BookingsPage).Check(page));
    assert.ok(!JSON.stringify(page).includes('Ana'));
    return page.bookings.filter(({ quote }) => quote === 'nxq_a-1');
  };
  assert.deepEqual(await reported(), []);
  const confirmation = await fetch(
    `${demo.origin}/sites/kumori/stays/${reference}/book`,
    bookingForm(stay, { ...ana, total, quote: 'nxq_a-1' }),
  );
  const code = /data-testid="booking-code">([^<]+)</.exec(await confirmation.text())?.[1] ?? '';
  const booking = {
    reference: code,
    quote: 'nxq_a-1',
    status: 'booked',
    booked_at: new Date(NOON).toISOString(),
    amount: total,
    currency: propertiesOf(brand).find((home) => home.reference === reference)?.city.currency,
  };
  assert.deepEqual(await reported(), [booking]);
  const later = await jsonOf('/operators/kumori/bookings?since=2026-11-16T00:00:00.000Z');
  assert.deepEqual(later, { bookings: [], next_page: null });
  assert.equal((await fetch(`${demo.origin}/operators/kumori/bookings`)).status, 400);

  const cancel = () => fetch(`${confirmation.url}/cancel`, { method: 'POST' });
  assert.match(await (await cancel()).text(), /Your stay is cancelled/);
  assert.equal((await cancel()).status, 404, 'once');
  assert.deepEqual(await reported(), [{ ...booking, status: 'cancelled' }]);
  assert.equal(await quotedTotal(brand, reference, stay), total, 'its nights are free again');
});

test('of many guests who book the same nights at once, one gets them', async () => {
  const brand = BRANDS.find((one) => one.source === 'kumori');
  assert.ok(brand);
  const { reference, stay } = await freeStay(brand);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      fetch(`${demo.origin}/sites/kumori/stays/${reference}/book`, bookingForm(stay, ana)),
    ),
  );
  await Promise.all(answers.map((answer) => answer.text()));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 11 }, () => 409),
  ]);
});

test('a form with a missing name, a bad address, or a price that is not ours books nothing', async () => {
  const brand = BRANDS.find((one) => one.source === 'hearthlane');
  assert.ok(brand);
  const { reference, stay, total } = await freeStay(brand);
  const send = async (guest: Record<string, string>) => {
    const answer = await fetch(
      `${demo.origin}/sites/hearthlane/stays/${reference}/book`,
      bookingForm(stay, guest),
    );
    return { status: answer.status, page: await answer.text() };
  };
  const nameless = await send({ name: ' ', email: 'ana@example.com' });
  assert.equal(nameless.status, 422);
  assert.match(nameless.page, /id="name-fault"/);
  assert.doesNotMatch(nameless.page, /id="email-fault"/);
  const unreachable = await send({ name: 'Ana', email: 'ana at example' });
  assert.equal(unreachable.status, 422);
  assert.match(unreachable.page, /id="email-fault"/);
  assert.equal((await send({ ...ana, total: '1.00' })).status, 409);
  assert.equal(await quotedTotal(brand, reference, stay), total, 'still free');
});

test('whatever a visitor writes comes back escaped', async () => {
  const attack = '"><script>alert(1)</script>&amp;\'';
  const pages = [
    await textOf(`/sites/kumori/stays?${new URLSearchParams({ destination: attack, check_in: attack })}`),
    await textOf(
      `/sites/kumori/stays/KM-101?${new URLSearchParams({ check_in: attack, guests: attack, source: attack })}`,
    ),
    await textOf(`/sites/kumori/?${new URLSearchParams({ check_in: attack, source: attack })}`),
  ];
  const brand = BRANDS.find((one) => one.source === 'stillehus');
  assert.ok(brand);
  const { reference, stay } = await freeStay(brand);
  const confirmation = await fetch(
    `${demo.origin}/sites/stillehus/stays/${reference}/book`,
    bookingForm(stay, { ...ana, name: attack }),
  );
  const confirmed = await confirmation.text();
  assert.match(confirmed, /&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&amp;amp;&#39;/);
  for (const page of [...pages, confirmed]) assert.doesNotMatch(page, /<script/i);
  assert.ok(pages[0]?.includes('&lt;script&gt;'));
});

test('pages are whole: balanced, with one heading, and every link and picture on them works', async () => {
  const stay = 'check_in=2027-02-02&check_out=2027-02-06&guests=2';
  const followed = new Set<string>();
  for (const brand of BRANDS) {
    const { source } = brand;
    const [first] = propertiesOf(brand);
    for (const address of ['/', `/stays?${stay}`, `/stays/${first?.reference}?${stay}`]) {
      const page = await textOf(`/sites/${source}${address}`);
      assertBalanced(page);
      assert.equal(page.match(/<h1/g)?.length, 1, address);
      assert.doesNotMatch(page, /undefined|NaN|\[object/, address);
      const links = [...page.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, link = '']) =>
        link.replaceAll('&amp;', '&'),
      );
      for (const link of links.slice(0, 14)) followed.add(link);
    }
  }
  for (const link of followed) {
    const answer = await fetch(`${demo.origin}${link}`);
    await answer.body?.cancel();
    assert.equal(answer.status, 200, link);
  }
  for (const address of [
    '/',
    '/sites/kumori/stays/KM-999',
    '/sites/kumori/bookings/KM-AAAAA-AAAAA',
    '/sites/none/',
  ]) {
    const answer = await fetch(`${demo.origin}${address}`);
    assert.equal(answer.status, address === '/' ? 200 : 404);
    assertBalanced(await answer.text());
  }
});

const VOID = new Set(['meta', 'link', 'img', 'input', 'hr', 'br', 'rect', 'circle', 'path']);

function assertBalanced(page: string): void {
  const open: string[] = [];
  for (const [, closing, name = '', selfClosed] of page.matchAll(
    /<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*?)?(\/?)>/g,
  )) {
    if (closing) assert.equal(open.pop(), name);
    else if (!selfClosed && !VOID.has(name)) open.push(name);
  }
  assert.deepEqual(open, []);
}
