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
  type Labelled,
  type NamedCell,
  type Report,
  type ReportNames,
  type ReportTable,
  type Tile,
  tileWith,
} from './report.ts';
import { bandRows, type CountedRows, firstSearch, namedRows, sharesTable } from './shared-tables.ts';
import { codeCell, wordsFor } from './words.ts';

/** A name with fewer sessions is not shown: it may be one person's text. */
const MIN_SESSIONS_TO_SHOW = 3;
export const MISSING_PLACES_SHOWN = { atLeast: MIN_SESSIONS_TO_SHOW, limit: 100 };
const MAX_PLACES = 30;
const MAX_MONTHS = 24;
const OTHER_NAMES = 'other names';
/** Longer stays share one row. */
const MAX_NIGHTS = 30;

/** The last two only for one brand. */
type DemandCounts = Counts<
  'sessions' | 'wishes' | 'parties' | 'lengths' | 'lead_times' | 'amenities' | 'options' | 'refused_offers'
>;

export type DemandFacts = {
  readonly names: ReportNames;
  /** Limits the report to sessions that came through this brand, and to its homes. */
  readonly brand: string | null;
  readonly counts: DemandCounts;
  /** Names of places that are not on the network. */
  readonly missing: MostCounted;
};

/** What travellers asked for, and which of it they did not find. */
export function demandReport({ names, brand, counts, missing }: DemandFacts): Report {
  const demands = demandsIn(counts('wishes'));
  const unmet = demands.filter(({ reason }) => reason !== 'found');
  return {
    id: 'demand',
    title: brand === null ? 'Demand' : `Demand: ${names.brand(brand).text}`,
    about:
      brand === null
        ? 'What travellers asked for, what of it they did not find, and why.'
        : `What travellers asked for who came through ${names.brand(brand).text}, and how its homes fared in all searches.`,
    tiles: [...demandTiles(demands, counts), ...(brand === null ? [] : shownTiles(counts))],
    sections: [
      unmetTable(unmet, demands, brand),
      missingTable(missing),
      heatTable(
        {
          id: 'unmet_by_month',
          title: 'Not found, by place and month of stay',
          whenEmpty: whenAllMet(demands, NO_DEMAND),
        },
        unmet,
        names,
      ),
      heatTable(
        { id: 'asked_by_month', title: 'Asked for, by place and month of stay', whenEmpty: NO_DEMAND },
        demands,
        names,
      ),
      monthsTable(demands),
      placesTable(demands, names),
      ...(brand === null ? [] : [shownTable(counts, names), refusedTable(counts)]),
      partiesTable(counts),
      lengthsTable(counts),
      leadTimesTable(counts),
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

const NO_DEMAND = 'No wish was counted in this time.';
const DEMAND_NOTE =
  'A wish is a place and a month of arrival, counted once for each session and each reason; one that failed first and was found later counts as both.';

/** The meaning of each figure, shown with it. */
const tile = tileWith({
  sessions: 'Each is one search of one traveller; it can have no wish yet, or several.',
  found: 'Wishes that led to at least one home with a price.',
  unmet: 'Wishes that were refused, or for which operators had no home after all.',
  share_unmet: 'Of all wishes.',
  stays: 'A place with dates and guests for which prices were asked, once for each session.',
  shown: 'How often a home of this brand was shown with a price, in the searches of all brands.',
  first: 'How often it was the cheapest of those that were shown.',
  refused: 'Stays that the calendar of a home offered and its operator refused.',
});

function demandTiles(demands: Demands, counts: DemandCounts): readonly Tile[] {
  const asked = countOf(demands);
  const found = countOf(demands.filter(({ reason }) => reason === 'found'));
  const unmet = countOf(demands.filter(({ reason }) => reason !== 'found'));
  return [
    tile('sessions', 'Sessions opened', countOf(counts('sessions'))),
    tile('wishes', 'Wishes', asked, DEMAND_NOTE),
    tile('found', 'Found', found),
    tile('unmet', 'Not found', unmet),
    tile('share_unmet', 'Share not found', shareOf(unmet, asked)),
    tile('stays', 'Stays with prices asked', countOf(counts('lead_times'))),
  ];
}

function shownTiles(counts: DemandCounts): readonly Tile[] {
  const options = counts('options');
  return [
    tile('shown', 'Homes shown', countOf(options)),
    tile('first', 'Shown first', countOf(options.filter(({ facet }) => facet === 'first'))),
    tile('refused', 'Refused after all', countOf(counts('refused_offers'))),
  ];
}

/** No demand at all is not the same as all demand met. */
function whenAllMet(demands: Demands, whenNone: string): string {
  return countOf(demands) > 0 ? 'Every wish in this time was met.' : whenNone;
}

function unmetTable(unmet: Demands, demands: Demands, brand: string | null): ReportTable {
  return sharesTable(
    {
      id: 'unmet',
      title: 'Why wishes were not met',
      note: 'A session that was refused for several reasons counts at each of them. A misspelt name of a place on the network is no wish: it counts only in Today, among the refusals.',
      whenEmpty: whenAllMet(demands, `${NO_DEMAND} ${firstSearch(brand)}`),
    },
    { reason: 'Reason' },
    { wishes: 'Wishes' },
    namedRows(unmet, ({ reason }) => reason, codeCell),
  );
}

/** The most requested places, then all others together, then demand without a known place. */
function byPlace(
  rows: Demands,
  names: ReportNames,
): readonly { readonly head: NamedCell; readonly rows: Demands }[] {
  const ranked = mostFirst(totalsBy(rows, ({ place }) => place)).map(([place]) => place);
  const placed = ranked.filter((place) => place !== '');
  const shown = new Set(placed.slice(0, MAX_PLACES));
  const groups = Map.groupBy(rows, ({ place }) => (place === '' || shown.has(place) ? place : ' others'));
  const named = [...shown].map((place) => ({ head: names.place(place), rows: groups.get(place) ?? [] }));
  const others = groups.get(' others') ?? [];
  const without = groups.get('') ?? [];
  return [
    ...named,
    ...(countOf(others) > 0 ? [{ head: { id: 'other_places', text: 'other places' }, rows: others }] : []),
    ...(countOf(without) > 0 ? [{ head: { id: null, text: 'no known place' }, rows: without }] : []),
  ];
}

function heatTable(
  { id, title, whenEmpty }: Pick<ReportTable, 'id' | 'title' | 'whenEmpty'>,
  demands: Demands,
  names: ReportNames,
): ReportTable {
  const months = byMonth(demands);
  const columnOf = new Map(
    months.flatMap(({ id: column, rows }) => rows.map(({ facet }) => [facet, column] as const)),
  );
  return {
    id,
    title,
    note: 'Wishes by month of arrival; the 30 places that were asked for most, and all others together.',
    columns: [
      ...columns({ place: 'Place' }),
      ...months.map(({ id: column, head }): Column => {
        return { id: column, label: formatCell(head, 'month'), unit: 'number' };
      }),
    ],
    rows: byPlace(demands, names).map(({ head, rows }) => {
      const totals = totalsBy(rows, ({ facet }) => columnOf.get(facet) ?? '');
      return [head, ...months.map((month) => totals.get(month.id)?.count ?? 0)];
    }),
    whenEmpty,
    chart: { kind: 'heat' },
  };
}

/**
 * In order of time. An arrival can be in any year, so only the most requested months have separate rows; then all others together, then
 * demand without a month.
 */
function byMonth(
  demands: Demands,
): readonly { readonly id: string; readonly head: Cell; readonly rows: Demands }[] {
  const ranked = mostFirst(totalsBy(demands, ({ facet }) => facet)).map(([month]) => month);
  const shown = new Set(ranked.filter((month) => month !== '').slice(0, MAX_MONTHS));
  const idOf = (month: string) => {
    if (month === '') return 'no_month';
    return shown.has(month) ? month : 'other_months';
  };
  const groups = Map.groupBy(demands, ({ facet }) => idOf(facet));
  const rowsOf = (id: string) => groups.get(id) ?? [];
  const months = [...shown].toSorted();
  return [
    ...months.map((id) => ({ id, head: id, rows: rowsOf(id) })),
    {
      id: 'other_months',
      head: { id: 'other_months', text: 'other months' },
      rows: rowsOf('other_months'),
    },
    { id: 'no_month', head: { id: null, text: 'no month' }, rows: rowsOf('no_month') },
  ].filter(({ rows }) => countOf(rows) > 0);
}

function missingTable({ facets, beyondLimit, fewer, unnamed }: MostCounted): ReportTable {
  return {
    id: 'missing_places',
    title: 'Places that are not on the network',
    note: [
      `Names that at least ${MIN_SESSIONS_TO_SHOW} sessions asked for, in lower case, without punctuation.`,
      ...(fewer > 0
        ? [
            `${fewer} ${fewer === 1 ? 'name that fewer asked for is' : 'names that fewer asked for are'} not shown.`,
          ]
        : []),
      ...(beyondLimit > 0 ? [`${beyondLimit} more were asked for less often.`] : []),
      ...(unnamed > 0
        ? [
            `“${OTHER_NAMES}” are those beyond the first ${MAX_NAMES_A_DAY} that an assistant asked for in a day.`,
          ]
        : []),
    ].join(' '),
    columns: columns({ name: 'Name', sessions: 'Sessions' }),
    rows: [
      ...facets.map(({ facet, count }) => [facet, count]),
      ...(unnamed > 0 ? [[OTHER_NAMES, unnamed]] : []),
    ],
    whenEmpty: `No name was asked for by ${MIN_SESSIONS_TO_SHOW} sessions or more.`,
    chart: { kind: 'bars', columns: ['sessions'] },
  };
}

function placesTable(demands: Demands, names: ReportNames): ReportTable {
  return {
    id: 'places',
    title: 'Wishes by place',
    ...fatesBy({ id: 'place', label: 'Place', unit: 'named' }, demands, byPlace(demands, names)),
  };
}

function monthsTable(demands: Demands): ReportTable {
  return {
    id: 'months',
    title: 'Wishes by month of arrival',
    ...fatesBy({ id: 'month', label: 'Month', unit: 'month' }, demands, byMonth(demands)),
  };
}

/** The outcomes of each group: found, or the reasons why not. */
function fatesBy(
  column: Column,
  demands: Demands,
  groups: readonly { readonly head: Cell; readonly rows: Demands }[],
): Pick<ReportTable, 'note' | 'columns' | 'rows' | 'whenEmpty'> {
  const unmet = demands.filter(({ reason }) => reason !== 'found');
  const reasons = mostFirst(totalsBy(unmet, ({ reason }) => reason)).map(([reason]) => reason);
  return {
    note: 'Found and the reasons after it add up to what was asked for; the share is of wishes that were not met.',
    columns: [
      column,
      ...columns({ asked: 'Asked for', share_unmet: 'Share not found', found: 'Found' }),
      ...reasons.map((reason) => ({
        id: reason,
        label: sentenceCase(wordsFor(reason)),
        unit: 'number' as const,
      })),
    ],
    rows: groups.map(({ head, rows }): Cell[] => {
      const totals = totalsBy(rows, ({ reason }) => reason);
      const of = (reason: string) => totals.get(reason)?.count ?? 0;
      const asked = countOf([...totals.values()]);
      return [head, asked, shareOf(asked - of('found'), asked), of('found'), ...reasons.map(of)];
    }),
    whenEmpty: NO_DEMAND,
  };
}

function shownTable(counts: DemandCounts, names: ReportNames): ReportTable {
  return {
    id: 'shown',
    title: 'Homes shown, by place',
    note: 'How often homes of this brand were shown with a price for a search of that place, and how often one was the cheapest.',
    columns: columns({ place: 'Place', shown: 'Shown', first: 'First', share_first: 'Share first' }),
    rows: byPlace(counts('options'), names).map(({ head, rows }) => {
      const shown = countOf(rows);
      const first = countOf(rows.filter(({ facet }) => facet === 'first'));
      return [head, shown, first, shareOf(first, shown)];
    }),
    whenEmpty: 'No home of this brand was shown in this time.',
  };
}

function refusedTable(counts: DemandCounts): ReportTable {
  return sharesTable(
    {
      id: 'refused',
      title: 'Stays that the calendar offered and the operator refused',
      note: 'By what the operator said; each costs a traveller a home that seemed to be free.',
      whenEmpty:
        countOf(counts('options')) > 0
          ? 'The operator refused nothing that its calendars offered.'
          : 'No home of this brand was shown in this time.',
    },
    { reason: 'Reason' },
    { stays: 'Stays' },
    namedRows(counts('refused_offers'), ({ reason }) => reason, codeCell),
  );
}

function staysTable(
  table: Pick<ReportTable, 'id' | 'title' | 'note'>,
  head: Labelled,
  rows: CountedRows,
): ReportTable {
  const whenEmpty = 'No session got as far as prices in this time.';
  return sharesTable({ ...table, whenEmpty }, head, { stays: 'Stays' }, rows);
}

function partiesTable(counts: DemandCounts): ReportTable {
  return staysTable(
    {
      id: 'parties',
      title: 'Sizes of parties',
      note: 'Of stays for which prices were asked, once for each session and stay; children and infants count.',
    },
    { guests: 'Guests' },
    inOrder(totalsBy(counts('parties'), ({ facet }) => facet)),
  );
}

function lengthsTable(counts: DemandCounts): ReportTable {
  const longest = `more_than_${MAX_NIGHTS}`;
  const totals = totalsBy(counts('lengths'), ({ facet }) => (Number(facet) > MAX_NIGHTS ? longest : facet));
  return staysTable(
    {
      id: 'lengths',
      title: 'Lengths of stays',
      note: 'Of stays for which prices were asked, once for each session and stay.',
    },
    { nights: 'Nights' },
    inOrder(totals),
  );
}

/** In numerical order; texts that are no number come last. */
function inOrder(totals: ReadonlyMap<string, Total>): CountedRows {
  const rank = (label: string) => (Number.isNaN(Number(label)) ? Number.POSITIVE_INFINITY : Number(label));
  return [...totals]
    .toSorted(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
    .map(([label, { count }]) => [codeCell(label), count]);
}

function leadTimesTable(counts: DemandCounts): ReportTable {
  return staysTable(
    {
      id: 'lead_times',
      title: 'How long before the arrival',
      note: 'Days from the search to the arrival, of stays for which prices were asked, once for each session and stay.',
    },
    { lead_time: 'Before the arrival' },
    bandRows(
      totalsBy(counts('lead_times'), ({ facet }) => facet),
      LEAD_BANDS,
    ),
  );
}

function amenitiesTable(counts: DemandCounts): ReportTable {
  const labels: Readonly<Record<string, string>> = AMENITY_LABELS;
  const totals = totalsBy(counts('amenities'), ({ facet }) => facet);
  return {
    id: 'amenities',
    title: 'Amenities chosen',
    note: 'Once for each session and amenity by which it narrowed its result.',
    columns: columns({ amenity: 'Amenity', sessions: 'Sessions' }),
    rows: mostFirst(totals).map(([amenity, { count }]) => [
      { id: amenity, text: Object.hasOwn(labels, amenity) ? (labels[amenity] ?? amenity) : amenity },
      count,
    ]),
    whenEmpty: 'No session narrowed its result by an amenity.',
    chart: { kind: 'bars', columns: ['sessions'] },
  };
}

function entriesTable(counts: DemandCounts, names: ReportNames): ReportTable {
  return sharesTable(
    {
      id: 'entries',
      title: 'Where sessions came from',
      note: 'A session is direct, or was opened for visitors of one brand.',
      whenEmpty: 'No session was opened in this time.',
    },
    { entry: 'Entry' },
    { sessions: 'Sessions' },
    namedRows(
      counts('sessions'),
      ({ brand }) => brand,
      (brand) => (brand === '' ? { id: null, text: 'direct' } : names.brand(brand)),
    ),
  );
}

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
