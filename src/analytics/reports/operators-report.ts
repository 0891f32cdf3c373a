import type { OperatorHealth } from '../../sync/operator-controls.ts';
import type { CountedLabels } from '../activity-store.ts';
import {
  addedUp,
  type Bands,
  bandCell,
  bandLabels,
  type Counts,
  countOf,
  countsIn,
  DRIFT_BANDS,
  meanOf,
  meanTimeOf,
  mostFirst,
  shareOf,
  TIME_BANDS,
  totalsBy,
} from './counts.ts';
import { formatCell } from './format-cell.ts';
import {
  type Cell,
  type Column,
  columns,
  type NamedCell,
  type Report,
  type ReportNames,
  type ReportTable,
  type Tile,
  tileWith,
} from './report.ts';
import { priceCounts } from './shared-tables.ts';
import { codeCell, systemName } from './words.ts';

const OPERATOR_MEASURES = ['prices', 'price_calls', 'refused_offers', 'drifts', 'readings'] as const;
type OperatorCounts = Counts<(typeof OPERATOR_MEASURES)[number]>;

type OperatorsFacts = {
  readonly names: ReportNames;
  readonly brand: string | null;
  readonly counts: OperatorCounts;
  /** Only of this brand, if one is given. */
  readonly health: readonly OperatorHealth[];
  readonly now: number;
};

/** The bucket of drifts between -1 % and +1 %. */
const ALMOST_EXACT = '10';

/** How each operator performs: its readings, its prices, and its refusals. */
export function operatorsReport(facts: OperatorsFacts): Report {
  const { brand, names } = facts;
  const operators = operatorsOf(facts);
  return {
    id: 'operators',
    title: brand === null ? 'Operators' : `Operator: ${names.brand(brand).text}`,
    about:
      brand === null
        ? 'Whether each operator can be read and asked, how well it answers, and what was held back of its homes.'
        : `Whether ${names.brand(brand).text} can be read and asked, how well it answers, and what was held back of its homes.`,
    tiles: [...stateTiles(facts), ...answerTiles(facts)],
    sections: [
      stateTable(operators, facts),
      pricesTable(operators),
      failuresTable(operators),
      latencyTable(operators),
      refusalsTable(operators),
      driftTable(operators),
      readingsTable(operators),
      readingFailuresTable(operators),
      rejectionsTable(facts),
    ],
  };
}

/** The words for each state, in the table of operators and on their cards. */
export const OPERATOR_STATES = {
  not_on_network: 'not on the network',
  paused: 'paused',
  not_read_yet: 'not read yet',
  cannot_be_read: 'cannot be read',
  prices_fail: 'prices fail',
  last_reading_failed: 'on offer, last reading failed',
  prices_on_trial: 'on offer, prices tried again',
  on_offer: 'on offer',
} as const;

export type OperatorState = keyof typeof OPERATOR_STATES;

/** The most serious state that applies; `null` health is a brand that has left the network. */
export function operatorState(health: OperatorHealth | null): OperatorState {
  if (health === null) return 'not_on_network';
  const { pausedAt, lastReadAt, lastFailure, breaker } = health;
  if (pausedAt !== null) return 'paused';
  if (lastReadAt === null) return lastFailure === null ? 'not_read_yet' : 'cannot_be_read';
  if (breaker === 'open') return 'prices_fail';
  if (lastFailure !== null) return 'last_reading_failed';
  return breaker === 'half_open' ? 'prices_on_trial' : 'on_offer';
}

type ReportedOperator = {
  readonly id: string;
  readonly brand: NamedCell;
  /** Null for a brand with counts that has left the network. */
  readonly health: OperatorHealth | null;
  readonly counts: OperatorCounts;
};

/** Brands of the network in their order, then other brands with counts. */
function operatorsOf({ health, counts, names }: OperatorsFacts): readonly ReportedOperator[] {
  const byBrand = Map.groupBy(OPERATOR_MEASURES.flatMap(counts), ({ brand }) => brand);
  const known = new Map(health.map((one) => [one.brand, one]));
  const gone = [...byBrand.keys()].filter((id) => !known.has(id)).toSorted();
  return [...known.keys(), ...gone].map((id) => ({
    id,
    brand: names.brand(id),
    health: known.get(id) ?? null,
    counts: countsIn(byBrand.get(id) ?? []),
  }));
}

/** The meaning of each figure, shown with it. */
const tile = tileWith({
  paused: 'Now: you have taken their homes out of every search.',
  failing:
    'Now: the last reading failed, or prices are not asked for because they fail; paused ones do not count.',
  share_quoted: 'Homes whose operator gave a price, of all homes whose price was asked for.',
  mean_latency: 'Of calls for prices, each for one or several homes.',
  share_refused:
    'Stays that a calendar offered and its operator refused, of all homes whose price was asked for.',
  mean_drift:
    'How far quoted totals were from what the calendars had led to expect, in the mean; the table says what to do where it is far from zero.',
});

/** For one brand its state is in the table, so the numbers of paused and troubled brands are omitted. */
function stateTiles({ brand, health }: OperatorsFacts): readonly Tile[] {
  const homes = health.map((one) => one.homes).filter((one) => one !== null);
  const isWhole = brand === null;
  return [
    tile(
      'homes',
      'Homes on offer',
      homes.length === 0 ? null : homes.reduce((sum, one) => sum + one, 0),
      isWhole ? 'Now, of all brands together.' : 'Now, of this brand.',
    ),
    ...(isWhole ? brandTiles(health) : []),
    tile(
      'held_back',
      'Listings held back',
      health.reduce((sum, one) => sum + rejectionsOf(one), 0),
      `By the last reading${isWhole ? ' of each brand' : ''}: not on offer until their operator corrects them.`,
    ),
  ];
}

function brandTiles(health: OperatorsFacts['health']): readonly Tile[] {
  return [
    tile('paused', 'Brands paused', health.filter(({ pausedAt }) => pausedAt !== null).length),
    tile('failing', 'Brands in trouble', health.filter(isInTrouble).length),
  ];
}

function answerTiles({ counts }: OperatorsFacts): readonly Tile[] {
  const drifts = counts('drifts');
  const { asked, quoted } = priceCounts(counts('prices'));
  return [
    tile('share_quoted', 'Prices that came', shareOf(quoted, asked)),
    tile('mean_latency', 'Time of a call, mean', meanTimeOf(addedUp(counts('price_calls')))),
    tile('share_refused', 'Refused after all', shareOf(countOf(counts('refused_offers')), asked)),
    tile('mean_drift', 'Quoted against expected', meanOf(addedUp(drifts))),
  ];
}

function isInTrouble({ pausedAt, lastFailure, breaker }: OperatorHealth): boolean {
  return pausedAt === null && (lastFailure !== null || (breaker !== null && breaker !== 'closed'));
}

/** Counts listings, not rejections: one listing can be rejected for several reasons. */
function rejectionsOf({ rejections, unlistedRejections }: OperatorHealth): number {
  const refused = rejections.filter(({ isRepaired }) => !isRepaired);
  return new Set(refused.map(({ reference }) => reference)).size + unlistedRejections;
}

const ASKED_WORDS = {
  yes: 'go through',
  on_trial: 'on trial',
  fails: 'held back, they fail',
  paused: 'none, paused',
} as const;
const ASKED_BY_BREAKER = { closed: 'yes', half_open: 'on_trial', open: 'fails' } as const;

/** Null if unknown. */
function askedOrNot({ pausedAt, breaker }: OperatorHealth): keyof typeof ASKED_WORDS | null {
  if (pausedAt !== null) return 'paused';
  return breaker === null ? null : ASKED_BY_BREAKER[breaker];
}

function stateTable(
  operators: readonly ReportedOperator[],
  { brand: only, now }: OperatorsFacts,
): ReportTable {
  return {
    id: 'state',
    title: only === null ? 'How they are now' : 'How it is now',
    note: 'Times are in UTC. Calls for prices are held back for a while after several have failed. Calls and budget are as seen by the node that shows the page; staywire report asks no node, and knows of them only whether the brand is paused.',
    columns: [
      ...columns({ id: 'Brand', name: 'Name', state: 'State', homes: 'Homes', held_back: 'Held back' }),
      ...columns({ last_read: 'Last read', age: 'Ago', oldest_calendar: 'Age of oldest calendar' }),
      ...columns({ waiting: 'Calendars to read' }),
      { id: 'asked', label: 'Calls for prices', unit: 'named' },
      ...columns({ budget: 'Budget used', failure: 'Last failure', paused_since: 'Paused since' }),
      ...columns({ system: 'System' }),
    ],
    rows: operators.map(({ id, brand, health }): Cell[] => {
      const state = { id: operatorState(health), text: OPERATOR_STATES[operatorState(health)] };
      if (health === null) {
        return [id, brand.text, state, null, null, null, null, null, null, null, null, null, null, null];
      }
      const { lastReadAt, budget, lastFailure } = health;
      const asked = askedOrNot(health);
      return [
        id,
        brand.text,
        state,
        health.homes,
        rejectionsOf(health),
        lastReadAt,
        lastReadAt === null ? null : Math.max(0, now - lastReadAt),
        health.oldestCalendarMs,
        health.calendarsWaiting,
        asked && { id: asked, text: ASKED_WORDS[asked] },
        budget && `${budget.used} of ${budget.of} in ${formatCell(budget.perSeconds * 1000, 'milliseconds')}`,
        lastFailure === null ? null : codeCell(lastFailure),
        health.pausedAt,
        { id: health.system, text: systemName(health.system) },
      ];
    }),
    whenEmpty: 'There is no brand on this network yet. Connect one with: staywire connect BRAND',
  };
}

function pricesTable(operators: readonly ReportedOperator[]): ReportTable {
  return {
    id: 'prices',
    title: 'Prices',
    note: 'A home counts once for each time its price was asked for; a call asks for one or several homes.',
    columns: columns({
      brand: 'Brand',
      asked: 'Asked',
      quoted: 'Quoted',
      unavailable: 'Not available',
      failed: 'No answer',
      share: 'Share quoted',
      calls: 'Calls',
      mean_time: 'Mean time',
    }),
    rows: operators.flatMap(({ brand, counts }) => {
      const { asked, quoted, unavailable, failed } = priceCounts(counts('prices'));
      const calls = addedUp(counts('price_calls'));
      if (asked + calls.count === 0) return [];
      const share = shareOf(quoted, asked);
      return [[brand, asked, quoted, unavailable, failed, share, calls.count, meanTimeOf(calls)]];
    }),
    whenEmpty: NONE_ASKED,
  };
}

/** A row for each brand and reason, the highest count first within a brand. */
function reasonRows(
  operators: readonly ReportedOperator[],
  rowsOf: (operator: ReportedOperator) => readonly CountedLabels[],
  wholeOf: (operator: ReportedOperator) => number,
): Cell[][] {
  return operators.flatMap((operator) =>
    mostFirst(totalsBy(rowsOf(operator), ({ reason }) => reason)).map(([reason, { count }]) => [
      operator.brand,
      codeCell(reason),
      count,
      shareOf(count, wholeOf(operator)),
    ]),
  );
}

const NONE_ASKED = 'No price was asked for in this time.';
const NONE_READ = 'No catalogue or calendar was read in this time.';

const isAnyAsked = (operators: readonly ReportedOperator[]) => operators.some((one) => askedOf(one) > 0);

const askedOf = ({ counts }: ReportedOperator) => priceCounts(counts('prices')).asked;

function failuresTable(operators: readonly ReportedOperator[]): ReportTable {
  const failures = ({ counts }: ReportedOperator) =>
    counts('prices').filter(({ reason }) => reason !== 'quoted' && reason !== 'unavailable');
  return {
    id: 'failures',
    title: 'Why prices did not come',
    note: 'Homes whose operator gave no usable answer, of all homes of the brand whose price was asked for.',
    columns: columns({ brand: 'Brand', failure: 'Failure', homes: 'Homes', share: 'Share of asked' }),
    rows: reasonRows(operators, failures, askedOf),
    whenEmpty: isAnyAsked(operators) ? 'Every price that was asked for had an answer.' : NONE_ASKED,
  };
}

function bandColumns(bands: Bands): readonly Column[] {
  return bandLabels(bands).map((label) => {
    const { id, text } = bandCell(label, bands);
    return { id: String(id), label: text, unit: 'number' };
  });
}

function latencyTable(operators: readonly ReportedOperator[]): ReportTable {
  const labels = bandLabels(TIME_BANDS);
  return {
    id: 'latency',
    title: 'How long calls for prices took',
    note: 'Calls by the time until the operator had answered, or was given up.',
    columns: [...columns({ brand: 'Brand' }), ...bandColumns(TIME_BANDS)],
    rows: operators.flatMap(({ brand, counts }) => {
      const totals = totalsBy(counts('price_calls'), ({ facet }) => facet);
      return totals.size === 0 ? [] : [[brand, ...labels.map((label) => totals.get(label)?.count ?? 0)]];
    }),
    whenEmpty: NONE_ASKED,
    chart: { kind: 'heat' },
  };
}

function refusalsTable(operators: readonly ReportedOperator[]): ReportTable {
  return {
    id: 'refusals',
    title: 'Refused although the calendar offered it',
    note: 'By what the operator said, of all homes of the brand whose price was asked for: many mean that its calendar is read too late. Equal searches at one moment share a call for prices, and a refusal counts for each of them.',
    columns: columns({ brand: 'Brand', reason: 'Reason', stays: 'Stays', share: 'Share of asked' }),
    rows: reasonRows(operators, ({ counts }) => counts('refused_offers'), askedOf),
    whenEmpty: isAnyAsked(operators) ? 'Nothing that a calendar offered was refused.' : NONE_ASKED,
  };
}

function driftTable(operators: readonly ReportedOperator[]): ReportTable {
  const labels = bandLabels(DRIFT_BANDS);
  return {
    id: 'drift',
    title: 'Quoted totals against what calendars led to expect',
    note: 'Quotes by how much more (+) or less (-) they were than the price by which the home was chosen; one that equal searches at one moment shared counts for each of them. Far above zero: the calendars leave out fees or taxes, so dear homes are shown as if they were cheap; ask the operator for nightly prices with everything in them. Far below: its homes seem dearer than they are, and are chosen too seldom.',
    columns: [
      ...columns({ brand: 'Brand', quotes: 'Quotes', mean: 'Mean', share_exact: 'Within 1%' }),
      ...bandColumns(DRIFT_BANDS),
    ],
    rows: operators.flatMap(({ brand, counts }): Cell[][] => {
      const drifts = counts('drifts');
      const total = addedUp(drifts);
      if (total.count === 0) return [];
      const buckets = totalsBy(drifts, ({ facet }) => facet);
      const inBuckets = labels.map((label) => buckets.get(label)?.count ?? 0);
      const exact = buckets.get(ALMOST_EXACT)?.count ?? 0;
      return [[brand, total.count, meanOf(total), shareOf(exact, total.count), ...inBuckets]];
    }),
    whenEmpty: isAnyAsked(operators) ? 'No quote could be compared with a price of a calendar.' : NONE_ASKED,
  };
}

function readingsTable(operators: readonly ReportedOperator[]): ReportTable {
  return {
    id: 'readings',
    title: 'Readings of catalogues and calendars',
    note: 'How often a brand was read in this time, and how long it took.',
    columns: columns({
      brand: 'Brand',
      readings: 'Readings',
      succeeded: 'Succeeded',
      failed: 'Failed',
      share: 'Share succeeded',
      mean_time: 'Mean time',
    }),
    rows: operators.flatMap(({ brand, counts }): Cell[][] => {
      const readings = addedUp(counts('readings'));
      if (readings.count === 0) return [];
      const succeeded = countOf(counts('readings').filter(({ reason }) => reason === 'succeeded'));
      const failed = readings.count - succeeded;
      const share = shareOf(succeeded, readings.count);
      return [[brand, readings.count, succeeded, failed, share, meanTimeOf(readings)]];
    }),
    whenEmpty: NONE_READ,
  };
}

function readingFailuresTable(operators: readonly ReportedOperator[]): ReportTable {
  return {
    id: 'reading_failures',
    title: 'Why readings failed',
    note: 'Of all readings of the brand.',
    columns: columns({
      brand: 'Brand',
      failure: 'Failure',
      readings: 'Readings',
      share: 'Share of readings',
    }),
    rows: reasonRows(
      operators,
      ({ counts }) => counts('readings').filter(({ reason }) => reason !== 'succeeded'),
      ({ counts }) => countOf(counts('readings')),
    ),
    whenEmpty: operators.some(({ counts }) => countOf(counts('readings')) > 0)
      ? 'No reading failed in this time.'
      : NONE_READ,
  };
}

function rejectionsTable({ brand: only, health, names }: OperatorsFacts): ReportTable {
  const besides = health.reduce((sum, one) => sum + one.unlistedRejections, 0);
  return {
    id: 'held_back',
    title: 'Held back, and what to do about it',
    note: [
      `By the last reading${only === null ? ' of each brand' : ''}; what is on offer lacks only the part that is named.`,
      ...(besides > 0 ? [`${besides.toLocaleString('en')} more were held back and are not listed.`] : []),
    ].join(' '),
    columns: columns({
      brand: 'Brand',
      reference: 'Home',
      place: 'Where in it',
      rule: 'Rule',
      value: 'What was found',
      on_offer: 'On offer',
      remedy: 'What to do',
    }),
    rows: health.flatMap(({ brand, rejections }) =>
      rejections.map(({ reference, field, rule, value, isRepaired, remedy }) => [
        names.brand(brand),
        reference,
        { id: field || null, text: field || 'listing' },
        rule,
        value,
        isRepaired ? 'yes' : 'no',
        remedy,
      ]),
    ),
    whenEmpty: health.some(({ lastReadAt }) => lastReadAt !== null)
      ? 'Nothing is held back.'
      : 'Nothing was read completely yet.',
  };
}
