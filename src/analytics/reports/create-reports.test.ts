import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { activityWith, type Counted } from '../../../test/support/counted.ts';
import { createOutcomesInMemory } from '../../../test/support/outcomes-in-memory.ts';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';
import { formatDay } from '../../stay/day.ts';
import type { OperatorHealth } from '../../sync/operator-controls.ts';
import { sampleOutcome } from '../bookings/booking-outcomes.contract.ts';
import { MEASURES } from '../count.ts';
import { createReports } from './create-reports.ts';
import { type Cell, REPORT_IDS, type Report, type ReportedAssistant, type ReportId } from './report.ts';

const now = Date.UTC(2026, 10, 17, 11, 20, 5);
const today = Math.floor(now / 86_400_000);
const network = sampleNetwork(['hearthlane', 'casas']);
const DAYS = { from: formatDay(today - 1), to: formatDay(today), brand: null };

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

async function reportsOf(counted: readonly Counted[], bookings: readonly BookingOutcome[] = []) {
  const outcomes = createOutcomesInMemory();
  await outcomes.put(bookings);
  return createReports({
    ...{ activity: await activityWith(counted), outcomes, network, sessionMinutes: 30 },
    health: async () => health,
    assistants: () => registered,
    clock: { now: () => now },
  });
}

/** Yesterday and today; what happened one millisecond before is in no figure. */
const [yesterday, noon] = [today * 86_400_000 - 86_400_000, today * 86_400_000 - 43_200_000];
const before = yesterday - 1;
const chatgpt = { assistant: 'chatgpt' };
const claude = { assistant: 'claude' };
const [casas, hearthlane] = [{ brand: 'casas' }, { brand: 'hearthlane' }];
const lisbon = { place: 'lisbon-pt' };
const stay = (assistant: string, guests: string, nights: string, lead: string): readonly Counted[] => [
  ['parties', noon, { ...lisbon, facet: guests }],
  ['lengths', noon, { ...lisbon, facet: nights }],
  ['lead_times', noon, { ...lisbon, assistant, facet: lead }],
];

const TWO_DAYS: readonly Counted[] = [
  ['sessions', noon, chatgpt],
  ['standings', noon, { ...chatgpt, facet: 'destination' }],
  ['standings', noon, { ...chatgpt, facet: 'destination' }, -1],
  ['standings', noon, { ...chatgpt, facet: 'completed' }],
  ['times_to_result', noon, { ...chatgpt, facet: '120' }, 1, 90_000],
  ['sessions', yesterday, { ...chatgpt, ...hearthlane }],
  ['standings', yesterday, { ...chatgpt, ...hearthlane, facet: 'destination' }],
  [
    'refusals',
    yesterday,
    { ...chatgpt, ...hearthlane, facet: 'destination', reason: 'destination:not_on_network' },
  ],
  ['sessions', now - 60_000, claude],
  ['standings', now - 60_000, { ...claude, facet: 'check_in_day' }],
  ['refusals', now, { ...claude, facet: 'check_in_day', reason: 'check_in_day:nothing_free' }],
  ['sessions', before, claude],
  ['standings', before, { ...claude, facet: 'guests' }],
  ['wishes', noon, { ...chatgpt, ...lisbon, facet: '2027-05', reason: 'found' }],
  ['wishes', now, { ...claude, ...lisbon, facet: '2027-05', reason: 'nothing_free' }],
  ['wishes', now, { ...chatgpt, ...hearthlane, reason: 'not_on_network' }],
  ['wishes', before, { ...claude, ...lisbon, facet: '2027-05', reason: 'found' }],
  ['missing_places', noon, { ...hearthlane, facet: 'atlantis' }, 3],
  ...stay('chatgpt', '2', '7', '60'),
  ...stay('claude', '4', '31', '3'),
  ['amenities', noon, { ...lisbon, facet: 'pool' }],
  ['searches', noon, { ...chatgpt, ...lisbon, reason: 'compared' }, 1, 1200],
  ['searches', noon, { ...claude, ...lisbon, reason: 'compared' }, 1, 800],
  ['searches', noon, { ...claude, ...lisbon, reason: 'operators_silent' }, 1, 4000],
  ['options', noon, { ...casas, ...chatgpt, ...lisbon, facet: 'first' }],
  ['options', noon, { ...hearthlane, ...chatgpt, ...lisbon, facet: 'other' }],
  ['requests', noon, { ...chatgpt, facet: 'search' }, 1, 1300],
  ['requests', noon, { ...chatgpt, facet: 'search', reason: 'invalid_value' }, 1, 3],
  ['requests', now, { ...claude, facet: 'mcp', reason: 'rate_limited' }, 1, 1],
  ['requests', now, { ...claude, facet: 'auth', reason: 'internal_error' }, 1, 1],
  ['requests', now, { facet: 'auth', reason: 'unknown_caller' }, 1, 1],
  ['prices', noon, { ...casas, reason: 'quoted' }],
  ['prices', noon, { ...casas, reason: 'unavailable' }],
  ['prices', noon, { ...hearthlane, reason: 'quoted' }],
  ['prices', noon, { ...hearthlane, reason: 'timeout' }],
  ['price_calls', noon, { ...casas, facet: '0.5' }, 2, 800],
  ['price_calls', noon, { ...hearthlane, facet: '4' }, 1, 4000],
  ['refused_offers', noon, { ...casas, reason: 'minimum_stay' }],
  ['drifts', noon, { ...casas, facet: '50' }, 1, 30],
  ['readings', noon, { ...casas, reason: 'succeeded' }, 1, 5000],
  ['readings', now, { ...hearthlane, reason: 'timeout' }, 1, 9000],
  ['shed', now, { reason: 'search' }],
];
const BOOKINGS = [
  sampleOutcome('as-quoted', { ...casas, bookedAt: noon, amount: 40_000, quote: QUOTE }),
  sampleOutcome('dearer', { ...casas, bookedAt: now, amount: 44_000, quote: QUOTE }),
  sampleOutcome('cancelled', { ...hearthlane, bookedAt: now, status: 'cancelled' }),
  sampleOutcome('before', { ...casas, bookedAt: yesterday - 1 }),
];

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
      tables: {},
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
        refusals: { 'casas | minimum_stay': { stays: 1, share: 0.5 } },
        drift: { casas: { quotes: 1, mean: 30 } },
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
        refusals: { 'casas | minimum_stay': { stays: 1, share: 0.5 } },
        drift: { casas: { quotes: 1, mean: 30 } },
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
      },
    },
  },
};

describe('the figures of every report', () => {
  for (const id of REPORT_IDS) {
    it(`are what happened on the days asked for: ${id}`, async () => {
      const make = await reportsOf(TWO_DAYS, BOOKINGS);
      for (const brand of [null, 'casas']) {
        assert.deepEqual(
          figuresIn(await make(id, { ...DAYS, brand })),
          EXPECTED[id][brand ?? 'all'],
          brand ?? 'all',
        );
      }
    });
  }

  it('are nothing where nothing was counted, and bring no good news then', async () => {
    const make = await reportsOf([]);
    for (const id of REPORT_IDS) {
      const { tiles, sections } = await make(id, DAYS);
      for (const { id: name, value, unit } of tiles) if (unit === 'share') assert.equal(value, null, name);
      for (const { id: table, whenEmpty, rows } of sections) {
        const isGood = /^Every|failed|refused|turned away/.test(whenEmpty);
        if (rows.length === 0) assert.ok(!isGood && whenEmpty.length > 10, `${id}.${table}`);
      }
    }
    const { sections } = await make('today', { ...DAYS, brand: 'casas' });
    assert.match(sections[0]?.whenEmpty ?? '', /staywire try --source casas$/);
  });

  it('add up, are never negative and have identifiers beside names, whatever was counted and lost', async () => {
    const label = fc.constantFrom(
      '',
      'casas',
      'gone',
      'lisbon-pt',
      'found',
      'completed',
      '2027-05',
      '2',
      '1000',
    );
    const labels = fc.record({ brand: label, assistant: label, place: label, facet: label, reason: label });
    const at = fc.integer({ min: now - 2 * 86_400_000, max: now });
    const amount = fc.integer({ min: -1, max: 9 });
    const one = fc.tuple(fc.constantFrom(...MEASURES), at, labels, amount, amount);
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 60 }), async (counted) => {
        const make = await reportsOf(counted);
        for (const id of REPORT_IDS) {
          const report = await make(id, DAYS);
          const cells = report.sections.flatMap(({ columns, rows, id: table }) =>
            rows.flatMap((row) =>
              columns.map(({ id: name, unit }, nth) => ({
                at: `${table}.${name}`,
                unit,
                value: row[nth] ?? null,
              })),
            ),
          );
          const tiles = report.tiles.map(({ id: name, unit, value }) => ({ at: name, unit, value }));
          for (const { at: where, unit, value } of [...tiles, ...cells]) {
            const isNamed = value !== null && typeof value === 'object';
            if (unit === 'named') assert.ok(isNamed || value === null, where);
            if (typeof value !== 'number' || unit === 'permille') continue;
            assert.ok(value >= 0, `${where} shows ${value}`);
            if (unit === 'share') assert.ok(value <= 1, `${where} shows a share of ${value}`);
          }
        }
        const { tiles, sections } = await make('demand', DAYS);
        const tileOf = (id: string) => tiles.find((tile) => tile.id === id)?.value;
        const places = sections.find(({ id }) => id === 'places');
        const asked = places?.rows.reduce((sum, row) => sum + Number(row[1]), 0);
        assert.equal(asked, tileOf('wishes'));
        assert.equal(Number(tileOf('found')) + Number(tileOf('unmet')), tileOf('wishes'));
      }),
    );
  });

  it('show the places and months that were asked for most, and all others together', async () => {
    const wishes = Array.from({ length: 50 }, (_, place) =>
      Array.from({ length: 40 }, (_, month): Counted => {
        const facet = `20${27 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
        const labels = { place: `place-${place}`, facet, reason: 'nothing_free' };
        return ['wishes', now, labels, 100 - place + (month === 39 ? 1000 : 0)];
      }),
    ).flat();
    const make = await reportsOf([...wishes, ['wishes', now, { reason: 'not_on_network' }, 7]]);
    const { sections } = await make('demand', DAYS);
    const heat = sections.find(({ id }) => id === 'unmet_by_month');
    assert.deepEqual(
      heat?.rows.slice(-2).map(([place]) => place),
      [
        { id: 'other_places', text: 'other places' },
        { id: null, text: 'no known place' },
      ],
    );
    assert.equal(heat?.rows.length, 32);
    const heads = heat?.columns.map(({ id }) => id) ?? [];
    assert.deepEqual([heads.length, ...heads.slice(-3)], [27, '2030-04', 'other_months', 'no_month']);
    const all = heat?.rows
      .flatMap((row) => row.slice(1))
      .reduce<number>((sum, cell) => sum + Number(cell), 0);
    assert.equal(all, wishes.reduce((sum, [, , , count = 1]) => sum + count, 0) + 7);
  });

  it('show names of missing places that three sessions asked for, and say what is hidden', async () => {
    const names = (name: string, count: number): Counted => ['missing_places', now, { facet: name }, count];
    const make = await reportsOf([names('atlantis', 3), names('a person', 2), names('', 5000)]);
    const { sections } = await make('demand', DAYS);
    const table = sections.find(({ id }) => id === 'missing_places');
    assert.deepEqual(table?.rows, [
      ['atlantis', 3],
      ['other names', 5000],
    ]);
    assert.match(table?.note ?? '', /not shown: 1\. “other names” are those beyond the first 200/);
  });

  it('count bookings beyond a page, many of them of one instant', async () => {
    const bookings = Array.from({ length: 2_345 }, (_, at) =>
      sampleOutcome(`R-${at}`, { ...casas, bookedAt: now - (at < 1500 ? 0 : at) }),
    );
    const report = await (await reportsOf([], bookings))('outcomes', DAYS);
    assert.equal(report.tiles[0]?.value, 2_345);
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
