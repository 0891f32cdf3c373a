import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  BRANDS,
  countsOf,
  NO_ACTIVITY,
  type PlainActivity,
  plainActivityStore,
  plainOutcomes,
  randomActivity,
} from '../../../test/support/plain-activity.ts';
import { figuresIn, type PlainFacts, plainFigures } from '../../../test/support/plain-reports.ts';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { AMENITY_LABELS } from '../../catalogue/amenities.ts';
import { formatDay } from '../../stay/day.ts';
import type { OperatorHealth } from '../../sync/operator-health.ts';
import { sampleOutcome } from '../bookings/booking-outcomes.contract.ts';
import { createReports, type ReportSources, shareOutcomes } from './create-reports.ts';
import { REPORT_IDS, type Report, type ReportId } from './report.ts';

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

const facts: PlainFacts = {
  now,
  sessionMinutes: 30,
  registered: [
    { id: 'chatgpt', name: 'ChatGPT', status: 'approved', limits: { requests: 100, megabytes: 5 } },
    { id: 'claude', name: 'Claude', status: 'suspended' },
  ],
  health,
  brands: ['hearthlane', 'casas'],
  names: {
    'lisbon-pt': 'Lisbon',
    portugal: 'Portugal',
    chatgpt: 'ChatGPT',
    claude: 'Claude',
    ...AMENITY_LABELS,
  },
  timeZones: { 'lisbon-pt': 'Europe/Lisbon', portugal: 'Europe/Lisbon' },
};

const sourcesOf = (activity: PlainActivity): ReportSources => ({
  activity: plainActivityStore(countsOf(activity)),
  outcomes: plainOutcomes(activity.bookings),
  network,
  health: async () => health,
  assistants: () => facts.registered,
  sessionMinutes: facts.sessionMinutes,
  clock: { now: () => now },
});
const reportsOf = (activity: PlainActivity) => createReports(sourcesOf(activity));

describe('every number of every report', () => {
  const range = (days: number) =>
    fc.tuple(fc.integer({ min: 0, max: days }), fc.integer({ min: 0, max: days })).chain(([one, other]) =>
      fc.record({
        from: fc.constant(formatDay(today - Math.max(one, other))),
        to: fc.constant(formatDay(today - Math.min(one, other) + (other === 0 ? 1 : 0))),
        brand: fc.constantFrom(null, null, ...BRANDS),
      }),
    );
  for (const [days, runs] of [
    [1, 60],
    [5, 60],
    [150, 25],
  ] as const) {
    for (const id of REPORT_IDS) {
      it(`is a plain count over what happened: ${id}, up to ${days} days back`, async () => {
        await fc.assert(
          fc.asyncProperty(randomActivity(now, days), range(days), async (activity, wanted) => {
            const report = await reportsOf(activity)(id, wanted);
            assert.deepEqual(figuresIn(report), plainFigures(id, wanted, activity, facts));
          }),
          { numRuns: runs },
        );
      });
    }
  }

  it('is nothing, and no share of it, where nothing was counted', async () => {
    const wanted = { from: formatDay(today), to: formatDay(today), brand: null };
    for (const id of REPORT_IDS) {
      const report = await reportsOf(NO_ACTIVITY)(id, wanted);
      assert.deepEqual(figuresIn(report), plainFigures(id, wanted, NO_ACTIVITY, facts));
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
    const activity = { ...NO_ACTIVITY, bookings };
    const wanted = { from: formatDay(today - 1), to: formatDay(today), brand: null };
    const report = await reportsOf(activity)('outcomes', wanted);
    assert.deepEqual(figuresIn(report), plainFigures('outcomes', wanted, activity, facts));
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
            assistants: () => facts.registered,
            sessionMinutes: facts.sessionMinutes,
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
