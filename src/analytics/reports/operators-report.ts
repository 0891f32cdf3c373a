import type { OperatorHealth } from '../../sync/operator-controls.ts';
import type { CountedLabels } from '../activity-store.ts';
import {
  addedUp,
  type Counts,
  countOf,
  countsIn,
  meanOf,
  meanTimeOf,
  mostFirst,
  shareOf,
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
  tilesOf,
} from './report.ts';
import { priceCounts, tableOf } from './tables.ts';
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
const NONE_ASKED = 'No price was asked for in this time.';
const NONE_READ = 'No catalogue or calendar was read in this time.';

/** How each operator performs: its readings, its prices, and its refusals. */
export function operatorsReport(facts: OperatorsFacts): Report {
  const { brand, names } = facts;
  const operators = operatorsOf(facts);
  const name = brand === null ? null : names.brand(brand).text;
  return {
    id: 'operators',
    title: name === null ? 'Operators' : `Operator: ${name}`,
    about: `Whether ${name ?? 'each operator'} can be read and asked, how well it answers, and what was held back of its homes.`,
    tiles: operatorTiles(facts),
    sections: [
      stateTable(operators, facts),
      ...priceTables(operators),
      ...readingTables(operators),
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
const NOTES = {
  paused: 'Now: you have taken their homes out of every search.',
  failing:
    'Now: the last reading failed, or prices are not asked for because they fail; paused ones do not count.',
  share_quoted: 'Homes whose operator gave a price, of all homes whose price was asked for.',
  mean_latency: 'Of calls for prices, each for one or several homes.',
  share_refused:
    'Stays that a calendar offered and its operator refused, of all homes whose price was asked for.',
  mean_drift:
    'How far quoted totals were from what the calendars had led to expect, in the mean; the table says what to do where it is far from zero.',
};

/** For one brand its state is in the table, so the numbers of paused and troubled brands are omitted. */
function operatorTiles({ brand, health, counts }: OperatorsFacts): readonly Tile[] {
  const isWhole = brand === null;
  const homes = health.map((one) => one.homes).filter((one) => one !== null);
  const onOffer = homes.length === 0 ? null : homes.reduce((sum, one) => sum + one, 0);
  const isFailing = ({ pausedAt, lastFailure, breaker }: OperatorHealth) =>
    pausedAt === null && (lastFailure !== null || (breaker !== null && breaker !== 'closed'));
  const heldBack = health.reduce((sum, one) => sum + rejectionsOf(one), 0);
  const ofBrands = [
    ['paused', 'Brands paused', health.filter(({ pausedAt }) => pausedAt !== null).length],
    ['failing', 'Brands in trouble', health.filter(isFailing).length],
  ] as const;
  const lastReading = `By the last reading${isWhole ? ' of each brand' : ''}: not on offer until their operator corrects them.`;
  const { asked, share } = priceCounts(counts('prices'));
  return tilesOf(NOTES, [
    ['homes', 'Homes on offer', onOffer, isWhole ? 'Now, of all brands together.' : 'Now, of this brand.'],
    ...(isWhole ? ofBrands : []),
    ['held_back', 'Listings held back', heldBack, lastReading],
    ['share_quoted', 'Prices that came', share],
    ['mean_latency', 'Time of a call, mean', meanTimeOf(addedUp(counts('price_calls')))],
    ['share_refused', 'Refused after all', shareOf(countOf(counts('refused_offers')), asked)],
    ['mean_drift', 'Quoted against expected', meanOf(addedUp(counts('drifts')))],
  ]);
}

/** Counts listings, not rejections: one listing can be rejected for several reasons. */
function rejectionsOf({ rejections, unlistedRejections }: OperatorHealth): number {
  const refused = rejections.filter(({ isRepaired }) => !isRepaired);
  return new Set(refused.map(({ reference }) => reference)).size + unlistedRejections;
}

/** Null if unknown. */
function askedCell({ pausedAt, breaker }: OperatorHealth): NamedCell | null {
  if (pausedAt !== null) return { id: 'paused', text: 'none, paused' };
  if (breaker === null) return null;
  return {
    closed: { id: 'yes', text: 'go through' },
    half_open: { id: 'on_trial', text: 'on trial' },
    open: { id: 'fails', text: 'held back, they fail' },
  }[breaker];
}

function stateTable(
  operators: readonly ReportedOperator[],
  { brand: only, now }: OperatorsFacts,
): ReportTable {
  const labelled = {
    ...{ id: 'Brand', name: 'Name', state: 'State', homes: 'Homes', held_back: 'Held back' },
    ...{ last_read: 'Last read', age: 'Ago', oldest_calendar: 'Age of oldest calendar' },
    ...{ waiting: 'Calendars to read', asked: 'Calls for prices', budget: 'Budget used' },
    ...{ failure: 'Last failure', paused_since: 'Paused since', system: 'System' },
  };
  const all = columns(labelled).map(
    (column): Column => (column.id === 'asked' ? { ...column, unit: 'named' } : column),
  );
  const rows = operators.map(({ id, brand, health }): Cell[] => {
    const state = { id: operatorState(health), text: OPERATOR_STATES[operatorState(health)] };
    if (health === null) return [id, brand.text, state, ...all.slice(3).map(() => null)];
    const { lastReadAt, budget, lastFailure } = health;
    const budgetText =
      budget && `${budget.used} of ${budget.of} in ${formatCell(budget.perSeconds * 1000, 'milliseconds')}`;
    return [
      ...[id, brand.text, state, health.homes, rejectionsOf(health), lastReadAt],
      lastReadAt === null ? null : Math.max(0, now - lastReadAt),
      ...[health.oldestCalendarMs, health.calendarsWaiting, askedCell(health), budgetText],
      lastFailure === null ? null : codeCell(lastFailure),
      health.pausedAt,
      { id: health.system, text: systemName(health.system) },
    ];
  });
  return tableOf('state', only === null ? 'How they are now' : 'How it is now', {}, rows, {
    columns: all,
    note: 'Times are in UTC. Calls for prices are held back for a while after several have failed. Calls and budget are as seen by the node that shows the page; staywire report asks no node, and knows of them only whether the brand is paused.',
    whenEmpty: 'There is no brand on this network yet. Connect one with: staywire connect BRAND',
  });
}

/** A row for each brand and reason, the highest count first within a brand. */
function reasonRows(
  operators: readonly ReportedOperator[],
  rowsOf: (counts: OperatorCounts) => readonly CountedLabels[],
  wholeOf: (counts: OperatorCounts) => number,
): Cell[][] {
  return operators.flatMap(({ brand, counts }) =>
    mostFirst(totalsBy(rowsOf(counts), ({ reason }) => reason)).map(([reason, { count }]) => [
      ...[brand, codeCell(reason), count, shareOf(count, wholeOf(counts))],
    ]),
  );
}

function priceTables(operators: readonly ReportedOperator[]): readonly ReportTable[] {
  const askedOf = (counts: OperatorCounts) => priceCounts(counts('prices')).asked;
  const isAnyAsked = operators.some(({ counts }) => askedOf(counts) > 0);
  const whenEmpty = (goodNews: string) => (isAnyAsked ? goodNews : NONE_ASKED);
  const prices = operators.flatMap(({ brand, counts }): Cell[][] => {
    const { asked, quoted, unavailable, failed, share } = priceCounts(counts('prices'));
    const calls = addedUp(counts('price_calls'));
    if (asked + calls.count === 0) return [];
    return [[brand, asked, quoted, unavailable, failed, share, calls.count, meanTimeOf(calls)]];
  });
  const drifts = operators.flatMap(({ brand, counts }): Cell[][] => {
    const rows = counts('drifts');
    const total = addedUp(rows);
    const exact = countOf(rows.filter(({ facet }) => facet === ALMOST_EXACT));
    return total.count === 0 ? [] : [[brand, total.count, meanOf(total), shareOf(exact, total.count)]];
  });
  return [
    tableOf(
      'prices',
      'Prices',
      {
        ...{ brand: 'Brand', asked: 'Asked', quoted: 'Quoted', unavailable: 'Not available' },
        ...{ failed: 'No answer', share: 'Share quoted', calls: 'Calls', mean_time: 'Mean time' },
      },
      prices,
      {
        note: 'A home counts once for each time its price was asked for; a call asks for one or several homes.',
        whenEmpty: NONE_ASKED,
      },
    ),
    tableOf(
      'failures',
      'Why prices did not come',
      { brand: 'Brand', failure: 'Failure', homes: 'Homes', share: 'Share of asked' },
      reasonRows(
        operators,
        (counts) => counts('prices').filter(({ reason }) => reason !== 'quoted' && reason !== 'unavailable'),
        askedOf,
      ),
      {
        note: 'Homes whose operator gave no usable answer, of all homes of the brand whose price was asked for.',
        whenEmpty: whenEmpty('Every price that was asked for had an answer.'),
      },
    ),
    tableOf(
      'refusals',
      'Refused although the calendar offered it',
      { brand: 'Brand', reason: 'Reason', stays: 'Stays', share: 'Share of asked' },
      reasonRows(operators, (counts) => counts('refused_offers'), askedOf),
      {
        note: 'By what the operator said, of all homes of the brand whose price was asked for: many mean that its calendar is read too late. Equal searches at one moment share a call for prices, and a refusal counts for each of them.',
        whenEmpty: whenEmpty('Nothing that a calendar offered was refused.'),
      },
    ),
    tableOf(
      'drift',
      'Quoted totals against what calendars led to expect',
      { brand: 'Brand', quotes: 'Quotes', mean: 'Mean', share_exact: 'Within 1%' },
      drifts,
      {
        note: 'How much more (+) or less (-) quotes were than the price by which the home was chosen; one that equal searches at one moment shared counts for each of them. Far above zero: the calendars leave out fees or taxes, so dear homes are shown as if they were cheap; ask the operator for nightly prices with everything in them. Far below: its homes seem dearer than they are, and are chosen too seldom.',
        whenEmpty: whenEmpty('No quote could be compared with a price of a calendar.'),
      },
    ),
  ];
}

function readingTables(operators: readonly ReportedOperator[]): readonly ReportTable[] {
  const failedOf = (counts: OperatorCounts) =>
    counts('readings').filter(({ reason }) => reason !== 'succeeded');
  const rows = operators.flatMap(({ brand, counts }): Cell[][] => {
    const readings = addedUp(counts('readings'));
    const failed = countOf(failedOf(counts));
    const succeeded = readings.count - failed;
    const share = shareOf(succeeded, readings.count);
    return readings.count === 0
      ? []
      : [[brand, readings.count, succeeded, failed, share, meanTimeOf(readings)]];
  });
  return [
    tableOf(
      'readings',
      'Readings of catalogues and calendars',
      {
        ...{ brand: 'Brand', readings: 'Readings', succeeded: 'Succeeded', failed: 'Failed' },
        ...{ share: 'Share succeeded', mean_time: 'Mean time' },
      },
      rows,
      {
        note: 'How often a brand was read in this time, and how long it took.',
        whenEmpty: NONE_READ,
      },
    ),
    tableOf(
      'reading_failures',
      'Why readings failed',
      { brand: 'Brand', failure: 'Failure', readings: 'Readings', share: 'Share of readings' },
      reasonRows(operators, failedOf, (counts) => countOf(counts('readings'))),
      {
        note: 'Of all readings of the brand.',
        whenEmpty: rows.length > 0 ? 'No reading failed in this time.' : NONE_READ,
      },
    ),
  ];
}

function rejectionsTable({ brand: only, health, names }: OperatorsFacts): ReportTable {
  const besides = health.reduce((sum, one) => sum + one.unlistedRejections, 0);
  const more = besides > 0 ? ` ${besides.toLocaleString('en')} more were held back and are not listed.` : '';
  const isAnyRead = health.some(({ lastReadAt }) => lastReadAt !== null);
  return tableOf(
    'held_back',
    'Held back, and what to do about it',
    {
      ...{ brand: 'Brand', reference: 'Home', place: 'Where in it', rule: 'Rule' },
      ...{ value: 'What was found', on_offer: 'On offer', remedy: 'What to do' },
    },
    health.flatMap(({ brand, rejections }) =>
      rejections.map(({ reference, field, rule, value, isRepaired, remedy }) => [
        ...[names.brand(brand), reference, { id: field || null, text: field || 'listing' }],
        ...[rule, value, isRepaired ? 'yes' : 'no', remedy],
      ]),
    ),
    {
      note: `By the last reading${only === null ? ' of each brand' : ''}; what is on offer lacks only the part that is named.${more}`,
      whenEmpty: isAnyRead ? 'Nothing is held back.' : 'Nothing was read completely yet.',
    },
  );
}
