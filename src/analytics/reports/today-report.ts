import {
  addedUp,
  bandCell,
  type Counts,
  countOf,
  meanTimeOf,
  medianBand,
  mostFirst,
  shareOf,
  TIME_BANDS,
  totalsBy,
} from './counts.ts';
import {
  type Cell,
  columns,
  type NamedCell,
  type PeriodSegment,
  type Periods,
  type Report,
  type ReportNames,
  type ReportTable,
  type Tile,
  tilesOf,
} from './report.ts';
import { bandRows, firstSearch, priceCounts, sharesTable, tableOf } from './tables.ts';
import { answerCell, codeCell, fateCell, fateOf, refusalWords, STAGES } from './words.ts';

type SegmentMeasure = 'sessions' | 'standings' | 'times_to_result' | 'requests';

type TodayFacts = {
  readonly isToday: boolean;
  readonly names: ReportNames;
  /** Limits the report to sessions that came through this brand, and to its homes. */
  readonly brand: string | null;
  readonly column: Periods['column'];
  /** Measures that are counted together are read together. */
  readonly segments: readonly (PeriodSegment & { readonly counts: Counts<SegmentMeasure> })[];
  /** For the whole range: measures without a table over time. */
  readonly counts: Counts<'refusals' | 'searches' | 'prices' | 'shed'>;
};

const NO_SESSION = 'No session was opened in this time.';

/** How sessions went: opened, completed, abandoned, and where they stopped. */
export function todayReport(facts: TodayFacts): Report {
  const { brand, names, isToday } = facts;
  const title = isToday ? 'Today' : 'Searches';
  // Requests have no brand, so only the owner's report shows them.
  const isWhole = brand === null;
  return {
    id: 'today',
    title: isWhole ? title : `${title}: ${names.brand(brand).text}`,
    about:
      'How many searches were begun, how far they came, and how well the service and the operators answered.',
    tiles: [...searchTiles(facts), ...(isWhole ? loadTiles(facts) : [])],
    sections: [
      periodsTable(facts),
      funnelTable(facts.segments),
      ...searchTables(facts),
      ...(isWhole ? [answersTable(facts.segments)] : []),
    ],
  };
}

type Segments = TodayFacts['segments'];

const rowsOf = (segments: Segments, measure: SegmentMeasure) =>
  segments.flatMap(({ counts }) => counts(measure));

const stoodAt = (segments: Segments, isWanted: (stage: string) => boolean) =>
  countOf(rowsOf(segments, 'standings').filter(({ facet }) => isWanted(facet)));
const completedIn = (segments: Segments) => stoodAt(segments, (stage) => stage === 'completed');
const notCompletedIn = (segments: Segments) => stoodAt(segments, (stage) => stage !== 'completed');
const failedIn = (segments: Segments) =>
  countOf(rowsOf(segments, 'requests').filter(({ reason }) => fateOf(reason) === 'failed'));

/** The meaning of each figure, shown with it. */
const NOTES = {
  sessions: 'Each is one search of one traveller, counted in the hour in which it was opened.',
  completed: 'Sessions that had at least one result with prices.',
  abandoned: 'Not completed, and every session of their hour has ended.',
  open: 'Not completed yet, and some sessions of their hour can still go on.',
  share_completed: 'Completed sessions of all that were opened, those that are still open too.',
  median_time:
    'Half of the completed sessions had their first result with a price within this time after their opening.',
  mean_time:
    'From the opening of a session to its first result with a price; what the traveller takes to answer is in it.',
  searches:
    'Searches that came as far as prices, also those that ended before an operator was asked; a session can search several times.',
  share_quoted: 'Homes whose operator gave a price, of all homes whose price was asked for.',
  requests: 'All that were answered, those of callers who were turned away too.',
  mean_request_time: 'From its arrival to its answer, with the time that operators took.',
  errors:
    'Requests that the service or the operators could not answer; mistakes of callers, refused values, what is not on offer and limits are none.',
  shed: 'Requests that were refused so that those under way stayed fast.',
};

function searchTiles({ segments, counts }: TodayFacts): readonly Tile[] {
  const opened = countOf(rowsOf(segments, 'sessions'));
  const completed = completedIn(segments);
  const abandoned = notCompletedIn(segments.filter(({ isOver }) => isOver));
  const times = rowsOf(segments, 'times_to_result');
  const median = medianBand(
    totalsBy(times, ({ facet }) => facet),
    TIME_BANDS,
  );
  return tilesOf(NOTES, [
    ['sessions', 'Sessions opened', opened],
    ['completed', 'Completed', completed],
    ['abandoned', 'Abandoned', abandoned],
    ['open', 'Open or abandoned', notCompletedIn(segments.filter(({ isOver }) => !isOver))],
    ['share_completed', 'Share completed', shareOf(completed, opened)],
    ['median_time', 'Time to a result, median', medianCell(median)],
    ['mean_time', 'Time to a result, mean', meanTimeOf(addedUp(times))],
    ['searches', 'Searches for prices', countOf(counts('searches'))],
    ['share_quoted', 'Prices that came', priceCounts(counts('prices')).share],
  ]);
}

/** Only the band is known, so its bound is the number; the last band has none. */
function medianCell(label: string | null): NamedCell | null {
  if (label === null) return null;
  if (label === 'more') return { ...bandCell(label, TIME_BANDS), id: null };
  return { id: Number(label) * 1000, text: `up to ${TIME_BANDS.boundText(Number(label))}` };
}

function loadTiles({ segments, counts }: TodayFacts): readonly Tile[] {
  const requests = addedUp(rowsOf(segments, 'requests'));
  return tilesOf(NOTES, [
    ['requests', 'Requests', requests.count],
    ['mean_request_time', 'Time of a request, mean', meanTimeOf(requests)],
    ['errors', 'Errors', failedIn(segments)],
    ['shed', 'Refused because busy', countOf(counts('shed'))],
  ]);
}

function periodsTable({ segments, column, brand }: TodayFacts): ReportTable {
  const isWhole = brand === null;
  const isCounted = segments.some(({ counts }) => counts('sessions').length + counts('requests').length > 0);
  const periods = isCounted ? [...Map.groupBy(segments, ({ period }) => period)] : [];
  const load = (some: Segments) => (isWhole ? [countOf(rowsOf(some, 'requests')), failedIn(some)] : []);
  const labelled = {
    ...{ sessions: 'Sessions', completed: 'Completed' },
    ...(isWhole ? { requests: 'Requests', errors: 'Errors' } : {}),
  };
  return tableOf(
    'periods',
    'Over time',
    {},
    periods.map(([period, some]): Cell[] => [
      period,
      countOf(rowsOf(some, 'sessions')),
      completedIn(some),
      ...load(some),
    ]),
    {
      columns: [column, ...columns(labelled)],
      note: 'Sessions stand where they were opened, also when they were completed later; requests where they were answered.',
      whenEmpty: `${NO_SESSION} ${firstSearch(brand)}`,
      chart: { kind: 'series', columns: Object.keys(labelled) },
    },
  );
}

function funnelTable(segments: Segments): ReportTable {
  const standing = totalsBy(rowsOf(segments, 'standings'), ({ facet }) => facet);
  const others = [...standing.keys()].filter((stage) => !STAGES.includes(stage)).toSorted();
  const stages = [...others, ...STAGES];
  const counts = stages.map((stage) => standing.get(stage)?.count ?? 0);
  const rows = stages.map((stage, at): Cell[] => {
    const reached = counts.slice(at).reduce((sum, count) => sum + count, 0);
    const stopped = stage === 'completed' ? null : (counts[at] ?? 0);
    return [codeCell(stage), reached, stopped, stopped === null ? null : shareOf(stopped, reached)];
  });
  return tableOf(
    'funnel',
    'How far sessions came',
    { stage: 'Step', reached: 'Reached', stopped: 'Stopped here', share: 'Share stopped' },
    standing.size === 0 ? [] : rows,
    {
      note: 'A session stands at the first field that it has not answered, and one that is still open stands there too; a field that it is not asked for counts as reached.',
      whenEmpty: NO_SESSION,
      chart: { kind: 'bars', columns: ['reached', 'stopped'] },
    },
  );
}

function searchTables({ segments, counts }: TodayFacts): readonly ReportTable[] {
  const refusals = totalsBy(counts('refusals'), ({ facet, reason }) => `${facet}\n${reason}`);
  const searches = totalsBy(counts('searches'), ({ reason }) => reason);
  const allSearches = countOf([...searches.values()]);
  return [
    tableOf(
      'refusals',
      'What was refused, by step',
      { stage: 'Step', refusal: 'Refusal', answers: 'Answers' },
      mostFirst(refusals).map(([key, { count }]) => {
        const [stage = '', refusal = ''] = key.split('\n');
        return [codeCell(stage), { id: refusal, text: refusalWords(refusal) }, count];
      }),
      {
        note: 'Answers that refused a value, or had no price, by the step at which the session stood then. A misspelt name (“Lisbn”) counts here as not on the network; in Demand it is no wish.',
        whenEmpty: countOf(rowsOf(segments, 'sessions')) > 0 ? 'No value was refused.' : NO_SESSION,
      },
    ),
    sharesTable(
      'times',
      'Time to a result',
      { time: 'Time', sessions: 'Sessions' },
      bandRows(rowsOf(segments, 'times_to_result'), TIME_BANDS),
      {
        note: 'Completed sessions by how long it took from their opening to their first result with a price.',
        whenEmpty: 'No session was completed in this time.',
      },
    ),
    tableOf(
      'searches',
      'How searches for prices ended',
      { end: 'End', searches: 'Searches', share: 'Share', mean_time: 'Mean time' },
      mostFirst(searches).map(([reason, total]) => [
        ...[codeCell(reason), total.count, shareOf(total.count, allSearches), meanTimeOf(total)],
      ]),
      {
        note: 'Time is from the question to the operators until the last answer that counted.',
        whenEmpty: 'No session got as far as prices in this time.',
      },
    ),
  ];
}

function answersTable(segments: Segments): ReportTable {
  const totals = totalsBy(rowsOf(segments, 'requests'), ({ reason }) => reason);
  const all = countOf([...totals.values()]);
  return tableOf(
    'answers',
    'What became of requests',
    { answer: 'Answer', kind: 'Kind', requests: 'Requests', share: 'Share' },
    mostFirst(totals).map(([reason, { count }]) => [
      ...[answerCell(reason), fateCell(reason), count, shareOf(count, all)],
    ]),
    {
      note: 'By what was answered; only those of the kind “error” are counted as errors.',
      whenEmpty: 'Nobody called in this time.',
    },
  );
}
