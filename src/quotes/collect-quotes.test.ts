import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { createScriptedSystem, quotedAt, refusedAs } from '../../test/support/scripted-booking-system.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { BookingSystem, QuoteOutcome, QuoteRequest } from './booking-system.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from './collect-quotes.ts';
import { createPriceMemory } from './price-memory.ts';
import type { QuoteSearch } from './quote-search.ts';

const START = 1_800_000_000_000;

/** `sol:1` costs least, then the rest in the order given. */
function searchFor(ids: readonly string[]): QuoteSearch {
  const properties = new Map(
    ids.map((id) => {
      const [brand = '', reference = ''] = id.split(':');
      return [id, sampleProperty({ brand, reference })];
    }),
  );
  return {
    candidates: ids.map((property, position) => ({
      property,
      brand: property.split(':')[0] ?? '',
      place: 'lisbon-pt',
      indicativeTotal: 100 + position,
    })),
    property: (id) => properties.get(id),
    checkIn: 20_000,
    checkOut: 20_003,
    guests: 2,
    currency: 'EUR',
  };
}

function setUp(
  systems: readonly BookingSystem[],
  limits: Partial<typeof DEFAULT_QUOTE_LIMITS> = {},
  pauseSignal?: (brand: string) => AbortSignal,
  prices = createPriceMemory(),
  clock: FakeClock = createFakeClock(START),
) {
  const collectQuotes = createCollectQuotes({
    systems: new Map(systems.map((system) => [system.brand, system])),
    clock,
    ...(pauseSignal ? { pauseSignal } : {}),
    prices,
    // No surplus, unless a test is about it.
    limits: { ...DEFAULT_QUOTE_LIMITS, maxQuotes: 0, ...limits },
    observe: {
      call: () => {},
      breaker: () => {},
      breakdownsNotShown: () => {},
      policiesNotShown: () => {},
      fault: () => {},
    },
  });
  return { clock, collectQuotes };
}

const quotesAll = async ({ references }: QuoteRequest) => references.map((one) => quotedAt(one, 100));
const failsAll = async ({ references }: QuoteRequest) =>
  references.map((reference): QuoteOutcome => ({ kind: 'failed', reference, failure: 'server_error' }));
const hangs = () => new Promise<never>(() => {});
const range = (brand: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${brand}:${at + 1}`);
const ids = (quoted: readonly { readonly property: string }[]) => quoted.map(({ property }) => property);

test('the first twenty are asked at once, one call a brand', async () => {
  const sol = createScriptedSystem('sol', { quote: quotesAll });
  const mar = createScriptedSystem('mar', { quote: quotesAll });
  const { collectQuotes, clock } = setUp([sol, mar]);
  const candidates = range('sol', 30).flatMap((id, at) => [id, `mar:${at + 1}`]);
  const collected = await collectQuotes(searchFor(candidates));
  assert.deepEqual(ids(collected.quoted), candidates.slice(0, 20));
  assert.deepEqual(
    [sol, mar].map(({ quoteCalls }) => quoteCalls.map(({ references }) => references.length)),
    [[10], [10]],
  );
  assert.deepEqual(collected.quoted[0], {
    kind: 'quoted',
    property: 'sol:1',
    brand: 'sol',
    total: 100,
    lines: [],
    linesAvailable: false,
    heldUntil: null,
    retrievedAt: START,
    deposit: null,
    dueOnSite: null,
  });
  assert.deepEqual(collected.coverage, [
    { brand: 'mar', asked: 10, quoted: 10, unavailable: 0, failed: 0, implausible: 0 },
    { brand: 'sol', asked: 10, quoted: 10, unavailable: 0, failed: 0, implausible: 0 },
  ]);
  assert.equal(clock.pendingTimers, 0);
});

const lengthsOf = ({ quoteCalls }: { readonly quoteCalls: readonly QuoteRequest[] }) =>
  quoteCalls.map(({ references }) => references.length);

test('more are priced than shown where an operator prices many in one call', async () => {
  const wide = createScriptedSystem('wide', { quote: quotesAll, limits: { batchSize: 20 } });
  const narrow = createScriptedSystem('narrow', { quote: quotesAll, limits: { batchSize: 1 } });
  const { collectQuotes } = setUp([wide, narrow], { maxOptions: 4, maxQuotes: 30 });
  const candidates = range('wide', 60).flatMap((id, at) => [id, `narrow:${at + 1}`]);
  const { quoted, coverage } = await collectQuotes(searchFor(candidates));
  assert.deepEqual(lengthsOf(wide), [20, 8]);
  assert.deepEqual(lengthsOf(narrow), [1, 1], 'only what the shown places need');
  assert.equal(quoted.length, 30);
  assert.deepEqual(
    coverage.map(({ brand, asked }) => [brand, asked]),
    [
      ['narrow', 2],
      ['wide', 28],
    ],
  );
});

test('a refusal of a fast brand is replaced while a slow brand is still thinking', async () => {
  const slow = createScriptedSystem('slow', {
    quote: async (request) => {
      await new Promise<void>((resolve) => clock.after(3000, resolve));
      return quotesAll(request);
    },
  });
  const fast = createScriptedSystem('fast', {
    quote: async ({ references }) =>
      references.map((one) => (one === '1' ? refusedAs(one, 'minimum_stay') : quotedAt(one, 100))),
  });
  const { collectQuotes, clock } = setUp([slow, fast], { maxOptions: 2 });
  const collected = collectQuotes(searchFor(['fast:1', 'slow:1', 'fast:2', 'fast:3']));
  await clock.advance(1);
  assert.deepEqual(
    fast.quoteCalls.map(({ references }) => references),
    [['1'], ['2']],
  );
  await clock.advance(3000);
  const { quoted, refused } = await collected;
  assert.deepEqual(ids(quoted), ['slow:1', 'fast:2']);
  assert.deepEqual(
    quoted.map(({ retrievedAt }) => retrievedAt - START),
    [3000, 0],
  );
  assert.deepEqual(refused, [{ property: 'fast:1', reason: 'minimum_stay' }]);
});

test('a brand whose call failed is not asked again; others take its places', async () => {
  const down = createScriptedSystem('down', { quote: failsAll });
  const well = createScriptedSystem('well', { quote: quotesAll });
  const { collectQuotes } = setUp([down, well], { maxOptions: 3 });
  const candidates = ['down:1', 'down:2', 'well:1', 'down:3', 'well:2', 'down:4', 'well:3', 'well:4'];
  const { quoted, coverage, everyOperatorFailed } = await collectQuotes(searchFor(candidates));
  assert.deepEqual(ids(quoted), ['well:1', 'well:2', 'well:3']);
  assert.equal(down.quoteCalls.length, 1);
  assert.deepEqual(coverage, [
    { brand: 'down', asked: 2, quoted: 0, unavailable: 0, failed: 2, implausible: 0 },
    { brand: 'well', asked: 3, quoted: 3, unavailable: 0, failed: 0, implausible: 0 },
  ]);
  assert.equal(everyOperatorFailed, false);
});

for (const [how, isSlowFor, answerMs] of [
  ['that hangs for the stays of another', (guests: number) => guests > 2, Number.POSITIVE_INFINITY],
  ['that takes 1.5 s for whatever it is asked', () => true, 1500],
] as const) {
  test(`a caller has the prices of a brand ${how} beside 24 searches of one address`, async () => {
    const after = (milliseconds: number) => answersAfter(() => clock, [milliseconds], quotesAll);
    const slow = createScriptedSystem('slow', {
      quote: (request) => after(isSlowFor(request.guests) ? answerMs : 1000)(request),
    });
    const { clock, collectQuotes } = setUp([slow, createScriptedSystem('quick', { quote: after(10) })], {
      maxOptions: 4,
      maxQuotes: 8,
    });
    let [isOver, stays] = [false, 0];
    const search = (address: string, session: number, guests: number, brands: readonly string[]) => {
      stays += 1;
      const checkIn = 21_000 + stays;
      const homes = brands.flatMap((brand) => range(brand, 8));
      return collectQuotes({
        ...searchFor(homes),
        checkIn,
        checkOut: checkIn + 3,
        guests,
        caller: ['assistant', address, `${session}`],
      });
    };
    await Promise.all([search('modest', 0, 2, ['slow', 'quick']), clock.advance(4000)]);
    const greedy = Array.from({ length: 24 }, async (_, session) => {
      while (!isOver) {
        await search('greedy', session, 3, ['slow']);
        await new Promise<void>((resolve) => clock.after(100, resolve));
      }
    });
    const missed: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await clock.advance(turn * 531);
      const { result } = await timed(clock, search('modest', turn, 2, ['slow', 'quick']));
      if (!result.quoted.some(({ brand }) => brand === 'slow')) missed.push(JSON.stringify(result.failures));
    }
    // One whose calls hang may hold all places for the time of a call.
    assert.ok(missed.length <= 5, `${missed}`);
    isOver = true;
    await clock.advance(60_000);
    await Promise.all(greedy);
    assert.equal(clock.pendingTimers, 0);
  });
}

test('"nobody answered" and "all is taken" and "nothing to ask" are told apart', async () => {
  const down = createScriptedSystem('down', { quote: failsAll });
  const full = createScriptedSystem('full', {
    quote: async ({ references }) => references.map((one) => refusedAs(one)),
  });
  const { collectQuotes } = setUp([down, full]);
  assert.equal((await collectQuotes(searchFor(range('down', 3)))).everyOperatorFailed, true);
  assert.equal((await collectQuotes(searchFor(range('full', 3)))).everyOperatorFailed, false);
  assert.equal((await collectQuotes(searchFor(['down:9', 'full:9']))).everyOperatorFailed, false);
  assert.deepEqual(await collectQuotes(searchFor([])), {
    quoted: [],
    refused: [],
    coverage: [],
    failures: [],
    everyOperatorFailed: false,
    askableAfterMs: 0,
  });
});

test('a search knows when the first of those that gave nothing may be asked again', async () => {
  const rests = { tired: 180_000, weary: 240_000 };
  const resting = (brand: keyof typeof rests) => ({
    ...createScriptedSystem(brand, {
      limits: { keepsBudget: true },
      quote: async ({ references }) =>
        references.map((reference) => ({ kind: 'failed', reference, failure: 'rate_limited' })),
    }),
    restsForMs: () => rests[brand],
  });
  const well = createScriptedSystem('well', { quote: quotesAll });
  const { collectQuotes } = setUp([resting('tired'), resting('weary'), well]);
  const afterMs = async (...candidates: string[]) =>
    (await collectQuotes(searchFor(candidates))).askableAfterMs;
  assert.equal(await afterMs('tired:1', 'weary:1'), 180_000);
  const { failures } = await collectQuotes(searchFor(['tired:1', 'weary:1', 'well:1']));
  assert.deepEqual(
    failures.map(({ brand, askableAfterMs }) => [brand, askableAfterMs]),
    [
      ['tired', 180_000],
      ['weary', 240_000],
    ],
    'each has its own time',
  );
  assert.equal(await afterMs('weary:1', 'well:1'), 240_000, 'the one that answered does not count');
  assert.equal(await afterMs('well:1'), 0);
  rests.weary = 0;
  assert.equal(await afterMs('tired:1', 'weary:1'), 0);
});

test('brands that gave no usable answer are named with the reason, whether for all of their homes or for one', async () => {
  const failing = (brand: string, failures: readonly (FailureKind | null)[]) =>
    createScriptedSystem(brand, {
      quote: async ({ references }) =>
        references.map((reference, index) => {
          const failure = failures[index] ?? null;
          return failure === null ? quotedAt(reference, 100) : { kind: 'failed', reference, failure };
        }),
    });
  const { collectQuotes } = setUp([
    failing('spent', ['rate_limited', 'rate_limited']),
    failing('partly', [null, 'rate_limited']),
    failing('down', ['server_error', 'server_error']),
    failing('well', []),
  ]);
  const candidates = ['spent', 'partly', 'down', 'well'].flatMap((brand) => range(brand, 2));
  const { failures, coverage } = await collectQuotes(searchFor(candidates));
  assert.deepEqual(failures, [
    { brand: 'down', kind: 'server_error', askableAfterMs: 0 },
    { brand: 'partly', kind: 'rate_limited', askableAfterMs: 0 },
    { brand: 'spent', kind: 'rate_limited', askableAfterMs: 0 },
  ]);
  assert.deepEqual(
    coverage.map(({ brand, failed }) => [brand, failed]),
    [
      ['down', 2],
      ['partly', 1],
      ['spent', 2],
      ['well', 0],
    ],
  );
});

test('totals that the other brands disprove teach nothing, and their places go to those brands', async () => {
  const limits = { batchSize: 1 };
  const asks = (total: number) => ({
    limits,
    quote: async ({ references }: QuoteRequest) => references.map((one) => quotedAt(one, total)),
  });
  const honest = ['north', 'south', 'west'];
  const systems = [
    createScriptedSystem('bait', asks(1999)),
    ...honest.map((brand) => createScriptedSystem(brand, asks(10_000))),
  ];
  const prices = createPriceMemory();
  const { collectQuotes } = setUp(systems, { maxOptions: 8 }, undefined, prices);
  const candidates = ['bait', ...honest].flatMap((brand) => range(brand, 6));
  const { quoted, coverage } = await collectQuotes(searchFor(candidates));
  assert.deepEqual(
    coverage.map(({ brand, asked, quoted: given, implausible }) => [brand, asked, given, implausible]),
    [
      ['bait', 2, 0, 2],
      ['north', 3, 3, 0],
      ['south', 3, 3, 0],
      ['west', 2, 2, 0],
    ],
  );
  assert.equal(quoted.length, 8);
  assert.deepEqual([...prices.learned.keys()].sort(), honest);
});

/** The n-th call is answered after the n-th time, and the last of them counts for all that follow. */
function answersAfter(
  clock: () => FakeClock,
  times: readonly number[],
  quote: (request: QuoteRequest) => Promise<readonly QuoteOutcome[]>,
) {
  let calls = 0;
  return async (request: QuoteRequest) => {
    const time = times[Math.min(calls, times.length - 1)] ?? 0;
    calls += 1;
    if (time === Number.POSITIVE_INFINITY) return hangs();
    await new Promise<void>((resolve) => clock().after(time, resolve));
    return quote(request);
  };
}

async function timed<T>(clock: FakeClock, work: Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const startedAt = clock.elapsed();
  let milliseconds = Number.NaN;
  work.then(() => {
    milliseconds = clock.elapsed() - startedAt;
  });
  await clock.advance(8000);
  return { result: await work, milliseconds };
}

test('who listens is told how many brands were asked and how many have answered', async () => {
  const { collectQuotes } = setUp([
    createScriptedSystem('sol', { quote: quotesAll }),
    createScriptedSystem('mar', { quote: failsAll }),
    createScriptedSystem('rio', { quote: quotesAll }),
  ]);
  const told: string[] = [];
  await collectQuotes({
    ...searchFor(['sol:1', 'mar:1', 'sol:2', 'rio:1']),
    onProgress: ({ asked, answered }) => told.push(`${answered}/${asked}`),
  });
  assert.deepEqual(told, ['0/3', '1/3', '2/3', '3/3']);
});

test('a brand that is paused is not asked, and one that is paused meanwhile is left out of all that is told', async () => {
  const pausing = new AbortController();
  const answered = Promise.withResolvers<void>();
  const sol = createScriptedSystem('sol', { quote: quotesAll });
  const mar = createScriptedSystem('mar', {
    quote: async (request) => {
      await answered.promise;
      return quotesAll(request);
    },
  });
  const { collectQuotes, clock } = setUp([sol, mar], {}, (brand) =>
    brand === 'sol' ? pausing.signal : new AbortController().signal,
  );
  const search = searchFor(['sol:1', 'mar:1', 'sol:2', 'mar:2']);
  const collecting = collectQuotes(search);
  await clock.settle();
  pausing.abort();
  answered.resolve();
  const collected = await collecting;
  assert.deepEqual(ids(collected.quoted), ['mar:1', 'mar:2']);
  assert.deepEqual(
    collected.coverage.map(({ brand }) => brand),
    ['mar'],
  );
  assert.deepEqual([collected.failures, collected.everyOperatorFailed], [[], false]);
  const again = await collectQuotes(search);
  assert.deepEqual(ids(again.quoted), ['mar:1', 'mar:2']);
  assert.equal(sol.quoteCalls.length, 1);
  const alone = await collectQuotes(searchFor(['sol:1']));
  assert.deepEqual([alone.quoted, alone.everyOperatorFailed], [[], false], 'no operator was silent');
  assert.equal(clock.pendingTimers, 0);
});

test('where calendars hold no prices, the booking system’s own estimates say which homes are asked for', async () => {
  let estimated = 0;
  const setUpSol = (estimates: NonNullable<BookingSystem['estimates']>, limits = {}) => {
    const sol = createScriptedSystem('sol', { quote: quotesAll, limits: { batchSize: 1 }, estimates });
    return { ...setUp([sol], { maxOptions: 3, ...limits }), sol };
  };
  const unpriced = (count: number): QuoteSearch => {
    const search = searchFor(range('sol', count));
    return { ...search, candidates: search.candidates.map((one) => ({ ...one, indicativeTotal: null })) };
  };
  const cheapestLast = async () => {
    estimated += 1;
    const totals = new Map(range('sol', 60).map((id, at) => [id.slice(4), 1000 - at]));
    return { totals, isWhole: true };
  };
  const chosen = await setUpSol(cheapestLast).collectQuotes(unpriced(60));
  assert.deepEqual(ids(chosen.quoted), ['sol:60', 'sol:59', 'sol:58']);
  assert.equal(estimated, 1);

  await setUpSol(cheapestLast).collectQuotes(unpriced(3));
  assert.equal(estimated, 1, 'all are asked for anyway');
  await setUpSol(cheapestLast).collectQuotes(searchFor(range('sol', 60)));
  assert.equal(estimated, 1, 'the calendars hold prices');

  const isWhole = { totals: new Map([['4', null]] as const), isWhole: true };
  const others = await setUpSol(async () => isWhole).collectQuotes(unpriced(5));
  assert.deepEqual(ids(others.quoted), ['sol:4', 'sol:1', 'sol:2'], 'homes that are not on offer come last');

  const failing = await setUpSol(() => Promise.reject(new Error('no'))).collectQuotes(unpriced(60));
  assert.equal(failing.quoted.length, 3);
  const { collectQuotes, clock } = setUpSol(hangs);
  const waiting = collectQuotes(unpriced(60));
  await clock.advance(2000);
  assert.equal((await waiting).quoted.length, 3);
  assert.equal(clock.pendingTimers, 0);
});
