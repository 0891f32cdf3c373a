import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import type { CountBatch } from '../../src/analytics/activity-store.ts';
import type { BookingOutcomes } from '../../src/analytics/bookings/booking-outcomes.ts';
import { importOutcomes, readBookingsFile } from '../../src/analytics/bookings/import-outcomes.ts';
import { MEASURES } from '../../src/analytics/count.ts';
import { createReports } from '../../src/analytics/reports/create-reports.ts';
import { REPORT_IDS } from '../../src/analytics/reports/report.ts';
import { AMENITY_LABELS } from '../../src/catalogue/amenities.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import type { ReportedBooking } from '../../src/quotes/booking.ts';
import { BOOKING_MEMBERS } from '../../src/quotes/read-booking.ts';
import { formatDay } from '../../src/stay/day.ts';
import { createMemoryOwnerStore } from '../../src/storage/memory/owner-store.ts';
import type { OperatorHealth } from '../../src/sync/operator-health.ts';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { setConsoleStage } from '../support/console-stage.ts';
import { converse } from '../support/conversation.ts';
import { figuresOnPage, figuresToDraw } from '../support/drawn-figures.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openFaultyStorage } from '../support/faulty-storage.ts';
import { brandEntry, NOON, networkFile, PLACES, property, TODAY } from '../support/network.ts';
import type { PlainActivity } from '../support/plain-activity.ts';
import { createPlainActivityStore, type PlainActivityStore } from '../support/plain-activity-store.ts';
import { BOOKING_MANNERS, type BookingManner, createPlainBookings } from '../support/plain-bookings.ts';
import { createPlainCounts, INVENTED_NAMES, PLACE_OF } from '../support/plain-counts.ts';
import { figuresIn, type PlainFacts, plainFigures } from '../support/plain-reports.ts';
import { type ScriptedOperator, startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';

/** `pauper` may have no search under way, and `gone` is suspended. */
const ASSISTANTS = ['first', 'second', 'pauper'] as const;
const SOURCES = [null, 'acme', 'beta', 'solo'] as const;
const BRANDS = ['acme', 'beta', 'solo'] as const;

/** In Évora it is the next day already while it is noon in UTC. */
const TEST_PLACES = PLACES.map((place) =>
  place.id === 'evora-pt' ? { ...place, time_zone: 'Pacific/Kiritimati' } : place,
);
const TIME_ZONES = Object.fromEntries(TEST_PLACES.map(({ id, time_zone: zone }) => [id, zone]));

type Action =
  | {
      readonly kind: 'open';
      readonly assistant: string;
      readonly source: string | null;
      readonly key: number;
    }
  | {
      readonly kind: 'send';
      readonly session: number;
      readonly values: Record<string, unknown>;
      readonly key: number;
    }
  | { readonly kind: 'read' | 'result'; readonly session: number }
  /** Of one brand, or of all. */
  | { readonly kind: 'operator'; readonly brand: string | null; readonly manner: Manner }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'busy'; readonly session: number }
  | { readonly kind: 'stranger' | 'suspended' | 'page' }
  | { readonly kind: 'pause' | 'resume'; readonly brand: string }
  /** Of all options that were shown so far. */
  | { readonly kind: 'book'; readonly option: number; readonly manner: BookingManner }
  /** Some operators do not name the quote again. */
  | { readonly kind: 'cancel'; readonly booking: number; readonly namesQuote: boolean }
  | { readonly kind: 'store'; readonly fault: PlainActivityStore['fault'] };

type Manner = 'exact' | 'dearer' | 'cheaper' | 'refuses' | 'booked' | 'silent' | 'slow';

const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const dates = fc.constantFrom(
  { check_in_month: '2027-04' },
  { check_in_day: '2027-04-10' },
  { check_in_day: '2027-04-10', check_out: '2027-04-13' },
  { check_in_day: '2027-03-02', check_out: '2027-03-09' },
  { check_in_month: '2027-05', check_in_day: '2027-05-02', check_out: '2027-05-03' },
  { check_in_day: '2027-06-20', check_out: '2027-06-25' },
  // What is not on offer: taken, too short, too far ahead, past, no date.
  { check_in_day: '2027-06-10', check_out: '2027-06-12' },
  { check_in_month: '2027-06', check_in_day: '2027-06-01' },
  { check_in_day: '2029-01-01' },
  { check_in_month: '2031-02' },
  { check_in_day: '2026-01-05' },
  { check_in_day: 'tomorrow' },
  { check_out: '2027-04-11' },
  { check_out: '2027-04-01' },
);

const values = fc
  .tuple(
    fc.option(fc.constantFrom(...Object.keys(PLACE_OF), 'Atlantis', 'São  Tomé 7!', '90210', 'x'), {
      freq: 2,
    }),
    fc.option(dates, { freq: 3 }),
    fc.option(fc.constantFrom('1', '2', '3', '9', 'many'), { freq: 2 }),
    fc.option(fc.boolean(), { freq: 2 }),
    rarely(fc.constantFrom('pool', 'sauna', 'wifi')),
    rarely(fc.constant({ colour: 'blue' })),
  )
  .map(([destination, stay, guests, locked, amenities, unknown]) => ({
    ...(destination === null ? {} : { destination }),
    ...stay,
    ...(guests === null ? {} : { guests }),
    ...(locked === null ? {} : { brand_locked: locked }),
    ...(amenities === null ? {} : { amenities }),
    ...unknown,
  }));

/** Most of a whole stay at once, so that many sessions come to prices. */
const wholeStay = fc
  .tuple(
    fc.constantFrom('lisbon-pt', 'Porto', 'evora-pt', 'portugal'),
    fc.constantFrom(
      { check_in_day: '2027-04-10', check_out: '2027-04-13' },
      // 61 days ahead by UTC and 60 by the calendar of Évora, which are counted apart.
      { check_in_day: '2027-05-01', check_out: '2027-05-07' },
      { check_in_day: '2027-06-20', check_out: '2027-06-25' },
    ),
    fc.constantFrom('1', '2'),
    fc.boolean(),
    fc.boolean(),
    rarely(fc.constantFrom('pool', 'wifi')),
  )
  .map(([destination, stay, guests, brand_locked, isSourced, amenities]) => ({
    destination,
    ...stay,
    guests,
    ...(isSourced ? { brand_locked } : {}),
    ...(amenities === null ? {} : { amenities }),
  }));

const session = fc.nat(5);
const key = fc.nat(3);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      assistant: fc.constantFrom(...ASSISTANTS),
      source: fc.constantFrom(...SOURCES),
      key,
    }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('send' as const), session, values, key }) },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('send' as const), session, values: wholeStay, key }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'result' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('operator' as const),
      brand: fc.constantFrom(...BRANDS, null, null),
      manner: fc.constantFrom<Manner>('exact', 'dearer', 'cheaper', 'refuses', 'booked', 'silent', 'slow'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.nat(15 * 60_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('busy' as const), session }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('stranger' as const, 'suspended' as const, 'page' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('pause' as const, 'resume' as const),
      brand: fc.constantFrom(...BRANDS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('book' as const),
      option: fc.nat(50),
      manner: fc.constantFrom('as_quoted', ...BOOKING_MANNERS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      booking: fc.nat(10),
      namesQuote: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      fault: fc.constantFrom<PlainActivityStore['fault']>('refused', 'answer_lost', null),
    }),
  },
);

/** What is seldom drawn: the same stay again, when every operator has just refused it, and operators that fall silent then. */
const REFUSED_TWICE: readonly Action[] = [
  { kind: 'open', assistant: 'first', source: null, key: 1 },
  { kind: 'open', assistant: 'second', source: 'beta', key: 2 },
  { kind: 'operator', brand: null, manner: 'refuses' },
  ...[0, 1, 1, 0].map((session, key) => ({
    kind: 'send' as const,
    session,
    values: {
      ...(session === 0 ? {} : { brand_locked: false }),
      destination: 'lisbon-pt',
      check_in_day: '2027-04-10',
      check_out: '2027-04-13',
      guests: key % 2 === 0 ? '2' : '9',
    },
    key,
  })),
  { kind: 'send', session: 1, values: { guests: '2' }, key: 9 },
  { kind: 'operator', brand: null, manner: 'exact' },
  { kind: 'send', session: 1, values: { check_out: '2027-04-15' }, key: 10 },
  { kind: 'operator', brand: null, manner: 'silent' },
  { kind: 'send', session: 1, values: { check_out: '2027-04-14' }, key: 11 },
];

/** What is never drawn: one assistant invents more names than are counted of it in a day, and another asks for some of them. */
const INVENTING: readonly Action[] = [
  ...Array.from({ length: 8 }, (_, number) => [
    ...asksFor('first', number, [...INVENTED_NAMES.slice(30 * number, 30 * number + 30), 'Zzap']),
    { kind: 'wait' as const, milliseconds: 14 * 60_000 },
  ]).flat(),
  ...asksFor('second', 8, ['Zzap', ...INVENTED_NAMES.slice(-2)]),
];

/** What is seldom drawn: bookings of every manner, some of the same quote, and the first of them cancelled. */
const BOOKED: readonly Action[] = [
  ...(['first', 'second'] as const).flatMap((assistant, session): readonly Action[] => [
    { kind: 'open', assistant, source: null, key: session },
    {
      kind: 'send',
      session,
      values: {
        destination: session === 0 ? 'lisbon-pt' : 'evora-pt',
        check_in_day: '2027-05-01',
        check_out: '2027-05-07',
        guests: '2',
      },
      key: 1,
    },
  ]),
  ...[...BOOKING_MANNERS, ...BOOKING_MANNERS].flatMap((manner, at): readonly Action[] => [
    { kind: 'book', option: at % 5, manner },
    { kind: 'wait', milliseconds: 7 * 60_000 },
  ]),
  { kind: 'cancel', booking: 0, namesQuote: true },
  { kind: 'cancel', booking: 1, namesQuote: false },
];

/** What is seldom drawn: homes of a brand, of a place and of all brands are paused while sessions ask for them. */
const PAUSED: readonly Action[] = [
  { kind: 'open', assistant: 'first', source: 'acme', key: 1 },
  { kind: 'open', assistant: 'second', source: null, key: 2 },
  { kind: 'open', assistant: 'second', source: 'solo', key: 3 },
  { kind: 'open', assistant: 'first', source: null, key: 4 },
  { kind: 'send', session: 0, values: { brand_locked: true, destination: 'lisbon-pt' }, key: 1 },
  { kind: 'pause', brand: 'acme' },
  { kind: 'send', session: 0, values: { check_in_day: '2027-04-10', colour: 'blue' }, key: 2 },
  { kind: 'send', session: 0, values: { destination: 'Porto', check_in_month: '2031-02' }, key: 3 },
  { kind: 'pause', brand: 'beta' },
  ...[1, 3].map((session) => ({
    kind: 'send' as const,
    session,
    values: { destination: 'evora-pt', check_in_month: '2027-04' },
    key: 1,
  })),
  { kind: 'pause', brand: 'solo' },
  { kind: 'send', session: 1, values: { destination: 'Atlantis', check_in_day: 'tomorrow' }, key: 2 },
  { kind: 'send', session: 2, values: { brand_locked: true, guests: '2' }, key: 1 },
  ...BRANDS.map((brand) => ({ kind: 'resume' as const, brand })),
  ...[0, 1].map((session) => ({
    kind: 'send' as const,
    session,
    values: { destination: 'lisbon-pt', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: '2' },
    key: 4,
  })),
];

function asksFor(assistant: string, session: number, names: readonly string[]): readonly Action[] {
  const [source, scope] = session % 2 === 0 ? [null, {}] : ['acme', { brand_locked: false }];
  return [
    { kind: 'open', assistant, source, key: session },
    ...names.map((destination, key) => ({
      kind: 'send' as const,
      session,
      values: { ...scope, destination },
      key,
    })),
  ];
}

describe('what is counted', () => {
  it('is what a client can count from its requests and their answers, whatever becomes of the store meanwhile', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 25, maxLength: 60 }),
        async (actions: readonly Action[]) => {
          for (const text of await playAndCompare(actions)) seen.add(text);
        },
      ),
      // A world takes a second, so a failure is not made smaller.
      { numRuns: 50, endOnFailure: true, examples: [[REFUSED_TWICE], [INVENTING], [BOOKED], [PAUSED]] },
    );
    const isSeen = (beginning: string, end: string) =>
      seen.values().some((text) => text.startsWith(beginning) && text.endsWith(end));
    for (const measure of MEASURES) assert.ok(isSeen(`${measure} `, ''), `nothing was counted as ${measure}`);
    assert.ok(isSeen('missing_places ', 'facet= reason='), 'no name was beyond those of a day');
    for (const reason of ['compared', 'empty', 'operators_silent', 'just_refused', 'too_many_searches']) {
      assert.ok(isSeen('searches ', `reason=${reason}`), `no search was ${reason}`);
    }
    assert.ok(isSeen('standings ', 'reason=not_on_offer'), 'no session stood before paused homes');
    assert.ok(
      isSeen('standings ', 'reason=destination:not_on_offer'),
      'no session stood before a paused place',
    );
    assert.ok(isSeen('wishes ', 'reason=not_on_offer'), 'nobody wished for paused homes');
    for (const [place, bucket] of [
      ['lisbon-pt', '90'],
      ['evora-pt', '60'],
    ]) {
      assert.ok(isSeen('lead_times ', `place=${place} facet=${bucket} reason=`), `no lead time of ${place}`);
    }
    for (const state of ['brand on offer', 'brand paused'])
      assert.ok(seen.has(state), `no ${state} at the end`);
    for (const manner of [...BOOKING_MANNERS, 'cancelled']) {
      assert.ok(seen.has(`booked ${manner}`), `nothing was booked ${manner}`);
    }
  });

  it('fails no request while neither counts nor sessions can be noted, and is whole afterwards', async (t) => {
    const operator = await startScriptedOperator();
    t.after(() => operator.close());
    operator.properties = [property('a'), property('b')];
    const activity = createPlainActivityStore();
    const storage = await openFaultyStorage();
    const service = await startTestService({
      network: networkFile([brandEntry('acme', operator.origin)]),
      storage,
      activity,
    });
    t.after(() => service.close());
    activity.fault = 'refused';
    storage.faults.noteTallies = new Error('away');
    const conversation = await converse(service);
    for (let time = 0; time < 3; time += 1) {
      const refused = await conversation.send({ destination: 'Atlantis' });
      assert.equal(refused.body.error, 'invalid_value');
      await service.time.pass(70_000);
    }
    await conversation.search();
    assert.deepEqual(activity.totals(), {});
    activity.fault = null;
    delete storage.faults.noteTallies;
    await service.time.pass(2000);
    const counted = Object.keys(activity.totals());
    const standings = counted.filter((text) => text.startsWith('standings '));
    assert.deepEqual(
      standings.map((text) => /facet=.*/.exec(text)?.[0]),
      ['facet=completed reason='],
    );
    assert.equal(counted.filter((text) => text.startsWith('missing_places ')).length, 1);
    assert.ok(service.logLines.some((line) => line.includes('what was counted could not be stored')));
  });
});

/** Every number of every page that the console draws from what was stored, against a plain count over what the client has seen. */
async function comparePages({
  batches,
  outcomes,
  health,
  lived,
  now,
}: {
  readonly batches: readonly CountBatch[];
  /** Bookings that were reported. */
  readonly outcomes: BookingOutcomes;
  /** As the service itself tells it: no client can see it. */
  readonly health: readonly OperatorHealth[];
  readonly lived: PlainActivity;
  readonly now: number;
}): Promise<void> {
  const { activity } = createMemoryOwnerStore();
  for (const batch of batches) await activity.add(batch);
  const facts: PlainFacts = {
    now,
    sessionMinutes: 30,
    registered: readRegistry().assistants,
    health,
    brands: BRANDS,
    names: {
      ...AMENITY_LABELS,
      ...Object.fromEntries(PLACES.map(({ id, name }) => [id, name])),
      ...Object.fromEntries(BRANDS.map((brand) => [brand, `Brand ${brand}`])),
    },
    timeZones: TIME_ZONES,
  };
  const described = describeNetwork(
    networkOf(() => 'http://127.0.0.1:9'),
    { env: {}, directory: '.' },
  );
  assert.ok(described.kind === 'valid');
  const makeReport = createReports({
    activity,
    outcomes,
    network: described.value.network,
    health: async () => health,
    assistants: () => facts.registered,
    sessionMinutes: facts.sessionMinutes,
    clock: { now: () => now },
  });
  const stage = await setConsoleStage({
    makeReport,
    brands: BRANDS.map((id) => ({ id, name: id })),
    clock: createFakeClock(now),
  });
  await stage.signIn();
  const [from, to] = [formatDay(TODAY), formatDay(Math.floor(now / 86_400_000))];
  for (const id of REPORT_IDS) {
    for (const brand of [null, ...BRANDS]) {
      const report = await makeReport(id, { from, to, brand });
      const about = `${id} of ${brand ?? 'all'}`;
      assert.deepEqual(figuresIn(report), plainFigures(id, { from, to, brand }, lived, facts), about);
      const query = new URLSearchParams({ range: 'custom', from, to, ...(brand === null ? {} : { brand }) });
      const page = await stage.get(`/${id}?${query}`);
      assert.deepEqual(figuresOnPage(page.text), figuresToDraw(report), about);
    }
  }
  await stage.app.close();
}

/** Returns the texts of what was counted. */
async function playAndCompare(actions: readonly Action[]): Promise<readonly string[]> {
  const operators = Object.fromEntries(
    await Promise.all(BRANDS.map(async (brand) => [brand, await startScriptedOperator()] as const)),
  );
  const store = createPlainActivityStore();
  const expected = createPlainCounts({ isSingle: { solo: 'porto-pt' }, timeZones: TIME_ZONES });
  operatorOf('acme').properties = [
    property('a1', { amenities: { wifi: 'Wi-Fi' } }),
    property('a2', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
    property('a3', { place: 'porto-pt' }, withoutJune()),
  ];
  operatorOf('beta').properties = [
    property('b1', { max_guests: 2 }),
    property('b2', { place: 'evora-pt' }, withoutJune()),
    property('b3', { place: 'evora-pt', amenities: { pool: 'Pool' } }, withoutJune()),
    // Held back.
    property('b4', { currency: 'USD' }),
  ];
  operatorOf('solo').properties = [property('s1', { place: 'porto-pt', amenities: { wifi: 'Wi-Fi' } })];
  const registry = readRegistry();
  const service = await startTestService({
    network: networkOf((brand) => operatorOf(brand).origin),
    registry,
    activity: store,
    controls: createControlsInMemory(),
    settings: { rateLimit: 100_000 },
  });
  const { outcomes } = createMemoryOwnerStore();
  const bookings = createPlainBookings(BRANDS);
  const booked = new Set<string>();
  for (const brand of BRANDS) expected.read(brand, NOON);
  for (const brand of BRANDS) behave(brand, 'exact');
  const sessions: { readonly token: string; readonly assistant: string }[] = [];
  let wasSilent = false;
  try {
    for (const one of actions) {
      await play(one);
      // The breaker of an operator that is silent must not open: then nobody would see who was asked.
      if (wasSilent) service.time.now += 31_000;
      wasSilent = false;
    }
    store.fault = null;
    await service.flushActivity();
    await service.flushActivity();
    assert.deepEqual(store.totals(), expected.totals());
    const lived = { ...expected.lived(), bookings: bookings.all() };
    const health = await service.operators.health();
    await comparePages({ batches: store.batches(), outcomes, health, lived, now: service.time.now });
    const states = health.map(({ pausedAt }) => (pausedAt === null ? 'brand on offer' : 'brand paused'));
    return [...Object.keys(expected.totals()), ...booked, ...states];
  } finally {
    await service.close();
    await Promise.all(Object.values(operators).map((operator) => operator.close()));
  }

  function operatorOf(brand: string): ScriptedOperator {
    const operator = operators[brand];
    assert.ok(operator);
    return operator;
  }

  function behave(brand: string, manner: Manner): void {
    operatorOf(brand).quote = (reference, request) => {
      const nights = (Date.parse(request.check_out) - Date.parse(request.check_in)) / 86_400_000;
      // Where only one brand has homes, so that nobody else's call takes longer by it.
      if (manner === 'slow' && request.properties[0] === reference && !isInLisbon(reference)) {
        service.time.now += 300;
      }
      const verdict = verdictOf(manner);
      expected.priced(brand, verdict);
      wasSilent ||= verdict.kind === 'none';
      if (verdict.kind === 'none') return null;
      if (verdict.kind === 'unavailable') {
        return { property: reference, status: 'unavailable', reason: verdict.reason };
      }
      const total = ((nights * 50 * (1000 + verdict.drift)) / 1000).toFixed(2);
      return { property: reference, status: 'quoted', currency: request.currency, total };
    };
  }

  /** In a file, as an operator sends it. */
  async function report({
    brand,
    reference,
    nxq,
    status,
    bookedAt,
    ...paid
  }: ReportedBooking): Promise<void> {
    const { now } = service.time;
    const amount = (paid.amount / 100).toFixed(2);
    const line = [reference, nxq ?? '', status, new Date(bookedAt).toISOString(), amount, paid.currency];
    const file = `${BOOKING_MEMBERS}\n${line}\n`;
    const lines = readBookingsFile(Readable.from([Buffer.from(file)]), { file: 'bookings.csv', brand, now });
    const { bookings: taken, faults } = await importOutcomes(lines, {
      ledger: service.storage.sessions,
      outcomes,
      now,
    });
    assert.deepEqual([taken, faults], [1, []]);
  }

  async function play(one: Action): Promise<void> {
    const { time } = service;
    switch (one.kind) {
      case 'open': {
        const headers = { ...as(one.assistant), 'idempotency-key': `open-${one.key}` };
        const startedAt = time.now;
        const answer = await service.post(
          '/ai/v1/auth',
          one.source === null ? {} : { source: one.source },
          headers,
        );
        expected.opened({ ...one, answer, startedAt, now: time.now });
        const isNew = answer.body.session && !sessions.some(({ token }) => token === answer.body.session);
        if (isNew) sessions.push({ token: answer.body.session, assistant: one.assistant });
        return;
      }
      case 'send': {
        const { token, assistant } = sessions[one.session] ?? sessions[0] ?? {};
        if (token === undefined || assistant === undefined) return;
        const startedAt = time.now;
        const answer = await service.post(`/ai/v1/search?session=${token}`, one.values, {
          ...as(assistant),
          'idempotency-key': `step-${one.key}-${JSON.stringify(one.values).length}`,
        });
        expected.sent({ token, assistant, sent: one.values, answer, startedAt, now: time.now });
        bookings.shown({ assistant, body: answer.body, startedAt, now: time.now });
        return;
      }
      case 'read':
      case 'result': {
        const { token, assistant } = sessions[one.session] ?? sessions[0] ?? {};
        if (token === undefined || assistant === undefined) return;
        const operation = one.kind === 'read' ? 'search' : 'result';
        const startedAt = time.now;
        const answer = await service.get(`/ai/v1/${operation}?session=${token}`, as(assistant));
        if (one.kind === 'read') {
          expected.sent({ token, assistant, sent: {}, answer, startedAt, now: time.now });
        } else {
          expected.requested({ assistant, operation: 'readResult', answer, startedAt, now: time.now });
        }
        bookings.shown({ assistant, body: answer.body, startedAt, now: time.now });
        return;
      }
      case 'busy': {
        const { token, assistant } = sessions[one.session] ?? sessions[0] ?? {};
        if (token === undefined || assistant === undefined) return;
        service.load.lagMs = 100_000;
        const answer = await service.post(`/ai/v1/search?session=${token}`, { guests: '2' }, as(assistant));
        service.load.lagMs = 0;
        expected.requested({ assistant, operation: 'search', answer, startedAt: time.now, now: time.now });
        if (answer.body.error === 'overloaded') expected.shed('search', time.now);
        return;
      }
      case 'stranger':
        await service.get('/ai/v1/schema', as('nobody'));
        return expected.refusedCaller({ assistant: '', cause: 'unknown_caller', now: time.now });
      case 'suspended':
        await service.get('/ai/v1/schema', as('gone'));
        return expected.refusedCaller({ assistant: 'gone', cause: 'suspended', now: time.now });
      case 'page':
        return void (await service.get('/healthz', as('first')));
      case 'pause':
      case 'resume':
        await service.operators[one.kind](one.brand);
        // Homes come back in the background.
        return service.time.pass(0);
      case 'book': {
        const booking = bookings.booked(one.option, one.manner, time.now);
        if (!booking) return;
        booked.add(`booked ${one.manner}`);
        return report(booking);
      }
      case 'cancel': {
        const booking = bookings.cancelled(one.booking, time.now);
        if (!booking) return;
        booked.add('booked cancelled');
        return report(one.namesQuote ? booking : { ...booking, nxq: null });
      }
      case 'operator':
        for (const brand of one.brand === null ? BRANDS : [one.brand]) behave(brand, one.manner);
        return;
      case 'wait':
        time.now += one.milliseconds;
        return;
      case 'store':
        store.fault = one.fault;
        await service.flushActivity();
    }
  }
}

const as = (assistant: string) => ({ 'user-agent': `${assistant}-User` });

function readRegistry() {
  const reading = describeAssistantRegistry(
    {
      assistants: [...ASSISTANTS, 'gone'].map((id) => ({
        id,
        name: id,
        status: id === 'gone' ? 'suspended' : 'approved',
        recognised_by: [{ user_agent: `${id}-User`, ranges: ['127.0.0.0/8'] }],
      })),
    },
    () => assert.fail('no file is named'),
  );
  assert.ok(reading.kind === 'valid');
  return {
    assistants: reading.value.assistants.map((one) =>
      one.id === 'pauper' ? { ...one, limits: { searches: 0 } } : one,
    ),
  };
}

function networkOf(originOf: (brand: string) => string) {
  const file = networkFile(
    BRANDS.map((brand) => ({
      ...brandEntry(brand, originOf(brand)),
      ...(brand === 'solo' ? { single_location: 'porto-pt' } : {}),
    })),
  );
  // A brand that is resumed is read when that is due, and no client sees when: within a test it never is.
  return { ...file, places: TEST_PLACES, refresh_seconds: 86_400 };
}

const isInLisbon = (reference: string) => ['a1', 'a2', 'b1'].includes(reference);

function verdictOf(manner: Manner) {
  switch (manner) {
    case 'silent':
      return { kind: 'none' } as const;
    case 'refuses':
      return { kind: 'unavailable', reason: 'minimum_stay' } as const;
    case 'booked':
      return { kind: 'unavailable', reason: 'booked' } as const;
    default:
      return { kind: 'quoted', drift: manner === 'dearer' ? 150 : manner === 'cheaper' ? -40 : 0 } as const;
  }
}

/** Booked from 5 to 15 June, and for at least two nights at a time. */
function withoutJune() {
  const free = { available: true, price: '50.00', minimum_nights: 2 };
  return [
    { from: '2027-02-28', to: '2027-06-04', ...free },
    { from: '2027-06-05', to: '2027-06-15', available: false },
    { from: '2027-06-16', to: '2027-09-15', ...free },
  ];
}
