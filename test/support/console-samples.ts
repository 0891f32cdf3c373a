import type { Report, ReportId, ReportTable } from '../../src/analytics/reports/report.ts';
import type { IssuedQuote } from '../../src/sessions/quote-ledger.ts';
import type { OperatorHealth } from '../../src/sync/operator-controls.ts';

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.parse('2026-11-17T00:00:00Z');
const MONTHS = ['2026-11', '2026-12', '2027-01', '2027-02', '2027-03', '2027-04', '2027-05'];
/** What an operator or a caller might write to break out of a page. */
export const ODD = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`;

export const SAMPLE_HEALTH: readonly OperatorHealth[] = [
  {
    brand: 'northern',
    name: 'Northern Stays',
    system: 'guesty',
    lastReadAt: MIDNIGHT + 11 * HOUR_MS,
    lastFailure: null,
    homes: 1284,
    oldestCalendarMs: 2.4 * HOUR_MS,
    calendarsWaiting: 12,
    breaker: 'closed',
    pausedAt: null,
    budget: { used: 340, of: 900, perSeconds: 60 },
    rejections: [
      {
        reference: ODD,
        field: 'price',
        rule: 'price_missing',
        value: ODD,
        remedy: 'Give the home a price in the vendor’s calendar.',
        isRepaired: false,
      },
    ],
    unlistedRejections: 3,
  },
  {
    brand: 'southern',
    name: `Southern & Sons ${ODD}`,
    system: 'open',
    lastReadAt: null,
    lastFailure: `the answer began with ${ODD}`,
    homes: 0,
    oldestCalendarMs: null,
    calendarsWaiting: 0,
    breaker: 'open',
    pausedAt: null,
    budget: null,
    rejections: [],
    unlistedRejections: 0,
  },
];

export const SAMPLE_QUOTE: IssuedQuote = {
  nxq: 'nxq_7QwZ4m2rT1',
  session: 'session-of-the-quote' as IssuedQuote['session'],
  assistant: 'claude',
  brand: 'northern',
  property: 'northern_casa-12' as IssuedQuote['property'],
  checkIn: '2027-05-08',
  checkOut: '2027-05-12',
  guests: 2,
  amount: 41_800,
  currency: 'EUR',
  retrievedAt: MIDNIGHT + 9 * HOUR_MS + 12_345,
  validUntil: MIDNIGHT + 10 * HOUR_MS,
  place: 'lisbon-pt',
  details: {
    lines: [
      { label: 'Four nights', amount: 36_000 },
      { label: ODD, amount: 5800 },
    ],
    guarantee: 'at_retrieval',
    deposit: { amount: 20_000, refundable: true },
    dueOnSite: 800,
    cancellation: `Free until a week before. ${ODD}`,
  },
};

/** A report with every kind of table that there is, or one of a day on which nothing happened. */
export function sampleReport(
  id: ReportId,
  {
    isEmpty,
    beyond,
    brand = null,
  }: {
    readonly isEmpty: boolean;
    readonly beyond: number;
    /** The name of the brand of which only the part is shown, which real reports have in their titles. */
    readonly brand?: string | null;
  },
): Report {
  const { title, about } = TITLES[id];
  const whole = { title: brand === null ? title : `${title}: ${brand}`, about };
  if (isEmpty) {
    return {
      ...whole,
      id,
      tiles: [{ id: 'sessions', label: 'Searches begun', value: 0, unit: 'number' }],
      sections: [
        { ...byHour(0), rows: [] },
        { ...WISHES, rows: [] },
      ],
    };
  }
  return {
    ...whole,
    id,
    tiles: [
      { id: 'sessions', label: 'Searches begun', value: 4812 + beyond, unit: 'number' },
      {
        id: 'completed',
        label: 'Completed',
        value: 0.624,
        unit: 'share',
        note: 'of searches whose time is over',
      },
      {
        id: 'time',
        label: 'Time to a result',
        value: 84_000,
        unit: 'milliseconds',
        note: 'half of them take less',
      },
      { id: 'errors', label: 'Errors', value: 3, unit: 'number' },
      { id: 'none', label: 'Price drift', value: null, unit: 'permille', note: 'no quotes yet' },
    ],
    sections: [byHour(beyond), FUNNEL, WISHES, MISSING, id === 'operators' ? HELD_BACK : WIDE],
  };
}

const TITLES: Readonly<Record<ReportId, { readonly title: string; readonly about: string }>> = {
  today: { title: 'Today', about: 'What assistants ask for, where searches stop and what comes of them.' },
  demand: { title: 'Demand', about: 'What was asked for and not found, and why.' },
  operators: {
    title: 'Operators',
    about: 'How each booking system fares, and what it costs travellers when it does not.',
  },
  assistants: { title: 'Assistants', about: 'Who asks, how much, and what they are refused.' },
  outcomes: { title: 'Outcomes', about: 'Bookings that operators reported, against what was quoted.' },
};

function byHour(beyond: number): ReportTable {
  return {
    id: 'by_hour',
    title: 'Searches by the hour',
    note: 'By the hour in which a session was opened.',
    columns: [
      { id: 'hour', label: 'Hour (UTC)', unit: 'instant' },
      { id: 'begun', label: 'Begun', unit: 'number' },
      { id: 'completed', label: 'Completed', unit: 'number' },
    ],
    rows: Array.from({ length: 24 }, (_, hour) => {
      const begun = Math.round(120 + 90 * Math.sin((hour - 6) / 3.8)) + (hour === 23 ? beyond : 0);
      return [MIDNIGHT + hour * HOUR_MS, begun, Math.round(begun * 0.62)];
    }),
    whenEmpty: 'Nobody has searched yet. Approve an assistant, or try a search yourself on the page Try.',
    chart: { kind: 'series', columns: ['begun', 'completed'] },
  };
}

const FUNNEL: ReportTable = {
  id: 'funnel',
  title: 'Where searches stop',
  columns: [
    { id: 'stage', label: 'Stopped at', unit: 'text' },
    { id: 'sessions', label: 'Sessions', unit: 'number' },
    { id: 'share', label: 'Share', unit: 'share' },
    { id: 'reason', label: 'Last refusal', unit: 'text' },
  ],
  rows: [
    ['Destination', 402, 0.2, 'not_on_network'],
    ['Day of arrival', 988, 0.5, 'nothing_free'],
    ['Guests', 120, 0.06, 'party_too_large'],
    ['Prices', 44, 0.02, null],
  ],
  whenEmpty: 'No search has stopped.',
  chart: { kind: 'bars', columns: ['sessions'] },
};

const WISHES: ReportTable = {
  id: 'wishes',
  title: 'Wanted and not found',
  note: 'By place and month of the stay.',
  columns: [
    { id: 'place', label: 'Place', unit: 'text' },
    ...MONTHS.map((month) => ({ id: month, label: month, unit: 'number' as const })),
  ],
  rows: ['Lisbon', 'Porto', 'Faro', 'Évora', ODD].map((place, row) => [
    place,
    // One of hundreds among ones, as it is with a place that everybody misses.
    ...MONTHS.map((_, at) => (row === 4 && at === 0 ? 300 : (row * at * 2) % 90)),
  ]),
  whenEmpty: 'Whatever was asked for was found.',
  chart: { kind: 'heat' },
};

const MISSING: ReportTable = {
  id: 'missing_places',
  title: 'Places that are not on the network',
  columns: [
    { id: 'place', label: 'Place', unit: 'text' },
    { id: 'sessions', label: 'Sessions', unit: 'number' },
  ],
  rows: [
    ['madeira', 210],
    ['=HYPERLINK("http://x")', 99],
  ],
  whenEmpty: 'Every place that was asked for by several is on the network.',
};

const WIDE: ReportTable = {
  id: 'wide',
  title: 'By brand',
  columns: [
    { id: 'brand', label: 'Brand', unit: 'text' },
    ...['asked', 'quoted', 'unavailable', 'timed_out', 'failed', 'refused', 'p50', 'p95', 'drift'].map(
      (id) => ({
        id,
        label: id.replaceAll('_', ' '),
        unit: (id.startsWith('p') ? 'milliseconds' : id === 'drift' ? 'permille' : 'number') as 'number',
      }),
    ),
  ],
  rows: [
    ['Northern Stays', 10_400, 9800, 420, 100, 80, 12, 340, 1900, -12],
    ['Southern & Sons', 7000, 5100, 900, 700, 300, 210, 900, 8000, 34],
  ],
  whenEmpty: 'No prices were asked for.',
};

const HELD_BACK: ReportTable = {
  id: 'held_back',
  title: 'Held-back listings',
  columns: [
    { id: 'brand', label: 'Brand', unit: 'text' },
    { id: 'reference', label: 'Listing', unit: 'text' },
    { id: 'rule', label: 'Rule', unit: 'text' },
    { id: 'value', label: 'Value', unit: 'text' },
    { id: 'remedy', label: 'Remedy', unit: 'text' },
  ],
  rows: [['Northern Stays', ODD, 'price_missing', ODD, 'Give the home a price in the vendor’s calendar.']],
  whenEmpty: 'Nothing is held back.',
};
