import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  countsOf,
  NO_ACTIVITY,
  type PlainActivity,
  plainActivityStore,
  plainOutcomes,
  randomActivity,
} from '../../../test/support/plain-activity.ts';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { formatDay } from '../../stay/day.ts';
import type { OperatorHealth } from '../../sync/operator-controls.ts';
import { sampleOutcome } from '../bookings/booking-outcomes.contract.ts';
import { createReports, type ReportSources, shareOutcomes } from './create-reports.ts';
import { type Cell, REPORT_IDS, type Report, type ReportedAssistant, type ReportId } from './report.ts';

const now = Date.UTC(2026, 10, 17, 11, 20, 5);
const today = Math.floor(now / 86_400_000);
const network = sampleNetwork(['hearthlane', 'casas']);

const health: readonly OperatorHealth[] = [
  {
    brand: 'hearthlane',
    name: 'hearthlane',
    system: 'lodgify',
    lastReadAt: now - 90_000,
    lastFailure: null,
    homes: 41,
    oldestCalendarMs: 7_200_000,
    calendarsWaiting: 2,
    breaker: 'half_open',
    pausedAt: null,
    budget: { used: 7, of: 60, perSeconds: 30 },
    rejections: [
      {
        reference: 'H-1',
        field: 'images/0/url',
        rule: 'address_not_https',
        value: 'http://x',
        remedy: 'Serve it.',
        isRepaired: true,
      },
      { reference: 'H-2', field: '', rule: 'over_budget', value: null, remedy: 'Ask.', isRepaired: false },
      { reference: 'H-2', field: 'name', rule: 'empty_text', value: '', remedy: 'Write.', isRepaired: false },
    ],
    unlistedRejections: 3,
  },
  {
    brand: 'casas',
    name: 'casas',
    system: 'open',
    lastReadAt: null,
    lastFailure: 'timeout',
    homes: null,
    oldestCalendarMs: null,
    calendarsWaiting: null,
    breaker: null,
    pausedAt: now - 5000,
    budget: null,
    rejections: [],
    unlistedRejections: 0,
  },
];

const registered: readonly ReportedAssistant[] = [
  { id: 'chatgpt', name: 'ChatGPT', status: 'approved', limits: { requests: 100, megabytes: 5 } },
  { id: 'claude', name: 'Claude', status: 'suspended' },
];

const QUOTE = {
  assistant: 'chatgpt',
  property: 'casas:1',
  place: 'lisbon-pt',
  checkIn: '2026-12-16',
  checkOut: '2026-12-20',
  guests: 2,
  amount: 40_000,
  currency: 'EUR',
  retrievedAt: Date.UTC(2026, 10, 16, 11, 30),
};

const sourcesOf = (activity: PlainActivity): ReportSources => ({
  activity: plainActivityStore(countsOf(activity)),
  outcomes: plainOutcomes(activity.bookings),
  network,
  health: async () => health,
  assistants: () => registered,
  sessionMinutes: 30,
  clock: { now: () => now },
});
const reportsOf = (activity: PlainActivity) => createReports(sourcesOf(activity));

/** Yesterday and today; what happened one millisecond before is in no figure. */
const [yesterday, noon] = [today * 86_400_000 - 86_400_000, today * 86_400_000 - 43_200_000];
const [chatgpt, claude] = ['chatgpt', 'claude'];
const [casas, hearthlane] = ['casas', 'hearthlane'];
const lisbon = 'lisbon-pt';

const TWO_DAYS: PlainActivity = {
  sessions: [
    {
      openedAt: noon,
      brand: '',
      assistant: chatgpt,
      stands: [
        ['destination', ''],
        ['prices', ''],
        ['completed', ''],
      ],
      millisecondsToResult: 90_000,
    },
    {
      openedAt: yesterday,
      brand: hearthlane,
      assistant: chatgpt,
      stands: [
        ['brand_locked', ''],
        ['destination', 'destination:not_on_network'],
      ],
      millisecondsToResult: null,
    },
    {
      openedAt: now - 60_000,
      brand: '',
      assistant: claude,
      stands: [['check_in_day', 'check_in_day:nothing_free']],
      millisecondsToResult: null,
    },
    {
      openedAt: yesterday - 1,
      brand: '',
      assistant: claude,
      stands: [['guests', '']],
      millisecondsToResult: null,
    },
  ],
  wishes: [
    { at: noon, brand: '', assistant: chatgpt, place: lisbon, month: '2027-05', reason: 'found' },
    { at: now, brand: '', assistant: claude, place: lisbon, month: '2027-05', reason: 'nothing_free' },
    { at: now, brand: hearthlane, assistant: chatgpt, place: '', month: '', reason: 'not_on_network' },
    { at: yesterday - 1, brand: '', assistant: claude, place: lisbon, month: '2027-05', reason: 'found' },
  ],
  missing: Array.from({ length: 3 }, () => ({ at: noon, brand: hearthlane, name: 'atlantis' })),
  stays: [
    { at: noon, brand: '', assistant: chatgpt, place: lisbon, guests: 2, nights: 7, leadDays: 45 },
    { at: noon, brand: '', assistant: claude, place: lisbon, guests: 4, nights: 31, leadDays: 3 },
  ],
  amenities: [{ at: noon, brand: '', place: lisbon, amenity: 'pool' }],
  searches: [
    { at: noon, brand: '', assistant: chatgpt, place: lisbon, end: 'compared', milliseconds: 1200 },
    { at: noon, brand: '', assistant: claude, place: lisbon, end: 'compared', milliseconds: 800 },
    { at: noon, brand: '', assistant: claude, place: lisbon, end: 'operators_silent', milliseconds: 4000 },
  ],
  shown: [
    { at: noon, brand: casas, assistant: chatgpt, place: lisbon, isFirst: true },
    { at: noon, brand: hearthlane, assistant: chatgpt, place: lisbon, isFirst: false },
  ],
  requests: [
    { at: noon, assistant: chatgpt, door: 'search', answer: '', milliseconds: 1300 },
    { at: noon, assistant: chatgpt, door: 'search', answer: 'invalid_value', milliseconds: 3 },
    { at: now, assistant: claude, door: 'mcp', answer: 'rate_limited', milliseconds: 1 },
    { at: now, assistant: claude, door: 'auth', answer: 'internal_error', milliseconds: 1 },
    { at: now, assistant: '', door: 'auth', answer: 'unknown_caller', milliseconds: 1 },
  ],
  prices: [
    { at: noon, brand: casas, answer: 'quoted' },
    { at: noon, brand: casas, answer: 'unavailable' },
    { at: noon, brand: hearthlane, answer: 'quoted' },
    { at: noon, brand: hearthlane, answer: 'timeout' },
  ],
  calls: [
    { at: noon, brand: casas, milliseconds: 300 },
    { at: noon, brand: casas, milliseconds: 500 },
    { at: noon, brand: hearthlane, milliseconds: 4000 },
  ],
  refusedOffers: [{ at: noon, brand: casas, reason: 'minimum_stay' }],
  drifts: [{ at: noon, brand: casas, permille: 30 }],
  readings: [
    { at: noon, brand: casas, end: 'succeeded', milliseconds: 5000 },
    { at: now, brand: hearthlane, end: 'timeout', milliseconds: 9000 },
  ],
  shed: [{ at: now, kind: 'search' }],
  bookings: [
    sampleOutcome('as-quoted', { brand: casas, bookedAt: noon, amount: 40_000, quote: QUOTE }),
    sampleOutcome('dearer', { brand: casas, bookedAt: now, amount: 44_000, quote: QUOTE }),
    sampleOutcome('cancelled', { brand: hearthlane, bookedAt: now, status: 'cancelled' }),
    sampleOutcome('before', { brand: casas, bookedAt: yesterday - 1 }),
  ],
};

/** Of all brands, and of one. */
const EXPECTED: Readonly<Record<ReportId, Readonly<Record<string, Figures>>>> = {
  today: {
    all: {
      tiles: {
        sessions: 3,
        completed: 1,
        abandoned: 1,
        open: 1,
        share_completed: 0.3333,
        median_time: 120_000,
        mean_time: 90_000,
        searches: 3,
        share_quoted: 0.5,
        requests: 5,
        mean_request_time: 261.2,
        errors: 1,
        shed: 1,
      },
      tables: {
        periods: {
          '2026-11-16T00:00:00.000Z': { sessions: 1 },
          '2026-11-16T12:00:00.000Z': { sessions: 1, completed: 1, requests: 2 },
          '2026-11-17T11:00:00.000Z': { sessions: 1, requests: 3, errors: 1 },
        },
        funnel: {
          brand_locked: { reached: 3 },
          destination: { reached: 3, stopped: 1, share: 0.3333 },
          check_in_month: { reached: 2 },
          check_in_day: { reached: 2, stopped: 1, share: 0.5 },
          check_out: { reached: 1 },
          guests: { reached: 1 },
          prices: { reached: 1 },
          completed: { reached: 1 },
        },
        refusals: {
          'check_in_day | check_in_day:nothing_free': { answers: 1 },
          'destination | destination:not_on_network': { answers: 1 },
        },
        times: { up_to_120_s: { sessions: 1, share: 1 } },
        prices: {
          casas: { asked: 2, quoted: 1, unavailable: 1, share: 0.5 },
          hearthlane: { asked: 2, quoted: 1, failed: 1, share: 0.5 },
        },
        searches: {
          compared: { searches: 2, share: 0.6667, mean_time: 1000 },
          operators_silent: { searches: 1, share: 0.3333, mean_time: 4000 },
        },
        answers: {
          'null | answered': { requests: 1, share: 0.2 },
          'internal_error | failed': { requests: 1, share: 0.2 },
          'invalid_value | refused': { requests: 1, share: 0.2 },
          'rate_limited | over_limit': { requests: 1, share: 0.2 },
          'unknown_caller | turned_away': { requests: 1, share: 0.2 },
        },
      },
    },
    casas: {
      tiles: { share_quoted: 0.5 },
      tables: { prices: { casas: { asked: 2, quoted: 1, unavailable: 1, share: 0.5 } } },
    },
  },
  demand: {
    all: {
      tiles: { sessions: 3, wishes: 3, found: 1, unmet: 2, share_unmet: 0.6667, stays: 2 },
      tables: {
        unmet: { not_on_network: { wishes: 1, share: 0.5 }, nothing_free: { wishes: 1, share: 0.5 } },
        missing_places: { atlantis: { sessions: 3 } },
        unmet_by_month: { 'lisbon-pt': { '2027-05': 1 }, null: { no_month: 1 } },
        asked_by_month: { 'lisbon-pt': { '2027-05': 2 }, null: { no_month: 1 } },
        months: {
          '2027-05': { asked: 2, share_unmet: 0.5, found: 1, nothing_free: 1 },
          null: { asked: 1, share_unmet: 1, not_on_network: 1 },
        },
        places: {
          'lisbon-pt': { asked: 2, share_unmet: 0.5, found: 1, nothing_free: 1 },
          null: { asked: 1, share_unmet: 1, not_on_network: 1 },
        },
        parties: { '2': { stays: 1, share: 0.5 }, '4': { stays: 1, share: 0.5 } },
        lengths: { '7': { stays: 1, share: 0.5 }, more_than_30: { stays: 1, share: 0.5 } },
        lead_times: { up_to_3_d: { stays: 1, share: 0.5 }, up_to_60_d: { stays: 1, share: 0.5 } },
        amenities: { pool: { sessions: 1 } },
        entries: { null: { sessions: 2, share: 0.6667 }, hearthlane: { sessions: 1, share: 0.3333 } },
      },
    },
    casas: {
      tiles: { shown: 1, first: 1, refused: 1 },
      tables: {
        shown: { 'lisbon-pt': { shown: 1, first: 1, share_first: 1 } },
        refused: { minimum_stay: { stays: 1, share: 1 } },
      },
    },
  },
  operators: {
    all: {
      tiles: {
        homes: 41,
        paused: 1,
        failing: 1,
        held_back: 4,
        share_quoted: 0.5,
        mean_latency: 1600,
        share_refused: 0.25,
        mean_drift: 30,
      },
      tables: {
        state: {
          'hearthlane | hearthlane | prices_on_trial': {
            homes: 41,
            held_back: 4,
            last_read: now - 90_000,
            age: 90_000,
            oldest_calendar: 7_200_000,
            waiting: 2,
            asked: 'on_trial',
            budget: '7 of 60 in 30 s',
            system: 'lodgify',
          },
          'casas | casas | paused': {
            asked: 'paused',
            failure: 'timeout',
            paused_since: now - 5000,
            system: 'open',
          },
        },
        prices: {
          hearthlane: { asked: 2, quoted: 1, failed: 1, share: 0.5, calls: 1, mean_time: 4000 },
          casas: { asked: 2, quoted: 1, unavailable: 1, share: 0.5, calls: 2, mean_time: 400 },
        },
        failures: { 'hearthlane | timeout': { homes: 1, share: 0.5 } },
        latency: { hearthlane: { up_to_4_s: 1 }, casas: { 'up_to_0.5_s': 2 } },
        refusals: { 'casas | minimum_stay': { stays: 1, share: 0.5 } },
        drift: { casas: { quotes: 1, mean: 30, up_to_50: 1 } },
        readings: {
          hearthlane: { readings: 1, failed: 1, mean_time: 9000 },
          casas: { readings: 1, succeeded: 1, share: 1, mean_time: 5000 },
        },
        reading_failures: { 'hearthlane | timeout': { readings: 1, share: 1 } },
        held_back: {
          'hearthlane | H-1 | images/0/url | address_not_https | http://x | yes': { remedy: 'Serve it.' },
          'hearthlane | H-2 | null | over_budget | null | no': { remedy: 'Ask.' },
          'hearthlane | H-2 | name | empty_text |  | no': { remedy: 'Write.' },
        },
      },
    },
    casas: {
      tiles: { share_quoted: 0.5, mean_latency: 400, share_refused: 0.5, mean_drift: 30 },
      tables: {
        state: {
          'casas | casas | paused': {
            asked: 'paused',
            failure: 'timeout',
            paused_since: now - 5000,
            system: 'open',
          },
        },
        prices: { casas: { asked: 2, quoted: 1, unavailable: 1, share: 0.5, calls: 2, mean_time: 400 } },
        latency: { casas: { 'up_to_0.5_s': 2 } },
        refusals: { 'casas | minimum_stay': { stays: 1, share: 0.5 } },
        drift: { casas: { quotes: 1, mean: 30, up_to_50: 1 } },
        readings: { casas: { readings: 1, succeeded: 1, share: 1, mean_time: 5000 } },
      },
    },
  },
  assistants: {
    all: {
      tiles: { approved: 1, sessions: 3, share_completed: 0.3333, over_limit: 1, strangers: 1 },
      tables: {
        assistants: {
          'chatgpt | ChatGPT | approved': {
            sessions: 2,
            completed: 1,
            share_completed: 0.5,
            searches: 1,
            requests: 2,
            values_refused: 1,
            share_refused: 0.5,
          },
          'claude | Claude | suspended': {
            sessions: 1,
            searches: 2,
            requests: 2,
            over_limit: 1,
            errors: 1,
            share_refused: 0.5,
          },
        },
        limits: { chatgpt: { requests: 100, megabytes: 5 } },
        strangers: { unknown_caller: { requests: 1, share: 1 } },
      },
    },
    casas: {
      tiles: {},
      tables: { assistants: { chatgpt: { shown: 1 } } },
    },
  },
  outcomes: {
    all: {
      tiles: {
        bookings: 3,
        known: 2,
        unknown: 1,
        cancelled: 1,
        share_equal: 0.5,
        mean_difference: 50,
        mean_wait: 43_802_500,
      },
      tables: {
        brands: { casas: { bookings: 2, known: 2 }, hearthlane: { bookings: 1, unknown: 1, cancelled: 1 } },
        amounts: { EUR: { bookings: 2, amount: 840, cancelled: 1, cancelled_amount: 123.45 } },
        accuracy: { casas: { compared: 2, equal: 1, share_equal: 0.5, more: 1, mean_difference: 50 } },
        by_assistant: { chatgpt: { stays: 1, bookings: 2, share: 1 }, claude: { stays: 1 } },
        by_place: { 'lisbon-pt': { stays: 2, bookings: 2, share: 1 } },
        by_lead_time: { up_to_3_d: { stays: 1 }, up_to_30_d: { bookings: 2 }, up_to_60_d: { stays: 1 } },
        waits: { up_to_1_h: { bookings: 1, share: 0.5 }, up_to_24_h: { bookings: 1, share: 0.5 } },
      },
    },
    casas: {
      tiles: { bookings: 2, known: 2, share_equal: 0.5, mean_difference: 50, mean_wait: 43_802_500 },
      tables: {
        brands: { casas: { bookings: 2, known: 2 } },
        amounts: { EUR: { bookings: 2, amount: 840 } },
        accuracy: { casas: { compared: 2, equal: 1, share_equal: 0.5, more: 1, mean_difference: 50 } },
        by_assistant: { chatgpt: { bookings: 2 } },
        by_place: { 'lisbon-pt': { bookings: 2 } },
        by_lead_time: { up_to_30_d: { bookings: 2 } },
        waits: { up_to_1_h: { bookings: 1, share: 0.5 }, up_to_24_h: { bookings: 1, share: 0.5 } },
      },
    },
  },
};

describe('the figures of every report', () => {
  const days = { from: formatDay(today - 1), to: formatDay(today) };
  for (const id of REPORT_IDS) {
    it(`are what happened on the days asked for: ${id}`, async () => {
      for (const brand of [null, casas]) {
        const report = await reportsOf(TWO_DAYS)(id, { ...days, brand });
        assert.deepEqual(figuresIn(report), EXPECTED[id][brand ?? 'all'], brand ?? 'all');
      }
    });
  }

  it('are nothing, and no share of it, where nothing was counted', async () => {
    for (const id of REPORT_IDS) {
      const report = await reportsOf(NO_ACTIVITY)(id, { ...days, brand: null });
      for (const { id: tile, value, unit } of report.tiles)
        if (unit === 'share') assert.equal(value, null, tile);
      for (const { id: section, whenEmpty, rows, columns } of report.sections) {
        assert.ok(whenEmpty.length > 10, section);
        for (const row of rows) assert.equal(row.length, columns.length);
      }
    }
  });

  it('has an identifier wherever people read a name', async () => {
    await fc.assert(
      fc.asyncProperty(randomActivity(now, 1), fc.constantFrom(...REPORT_IDS), async (activity, id) => {
        const wanted = { from: formatDay(today - 1), to: formatDay(today), brand: null };
        for (const { id: table, columns, rows } of (await reportsOf(activity)(id, wanted)).sections) {
          for (const [at, { id: column, unit }] of columns.entries()) {
            for (const row of rows) {
              const isNamed = row[at] !== null && typeof row[at] === 'object';
              if (unit === 'named') assert.ok(isNamed || row[at] === null, `${table}.${column}`);
              else assert.ok(!isNamed || unit === 'month', `${table}.${column}`);
            }
          }
        }
      }),
    );
  });

  it('counts bookings beyond a page, many of them of one instant', async () => {
    const [one] = fc.sample(
      randomActivity(now, 1).filter(({ bookings }) => bookings.length > 0),
      1,
    );
    const booking = one?.bookings[0];
    assert.ok(booking);
    const bookings = Array.from({ length: 12_345 }, (_, at) => ({
      ...booking,
      reference: `R-${at}`,
      bookedAt: now - (at < 8000 ? 0 : at),
    }));
    const wanted = { from: formatDay(today - 1), to: formatDay(today), brand: null };
    const report = await reportsOf({ ...NO_ACTIVITY, bookings })('outcomes', wanted);
    assert.equal(report.tiles[0]?.value, 12_345);
  });

  it('reads each booking once, also where all are of one instant, and lets others go on between pages', async () => {
    const bookings = Array.from({ length: 4_321 }, (_, at) =>
      sampleOutcome(`R-${at}`, { brand: 'casas', bookedAt: now }),
    );
    const { read } = plainOutcomes(bookings);
    const [pages, turns]: [number[], number[]] = [[], []];
    let turn = 0;
    const turning = setInterval(() => {
      turn += 1;
    });
    const make = createReports({
      ...sourcesOf(NO_ACTIVITY),
      outcomes: {
        async read(question) {
          const page = await read(question);
          pages.push(page.length);
          turns.push(turn);
          // As long as a page takes that is copied from another thread.
          for (const end = performance.now() + 2; performance.now() < end; );
          return page;
        },
      },
    });
    const report = await make('outcomes', { from: formatDay(today), to: formatDay(today), brand: null });
    clearInterval(turning);
    assert.equal(report.tiles[0]?.value, 4_321);
    assert.equal(
      pages.reduce((sum, length) => sum + length, 0),
      4_321,
    );
    assert.equal(new Set(turns).size, pages.length, 'timers run between any two pages');
    assert.ok(Math.max(...pages) <= 1_000);
  });

  it('is never negative, whatever a crash has lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomActivity(now, 3),
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom(...REPORT_IDS),
        async (activity, isKept, id) => {
          const counts = countsOf(activity).filter(() => isKept.next().value);
          const report = await createReports({
            activity: plainActivityStore(counts),
            outcomes: plainOutcomes(activity.bookings),
            network,
            health: async () => health,
            assistants: () => registered,
            sessionMinutes: 30,
            clock: { now: () => now },
          })(id, { from: formatDay(today - 3), to: formatDay(today), brand: null });
          for (const { value, unit, id: tile } of report.tiles) check(value, unit, tile);
          for (const { columns, rows, id: table } of report.sections)
            for (const row of rows)
              for (const [at, { unit }] of columns.entries()) check(row[at], unit, table);
        },
      ),
    );

    function check(value: unknown, unit: string, where: string): void {
      if (typeof value !== 'number' || unit === 'permille') return;
      assert.ok(value >= 0, `${where} shows ${value}`);
      if (unit === 'share') assert.ok(value <= 1, `${where} shows a share of ${value}`);
    }
  });
});

const RANGE = { from: '2026-11-16', to: '2026-11-17', brand: null };

function aStage() {
  const clock = createFakeClock(0);
  const made: { readonly id: ReportId; readonly end: PromiseWithResolvers<Report> }[] = [];
  const make = shareOutcomes((id) => {
    const end = Promise.withResolvers<Report>();
    made.push({ id, end });
    return end.promise;
  }, clock);
  const finish = (at: number) =>
    made[at]?.end.resolve({ id: 'outcomes', title: String(at), about: '', tiles: [], sections: [] });
  return { clock, made, make, finish };
}

describe('the outcomes of a range', () => {
  it('are read once for all who ask while they are read, and for five seconds after it', async () => {
    const { clock, made, make, finish } = aStage();
    const asked = [make('outcomes', RANGE)];
    await clock.advance(60_000);
    asked.push(make('outcomes', RANGE));
    finish(0);
    await Promise.all(asked);
    await clock.advance(4_999);
    asked.push(make('outcomes', RANGE));
    assert.equal(new Set(await Promise.all(asked)).size, 1);
    assert.equal(made.length, 1);
    await clock.advance(1);
    const later = make('outcomes', RANGE);
    finish(1);
    assert.equal((await later).title, '1');
  });

  it('are read for each range and brand', () => {
    const { made, make } = aStage();
    for (const range of [RANGE, { ...RANGE, from: '2026-11-17' }, { ...RANGE, brand: 'casas' }])
      void make('outcomes', range);
    assert.equal(made.length, 3);
  });

  it('are read again after a failure', async () => {
    const { made, make, finish } = aStage();
    const failed = make('outcomes', RANGE);
    made[0]?.end.reject(new Error('away'));
    await assert.rejects(failed, /away/);
    const again = make('outcomes', RANGE);
    finish(1);
    assert.equal((await again).title, '1');
  });

  it('are the only report that is shared: the others show what the owner has just done', () => {
    const { made, make } = aStage();
    for (const id of ['operators', 'operators', 'assistants', 'assistants'] as const) void make(id, RANGE);
    assert.equal(made.length, 4);
  });
});

type Figures = {
  readonly tiles: Readonly<Record<string, Cell>>;
  readonly tables: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Cell>>>>>>;
};

/** By the identifiers of tiles, of rows and of columns. Zeros, and empty cells, rows and tables are left out. */
function figuresIn({ tiles, sections }: Report): Figures {
  const heads = ['text', 'named', 'instant', 'day', 'month'];
  return {
    tiles: filled(tiles.map(({ id, value }) => [id, value])),
    tables: filled(
      sections.map(({ id, columns, rows }) => {
        const found = columns.findIndex(({ unit }) => !heads.includes(unit));
        const firstFigure = found < 0 ? columns.length - 1 : found;
        const row = (cells: readonly Cell[]) => [
          cells
            .slice(0, firstFigure)
            .map((cell, at) => nameOf(cell, columns[at]?.unit))
            .join(' | '),
          filled(cells.slice(firstFigure).map((cell, at) => [columns[firstFigure + at]?.id, cell])),
        ];
        return [id, filled(rows.map(row))];
      }),
    ),
  };
}

function nameOf(cell: Cell | undefined, unit: string | undefined): string {
  if (unit === 'instant' && typeof cell === 'number') return new Date(cell).toISOString();
  return String(idOf(cell ?? null));
}

function idOf(cell: unknown): unknown {
  return typeof cell === 'object' && cell !== null && 'id' in cell && 'text' in cell ? cell.id : cell;
}

function filled(entries: readonly (readonly unknown[])[]) {
  const plain = entries.map(([name, value]) => {
    const cell = idOf(value);
    return [name, typeof cell === 'number' ? Math.round(cell * 1e4) / 1e4 : cell];
  });
  return Object.fromEntries(
    plain.filter(
      ([, value]) =>
        value !== null && value !== 0 && !(typeof value === 'object' && Object.keys(value).length === 0),
    ),
  );
}
