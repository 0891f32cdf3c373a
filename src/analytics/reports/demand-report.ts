import { AMENITY_LABELS } from '../../catalogue/amenities.ts';
import type { CountedLabels, MostCounted } from '../activity-store.ts';
import type { Labels } from '../count.ts';
import { MAX_NAMES_A_DAY } from '../recorders.ts';
import { type Counts, countOf, LEAD_BANDS, mostFirst, shareOf, type Total, totalsBy } from './counts.ts';
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
import { bandRows, firstSearch, namedRows, sharesTable, tableOf } from './tables.ts';
import { codeCell, wordsFor } from './words.ts';

/** A name with fewer sessions is not shown: it may be one person's text. */
const MIN_SESSIONS_TO_SHOW = 3;
export const MISSING_PLACES_SHOWN = { atLeast: MIN_SESSIONS_TO_SHOW, limit: 100 };
const MAX_PLACES = 30;
const MAX_MONTHS = 24;
/** Longer stays share one row. */
const MAX_NIGHTS = 30;

/** The last two only for one brand. */
type DemandCounts = Counts<
  'sessions' | 'wishes' | 'parties' | 'lengths' | 'lead_times' | 'amenities' | 'options' | 'refused_offers'
>;

type DemandFacts = {
  readonly names: ReportNames;
  /** Limits the report to sessions that came through this brand, and to its homes. */
  readonly brand: string | null;
  readonly counts: DemandCounts;
  /** Names of places that are not on the network. */
  readonly missing: MostCounted;
};

const NO_DEMAND = 'No wish was counted in this time.';
const HEAT_NOTE =
  'Wishes by month of arrival; the 30 places that were asked for most, and all others together.';
const STAYS_NOTE = 'Of stays for which prices were asked, once for each session and stay';

/** What travellers asked for, and which of it they did not find. */
export function demandReport({ names, brand, counts, missing }: DemandFacts): Report {
  const demands = demandsIn(counts('wishes'));
  const unmet = demands.filter(({ reason }) => reason !== 'found');
  // No demand at all is not the same as all demand met.
  const allMet = (whenNone: string) => (countOf(demands) > 0 ? 'Every wish in this time was met.' : whenNone);
  const name = brand === null ? null : names.brand(brand).text;
  return {
    id: 'demand',
    title: name === null ? 'Demand' : `Demand: ${name}`,
    about:
      name === null
        ? 'What travellers asked for, what of it they did not find, and why.'
        : `What travellers asked for who came through ${name}, and how its homes fared in all searches.`,
    tiles: [...demandTiles(demands, unmet, counts), ...(brand === null ? [] : shownTiles(counts))],
    sections: [
      sharesTable(
        'unmet',
        'Why wishes were not met',
        { reason: 'Reason', wishes: 'Wishes' },
        namedRows(unmet, ({ reason }) => reason, codeCell),
        {
          note: 'A session that was refused for several reasons counts at each of them. A misspelt name of a place on the network is no wish: it counts only in Today, among the refusals.',
          whenEmpty: allMet(`${NO_DEMAND} ${firstSearch(brand)}`),
        },
      ),
      missingTable(missing),
      heatTable('unmet_by_month', 'Not found, by place and month of stay', unmet, names, allMet(NO_DEMAND)),
      heatTable('asked_by_month', 'Asked for, by place and month of stay', demands, names, NO_DEMAND),
      fatesTable(
        'months',
        'Wishes by month of arrival',
        { id: 'month', label: 'Month', unit: 'month' },
        demands,
        byMonth(demands),
      ),
      fatesTable(
        'places',
        'Wishes by place',
        { id: 'place', label: 'Place', unit: 'named' },
        demands,
        byPlace(demands, names),
      ),
      ...(brand === null ? [] : [shownTable(counts, names), refusedTable(counts)]),
      ...stayTables(counts),
      amenitiesTable(counts),
      ...(brand === null ? [entriesTable(counts, names)] : []),
    ],
  };
}

type Demands = readonly (Total & Pick<Labels, 'place' | 'facet' | 'reason'>)[];

/** Sums over brands and assistants: far fewer rows, and the report reads them a dozen times. */
function demandsIn(rows: readonly CountedLabels[]): Demands {
  const totals = totalsBy(rows, ({ place, facet, reason }) => `${place}\n${facet}\n${reason}`);
  return [...totals].map(([key, total]) => {
    const [place = '', facet = '', reason = ''] = key.split('\n');
    return { place, facet, reason, ...total };
  });
}

/** The meaning of each figure, shown with it. */
const NOTES = {
  sessions: 'Each is one search of one traveller; it can have no wish yet, or several.',
  wishes:
    'A wish is a place and a month of arrival, counted once for each session and each reason; one that failed first and was found later counts as both.',
  found: 'Wishes that led to at least one home with a price.',
  unmet: 'Wishes that were refused, or for which operators had no home after all.',
  share_unmet: 'Of all wishes.',
  stays: 'A place with dates and guests for which prices were asked, once for each session.',
  shown: 'How often a home of this brand was shown with a price, in the searches of all brands.',
  first: 'How often it was the cheapest of those that were shown.',
  refused: 'Stays that the calendar of a home offered and its operator refused.',
};

function demandTiles(demands: Demands, unmet: Demands, counts: DemandCounts): readonly Tile[] {
  const [asked, notFound] = [countOf(demands), countOf(unmet)];
  return tilesOf(NOTES, [
    ['sessions', 'Sessions opened', countOf(counts('sessions'))],
    ['wishes', 'Wishes', asked],
    ['found', 'Found', asked - notFound],
    ['unmet', 'Not found', notFound],
    ['share_unmet', 'Share not found', shareOf(notFound, asked)],
    ['stays', 'Stays with prices asked', countOf(counts('lead_times'))],
  ]);
}

function shownTiles(counts: DemandCounts): readonly Tile[] {
  const options = counts('options');
  return tilesOf(NOTES, [
    ['shown', 'Homes shown', countOf(options)],
    ['first', 'Shown first', countOf(options.filter(({ facet }) => facet === 'first'))],
    ['refused', 'Refused after all', countOf(counts('refused_offers'))],
  ]);
}

type Group<Head> = { readonly head: Head; readonly rows: Demands };

/** The most requested places, then all others together, then demand without a known place. */
function byPlace(rows: Demands, names: ReportNames): readonly Group<NamedCell>[] {
  const ranked = mostFirst(totalsBy(rows, ({ place }) => place)).map(([place]) => place);
  const shown = ranked.filter((place) => place !== '').slice(0, MAX_PLACES);
  const groups = Map.groupBy(rows, ({ place }) =>
    place === '' || shown.includes(place) ? place : ' others',
  );
  const heads: readonly (readonly [string, NamedCell])[] = [
    ...shown.map((place) => [place, names.place(place)] as const),
    [' others', { id: 'other_places', text: 'other places' }],
    ['', { id: null, text: 'no known place' }],
  ];
  return heads
    .map(([key, head]) => ({ head, rows: groups.get(key) ?? [] }))
    .filter((group) => countOf(group.rows) > 0);
}

/**
 * In order of time. An arrival can be in any year, so only the most requested months have separate rows; then all others together, then
 * demand without a month.
 */
function byMonth(demands: Demands): readonly (Group<Cell> & { readonly id: string })[] {
  const ranked = mostFirst(totalsBy(demands, ({ facet }) => facet)).map(([month]) => month);
  const shown = new Set(ranked.filter((month) => month !== '').slice(0, MAX_MONTHS));
  const idOf = (month: string) => (month === '' ? 'no_month' : shown.has(month) ? month : 'other_months');
  const groups = Map.groupBy(demands, ({ facet }) => idOf(facet));
  const heads: readonly (readonly [string, Cell])[] = [
    ...[...shown].toSorted().map((id) => [id, id] as const),
    ['other_months', { id: 'other_months', text: 'other months' }],
    ['no_month', { id: null, text: 'no month' }],
  ];
  return heads
    .map(([id, head]) => ({ id, head, rows: groups.get(id) ?? [] }))
    .filter(({ rows }) => countOf(rows) > 0);
}

function heatTable(
  id: string,
  title: string,
  demands: Demands,
  names: ReportNames,
  whenEmpty: string,
): ReportTable {
  const months = byMonth(demands);
  const columnOf = new Map(
    months.flatMap(({ id: column, rows }) => rows.map(({ facet }) => [facet, column] as const)),
  );
  const rows = byPlace(demands, names).map(({ head, rows: ofPlace }) => {
    const totals = totalsBy(ofPlace, ({ facet }) => columnOf.get(facet) ?? '');
    return [head, ...months.map((month) => totals.get(month.id)?.count ?? 0)];
  });
  const heads = months.map(
    ({ id: column, head }): Column => ({ id: column, label: formatCell(head, 'month'), unit: 'number' }),
  );
  return tableOf(id, title, {}, rows, {
    ...{ columns: [...columns({ place: 'Place' }), ...heads], note: HEAT_NOTE, whenEmpty },
    chart: { kind: 'heat' },
  });
}

/** The outcomes of each group: found, or the reasons why not. */
function fatesTable(
  id: string,
  title: string,
  column: Column,
  demands: Demands,
  groups: readonly Group<Cell>[],
): ReportTable {
  const unmet = demands.filter(({ reason }) => reason !== 'found');
  const reasons = mostFirst(totalsBy(unmet, ({ reason }) => reason)).map(([reason]) => reason);
  const labelOf = (reason: string) => {
    const words = wordsFor(reason);
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
  const rows = groups.map(({ head, rows: some }): Cell[] => {
    const totals = totalsBy(some, ({ reason }) => reason);
    const of = (reason: string) => totals.get(reason)?.count ?? 0;
    const asked = countOf([...totals.values()]);
    return [head, asked, shareOf(asked - of('found'), asked), of('found'), ...reasons.map(of)];
  });
  return tableOf(id, title, {}, rows, {
    note: 'Found and the reasons after it add up to what was asked for; the share is of wishes that were not met.',
    columns: [
      column,
      ...columns({ asked: 'Asked for', share_unmet: 'Share not found', found: 'Found' }),
      ...reasons.map((reason): Column => ({ id: reason, label: labelOf(reason), unit: 'number' })),
    ],
    whenEmpty: NO_DEMAND,
  });
}

function missingTable({ facets, beyondLimit, fewer, unnamed }: MostCounted): ReportTable {
  const notes = [
    `Names that at least ${MIN_SESSIONS_TO_SHOW} sessions asked for, in lower case, without punctuation.`,
    fewer > 0 && `Names that fewer asked for are not shown: ${fewer}.`,
    beyondLimit > 0 && `${beyondLimit} more were asked for less often.`,
    unnamed > 0 &&
      `“other names” are those beyond the first ${MAX_NAMES_A_DAY} that an assistant asked for in a day.`,
  ];
  return tableOf(
    'missing_places',
    'Places that are not on the network',
    { name: 'Name', sessions: 'Sessions' },
    [...facets.map(({ facet, count }) => [facet, count]), ...(unnamed > 0 ? [['other names', unnamed]] : [])],
    {
      note: notes.filter((note) => note !== false).join(' '),
      whenEmpty: `No name was asked for by ${MIN_SESSIONS_TO_SHOW} sessions or more.`,
      chart: { kind: 'bars', columns: ['sessions'] },
    },
  );
}

const NONE_SHOWN = 'No home of this brand was shown in this time.';

function shownTable(counts: DemandCounts, names: ReportNames): ReportTable {
  const rows = byPlace(counts('options'), names).map(({ head, rows: some }) => {
    const shown = countOf(some);
    const first = countOf(some.filter(({ facet }) => facet === 'first'));
    return [head, shown, first, shareOf(first, shown)];
  });
  const labelled = { place: 'Place', shown: 'Shown', first: 'First', share_first: 'Share first' };
  return tableOf('shown', 'Homes shown, by place', labelled, rows, {
    note: 'How often homes of this brand were shown with a price for a search of that place, and how often one was the cheapest.',
    whenEmpty: NONE_SHOWN,
  });
}

function refusedTable(counts: DemandCounts): ReportTable {
  return sharesTable(
    'refused',
    'Stays that the calendar offered and the operator refused',
    { reason: 'Reason', stays: 'Stays' },
    namedRows(counts('refused_offers'), ({ reason }) => reason, codeCell),
    {
      note: 'By what the operator said; each costs a traveller a home that seemed to be free.',
      whenEmpty:
        countOf(counts('options')) > 0
          ? 'The operator refused nothing that its calendars offered.'
          : NONE_SHOWN,
    },
  );
}

function stayTables(counts: DemandCounts): readonly ReportTable[] {
  const whenEmpty = 'No session got as far as prices in this time.';
  const facts = { note: `${STAYS_NOTE}.`, whenEmpty };
  const longest = `more_than_${MAX_NIGHTS}`;
  const nights = counts('lengths').map((row) => ({
    ...row,
    facet: Number(row.facet) > MAX_NIGHTS ? longest : row.facet,
  }));
  return [
    sharesTable(
      'parties',
      'Sizes of parties',
      { guests: 'Guests', stays: 'Stays' },
      inOrder(counts('parties')),
      {
        note: `${STAYS_NOTE}; children and infants count.`,
        whenEmpty,
      },
    ),
    sharesTable('lengths', 'Lengths of stays', { nights: 'Nights', stays: 'Stays' }, inOrder(nights), facts),
    sharesTable(
      'lead_times',
      'How long before the arrival',
      { lead_time: 'Before the arrival', stays: 'Stays' },
      bandRows(counts('lead_times'), LEAD_BANDS),
      { note: `Days from the search to the arrival. ${STAYS_NOTE}.`, whenEmpty },
    ),
  ];
}

/** In numerical order; texts that are no number come last. */
function inOrder(rows: readonly CountedLabels[]): readonly (readonly [NamedCell, number])[] {
  const rank = (label: string) => (Number.isNaN(Number(label)) ? Number.POSITIVE_INFINITY : Number(label));
  return [...totalsBy(rows, ({ facet }) => facet)]
    .toSorted(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
    .map(([label, { count }]) => [codeCell(label), count]);
}

function amenitiesTable(counts: DemandCounts): ReportTable {
  const labels = new Map<string, string>(Object.entries(AMENITY_LABELS));
  const rows = namedRows(
    counts('amenities'),
    ({ facet }) => facet,
    (amenity) => ({ id: amenity, text: labels.get(amenity) ?? amenity }),
  );
  return tableOf('amenities', 'Amenities chosen', { amenity: 'Amenity', sessions: 'Sessions' }, rows, {
    note: 'Once for each session and amenity by which it narrowed its result.',
    whenEmpty: 'No session narrowed its result by an amenity.',
    chart: { kind: 'bars', columns: ['sessions'] },
  });
}

function entriesTable(counts: DemandCounts, names: ReportNames): ReportTable {
  const cellOf = (brand: string) => (brand === '' ? { id: null, text: 'direct' } : names.brand(brand));
  return sharesTable(
    'entries',
    'Where sessions came from',
    { entry: 'Entry', sessions: 'Sessions' },
    namedRows(counts('sessions'), ({ brand }) => brand, cellOf),
    {
      note: 'A session is direct, or was opened for visitors of one brand.',
      whenEmpty: 'No session was opened in this time.',
    },
  );
}
