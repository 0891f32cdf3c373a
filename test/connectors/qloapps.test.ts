import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Clock, systemClock } from '../../src/clock.ts';
import { qloappsConnector } from '../../src/operators/qloapps/connector.ts';
import { bookingSystemContract } from '../../src/quotes/booking-system.contract.ts';
import {
  BookingSystemFailure,
  type FailureKind,
  type QuoteOutcome,
} from '../../src/quotes/booking-system.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import type { FaultKind } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { type QloappsOptions, startQloapps } from '../emulators/qloapps.ts';
import { plainServer } from '../support/plain-server.ts';
import { connectAccount } from './connected-account.ts';

const patient = new AbortController().signal;
const NOW = Date.parse('2027-03-10T12:00:00Z');
const day = (text: string) => parseDay(text) ?? Number.NaN;
const FROM = day('2027-03-10');
const horizon = { from: FROM, nights: 60 };
const entry = { rate_limits: [{ requests: 10_000, seconds: 1 }] };
const stay = { checkIn: FROM + 5, checkOut: FROM + 8, guests: 2, currency: 'EUR' };
const SHIFT = NOW - systemClock.now();
const clock: Clock = { ...systemClock, now: () => systemClock.now() + SHIFT };
/** QloApps shows no restriction of a stay in its nights. */
const anyLength = { minimumStay: () => 1, maximumStay: null };

async function setUp(t: TestContext, options: Partial<QloappsOptions> = {}, more: object = {}) {
  const emulator = await startQloapps({ homes: [aHome()], now: clock.now, limits: 'off', ...options });
  const connect = (changes: Partial<Parameters<typeof connectAccount>[0]> = {}) => {
    const system = connectAccount({
      connector: qloappsConnector,
      emulator,
      entry: { ...entry, ...more },
      clock,
      ...changes,
    });
    t.after(() => system.close());
    return system;
  };
  t.after(() => emulator.close());
  return { emulator, connect, system: connect(), reference: emulator.referenceOf(1) };
}

const kindOf = (outcome: QuoteOutcome | undefined) =>
  outcome?.kind === 'failed' ? outcome.failure : outcome?.kind;
const failsAs = (kind: FailureKind) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === kind;

/** Answers questions about each night of a stay with warnings when the night is one of them, as QloApps does when a room is out of order. */
function stumblingProxy(target: string, night: string) {
  return plainServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const [, from = '', to = ''] = /<date_from>(.+)<.date_from><date_to>(.+)<.date_to>/.exec(body) ?? [];
    if (body.includes('<date_wise_breakdown>1') && from <= night && night < to) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors: [{ code: 3, message: '[PHP Warning #2]' }] }));
      return;
    }
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization: request.headers.authorization ?? '' },
      ...(body === '' ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
}

bookingSystemContract('QloApps', {
  async newSystem() {
    const emulator = await startQloapps({ homes: [aHome(anyLength)], now: clock.now, limits: 'off' });
    emulator.book(1, '2027-03-20', '2027-03-22');
    return {
      system: connectAccount({ connector: qloappsConnector, emulator, entry, clock }),
      reference: emulator.referenceOf(1),
      currency: 'EUR',
      maxGuests: 4,
      horizon,
      free: { checkIn: FROM + 5, checkOut: FROM + 8 },
      taken: { checkIn: day('2027-03-20'), checkOut: day('2027-03-22') },
      release: () => emulator.close(),
    };
  },
});

describe('QloApps', () => {
  it('gives the room types of all hotels, and nothing private', async (t) => {
    const homes = Array.from({ length: 120 }, (_, index) =>
      aHome({ id: index + 1, amenities: ['wifi', 'roof_terrace'] }),
    );
    const { system, emulator } = await setUp(t, { homes });
    const { properties, heldBack, unmappedAmenities } = await system.catalogue(patient);
    assert.deepEqual(heldBack, []);
    assert.deepEqual(
      properties.map(({ reference }) => reference),
      homes.map(({ id }) => emulator.referenceOf(id)),
    );
    const [first] = properties;
    assert.ok(first);
    assert.deepEqual(
      [first.name, first.checkInTime, first.checkOutTime, first.maxGuests, first.amenities, first.location],
      ['Lisbon Residences, Harbour House 1', '16:00', '10:00', 4, { wifi: 'Wi-Fi' }, 'Lisbon'],
    );
    assert.equal(unmappedAmenities?.[0]?.listings, 120);
    assert.match(first.cancellation.summary, /Free cancellation until 14 days before arrival/);
    assert.doesNotMatch(JSON.stringify(properties), /private|@|0987654321|Rua do Cais/);
    const pictures = await Promise.all(first.images.map(({ url }) => fetch(url)));
    assert.deepEqual(
      pictures.map(({ status }) => status),
      first.images.map(() => 200),
    );
  });

  it('tells how many days ahead rooms are booked, from the hotel or the entry', async (t) => {
    const leadDaysOf = async (options: Partial<QloappsOptions>) => {
      const { system } = await setUp(t, options, { minimum_booking_offset: 2 });
      return (await system.catalogue(patient)).properties.map(({ leadDays }) => leadDays);
    };
    assert.deepEqual(await leadDaysOf({}), [2]);
    assert.deepEqual(await leadDaysOf({ preparationDays: 5 }), [5]);
    assert.deepEqual(await leadDaysOf({ preparationDays: 0 }), [0]);
  });

  it('promises refunds only when the owner says that the rules apply', async (t) => {
    const cancellationsOf = async (more: object, freeCancellationDays: number | null = 14) => {
      const { system, emulator } = await setUp(t, { homes: [aHome({ freeCancellationDays })] }, more);
      const { properties } = await system.catalogue(patient);
      const [{ free, refundable }] = properties.map(({ cancellation }) => cancellation) as [
        (typeof properties)[number]['cancellation'],
      ];
      const asked = emulator.requests.some(({ path }) => path.includes('hotel_refund_rules'));
      return { free, refundable: refundable ?? null, asked };
    };
    assert.deepEqual(await cancellationsOf({}), { free: null, refundable: null, asked: false });
    assert.deepEqual(await cancellationsOf({ refund_rules_apply: true }), {
      free: { daysBefore: 14, time: '23:59' },
      refundable: true,
      asked: true,
    });
    const none = { free: null, refundable: false };
    assert.deepEqual(await cancellationsOf({ refund_rules_apply: false }), { ...none, asked: false });
    assert.deepEqual(await cancellationsOf({}, null), { ...none, asked: false });
  });

  it('says that the key may not read the rules that apply', async (t) => {
    const { system } = await setUp(t, { withheld: ['hotel_refund_rules'] }, { refund_rules_apply: true });
    await assert.rejects(
      system.catalogue(patient),
      (error) => failsAs('rejected')(error) && /hotel_refund_rules/.test(String(error)),
    );
  });

  it('does without amenities when the key may not read their names', async (t) => {
    const { system } = await setUp(t, { withheld: ['room_type_features', 'hotel_features'] });
    const { properties, heldBack } = await system.catalogue(patient);
    assert.deepEqual(heldBack, []);
    assert.deepEqual(
      properties.map(({ amenities }) => amenities),
      [null],
    );
  });

  for (const withheld of ['hotels', 'room_types', 'hotel_ari']) {
    it(`says which permission is missing: ${withheld}`, async (t) => {
      const { system } = await setUp(t, { withheld: [withheld] });
      await assert.rejects(
        system.catalogue(patient),
        (error: Error) =>
          failsAs('rejected')(error) &&
          error.message.includes('api_key of the account harbour') &&
          error.message.includes(withheld),
      );
    });
  }

  it('prices all room types of a hotel with one call, to the cent, and the lines add up', async (t) => {
    const homes = Array.from({ length: 30 }, (_, index) =>
      aHome({
        id: index + 1,
        nightlyPrice: (text) => 99_99 + Number(text.slice(-2)) + index,
        taxPercent: 7,
        ...anyLength,
      }),
    );
    const { system, emulator } = await setUp(t, { homes });
    await system.catalogue(patient);
    const before = emulator.requests.length;
    const references = homes.map(({ id }) => emulator.referenceOf(id));
    const outcomes = await system.quote({ references, ...stay }, patient);
    assert.equal(emulator.requests.length - before, 1);
    for (const [index, outcome] of outcomes.entries()) {
      const price = emulator.priceOf(index + 1, formatDay(stay.checkIn), formatDay(stay.checkOut), 2);
      assert.ok(outcome.kind === 'quoted' && 'total' in price, JSON.stringify([outcome, price]));
      assert.equal(outcome.quote.total, price.total);
      assert.deepEqual(
        outcome.quote.lines.map(({ label }) => label),
        ['Stay', 'Tax'],
      );
      assert.equal(
        outcome.quote.lines.reduce((sum, { amount }) => sum + amount, 0),
        price.total,
      );
    }
  });

  it('offers a room type while one of its equal rooms is free', async (t) => {
    const homes = [aHome(anyLength)];
    const { system, emulator, reference } = await setUp(t, { homes, roomsOfEach: 2 });
    await system.catalogue(patient);
    const freeNights = async () => {
      const reading = (await system.calendars([reference], horizon, patient)).get(reference);
      assert.ok(reading?.kind === 'valid', JSON.stringify(reading));
      return [...reading.value.available].reduce((sum, free) => sum + free, 0);
    };
    const ask = async () => kindOf((await system.quote({ references: [reference], ...stay }, patient))[0]);
    emulator.book(1, formatDay(stay.checkIn), formatDay(stay.checkOut));
    assert.deepEqual([await ask(), await freeNights()], ['quoted', 60]);
    emulator.book(1, formatDay(stay.checkIn), formatDay(stay.checkOut));
    assert.deepEqual([await ask(), await freeNights()], ['unavailable', 57]);
  });

  it('refuses a stay that is too short as one that is not offered, because the nights are free', async (t) => {
    const { system, reference } = await setUp(t);
    await system.catalogue(patient);
    const asked = { ...stay, checkOut: stay.checkIn + 1 };
    assert.deepEqual(await system.quote({ references: [reference], ...asked }, patient), [
      { kind: 'unavailable', reference, reason: 'not_offered' },
    ]);
  });

  it('offers nothing after the last day for which the website takes bookings', async (t) => {
    const { system, reference, emulator } = await setUp(t, {}, { last_booking_date: '2027-03-17' });
    await system.catalogue(patient);
    const reading = (await system.calendars([reference], horizon, patient)).get(reference);
    assert.ok(reading?.kind === 'valid');
    assert.equal(reading.value.available.lastIndexOf(1), 6);
    const before = emulator.requests.length;
    assert.deepEqual(await system.quote({ references: [reference], ...stay }, patient), [
      { kind: 'unavailable', reference, reason: 'not_offered' },
    ]);
    assert.equal(emulator.requests.length, before);
  });

  it('reads the other nights when QloApps stumbles over one of them', async (t) => {
    const { emulator, connect, reference } = await setUp(t, { homes: [aHome(anyLength)] });
    const stumblesOver = '2027-03-27';
    const between = await stumblingProxy(emulator.url, stumblesOver);
    t.after(() => between.close());
    emulator.book(1, '2027-03-12', '2027-03-14');
    const entryOfProxy = { ...entry, url: between.url, pictures_url: emulator.url };
    const system = connect({ entry: entryOfProxy });
    await system.catalogue(patient);
    const calendarOf = async () => (await system.calendars([reference], horizon, patient)).get(reference);
    const stumbled = await calendarOf();
    const honest = (await connect().calendars([reference], horizon, patient)).get(reference);
    assert.ok(honest?.kind === 'valid');
    assert.deepEqual(stumbled, honest);
    assert.ok(between.requests.length < 30, `${between.requests.length} requests`);
  });

  const OUTCOMES: Readonly<Record<FaultKind, FailureKind>> = {
    slow: 'timeout',
    error_500: 'server_error',
    truncated_json: 'garbled',
    wrong_types: 'garbled',
    html_error_page: 'garbled',
    redirect: 'garbled',
    oversized: 'too_large',
    drip_fed: 'timeout',
    expired_token: 'rejected',
    empty_body: 'garbled',
    connection_reset: 'unreachable',
    rate_limited: 'rate_limited',
  };
  for (const [fault, expected] of Object.entries(OUTCOMES)) {
    it(`answers ${expected} when the price of a stay has the fault ${fault}`, async (t) => {
      const { system, emulator, reference } = await setUp(t, {}, { timeout_ms: 800 });
      await system.catalogue(patient);
      emulator.setFault(fault as FaultKind, 'quote');
      const [outcome] = await system.quote({ references: [reference], ...stay }, patient);
      assert.equal(kindOf(outcome), expected);
      assert.equal(emulator.redirectFollowed(), false);
    });
  }

  it('fails as a whole when no room type or calendar can be read', async (t) => {
    const { system, emulator, reference } = await setUp(t);
    await system.catalogue(patient);
    for (const [fault, kind] of [
      ['error_500', 'server_error'],
      ['truncated_json', 'garbled'],
      ['wrong_types', 'garbled'],
      ['html_error_page', 'garbled'],
      ['expired_token', 'rejected'],
    ] as const) {
      emulator.setFault(fault);
      await assert.rejects(system.catalogue(patient), failsAs(kind), fault);
      emulator.setFault(fault);
      await assert.rejects(system.calendars([reference], horizon, patient), failsAs(kind), fault);
    }
  });

  it('knows its room types after a restart', async (t) => {
    const disk = new Map();
    const { connect, emulator, reference } = await setUp(t);
    const first = connect({ disk });
    await first.catalogue(patient);
    await first.close();
    const before = emulator.requests.length;
    const [outcome] = await connect({ disk }).quote({ references: [reference], ...stay }, patient);
    assert.equal(outcome?.kind, 'quoted');
    assert.equal(emulator.requests.length - before, 1);
  });

  it('never sends more than the account is allowed in a burst', async (t) => {
    const limits = [{ requests: 20, perMs: 1000 }];
    const { connect, emulator, reference } = await setUp(t, { limits });
    const system = connect({ entry: { rate_limits: [{ requests: 20, seconds: 1 }], timeout_ms: 3000 } });
    await system.catalogue(patient);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => system.quote({ references: [reference], ...stay }, patient)),
    );
    assert.deepEqual([emulator.budget.exceeded, emulator.budget.refused], [0, 0]);
    assert.ok(outcomes.flat().every(({ kind }) => kind === 'quoted'));
  });
});
