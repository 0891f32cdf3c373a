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
  tileWith,
} from './report.ts';
import { bandRows, firstSearch, pricesTable, sharesTable } from './shared-tables.ts';
import { answerCell, codeCell, fateCell, fateOf, refusalWords, STAGES } from './words.ts';

type SegmentMeasure = 'sessions' | 'standings' | 'times_to_result' | 'requests';
type RangeCounts = Counts<'refusals' | 'searches' | 'prices' | 'shed'>;

export type TodayFacts = {
  readonly isToday: boolean;
  readonly names: ReportNames;
  /** Limits the report to sessions that came through this brand, and to its homes. */
  readonly brand: string | null;
  readonly column: Periods['column'];
  /** Measures that are counted together are read together. */
  readonly segments: readonly (PeriodSegment & { readonly counts: Counts<SegmentMeasure> })[];
  /** For the whole range: measures without a table over time. */
  readonly counts: RangeCounts;
};

/** How sessions went: opened, completed, abandoned, and where they stopped. */
export function todayReport(facts: TodayFacts): Report {
  const { brand, names, counts, segments } = facts;
  // Requests have no brand, so only the owner's report shows them.
  const isWhole = brand === null;
  return {
    id: 'today',
    title: titleOf(facts),
    about:
      'How many searches were begun, how far they came, and how well the service and the operators answered.',
    tiles: [
      ...sessionTiles(facts),
      ...timeTiles(segments),
      ...priceTiles(counts),
      ...(isWhole ? loadTiles(facts) : []),
    ],
    sections: [
      periodsTable(facts),
      funnelTable(segments),
      refusalsTable(facts),
      timesTable(segments),
      pricesTable(counts('prices'), names),
      searchesTable(counts),
      ...(isWhole ? [answersTable(segments)] : []),
    ],
  };
}

function titleOf({ isToday, brand, names }: TodayFacts): string {
  const title = isToday ? 'Today' : 'Searches';
  return brand === null ? title : `${title}: ${names.brand(brand).text}`;
}

const NO_SESSION = 'No session was opened in this time.';

type Segments = TodayFacts['segments'];

const rowsOf = (segments: Segments, measure: SegmentMeasure) =>
  segments.flatMap(({ counts }) => counts(measure));

function completedIn(segments: Segments): number {
  return countOf(rowsOf(segments, 'standings').filter(({ facet }) => facet === 'completed'));
}

function notCompletedIn(segments: Segments): number {
  return countOf(rowsOf(segments, 'standings').filter(({ facet }) => facet !== 'completed'));
}

/** The meaning of each figure, shown with it. */
const tile = tileWith({
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
});

function sessionTiles({ segments }: TodayFacts): readonly Tile[] {
  const opened = countOf(rowsOf(segments, 'sessions'));
  const completed = completedIn(segments);
  return [
    tile('sessions', 'Sessions opened', opened),
    tile('completed', 'Completed', completed),
    tile('abandoned', 'Abandoned', notCompletedIn(segments.filter(({ isOver }) => isOver))),
    tile('open', 'Open or abandoned', notCompletedIn(segments.filter(({ isOver }) => !isOver))),
    tile('share_completed', 'Share completed', shareOf(completed, opened)),
  ];
}

function timeTiles(segments: Segments): readonly Tile[] {
  const times = rowsOf(segments, 'times_to_result');
  const median = medianBand(
    totalsBy(times, ({ facet }) => facet),
    TIME_BANDS,
  );
  return [
    tile('median_time', 'Time to a result, median', median === null ? null : medianCell(median)),
    tile('mean_time', 'Time to a result, mean', meanTimeOf(addedUp(times))),
  ];
}

/** Only the band is known, so its bound is the number; the last band has none. */
function medianCell(label: string): NamedCell {
  if (label === 'more') return { ...bandCell(label, TIME_BANDS), id: null };
  return { id: Number(label) * 1000, text: `up to ${TIME_BANDS.boundText(Number(label))}` };
}

function priceTiles(counts: RangeCounts): readonly Tile[] {
  const prices = counts('prices');
  const quoted = countOf(prices.filter(({ reason }) => reason === 'quoted'));
  return [
    tile('searches', 'Searches for prices', countOf(counts('searches'))),
    tile('share_quoted', 'Prices that came', shareOf(quoted, countOf(prices))),
  ];
}

function loadTiles({ segments, counts }: TodayFacts): readonly Tile[] {
  const requests = rowsOf(segments, 'requests');
  return [
    tile('requests', 'Requests', countOf(requests)),
    tile('mean_request_time', 'Time of a request, mean', meanTimeOf(addedUp(requests))),
    tile('errors', 'Errors', countOf(failedOf(requests))),
    tile('shed', 'Refused because busy', countOf(counts('shed'))),
  ];
}

function failedOf<Row extends { readonly reason: string }>(requests: readonly Row[]): readonly Row[] {
  return requests.filter(({ reason }) => fateOf(reason) === 'failed');
}

function periodsTable({ segments, column, brand }: TodayFacts): ReportTable {
  const isWhole = brand === null;
  const periods = [...Map.groupBy(segments, ({ period }) => period)];
  const isCounted = segments.some(({ counts }) => counts('sessions').length + counts('requests').length > 0);
  return {
    id: 'periods',
    title: 'Over time',
    note: 'Sessions stand where they were opened, also when they were completed later; requests where they were answered.',
    columns: [
      column,
      ...columns({ sessions: 'Sessions', completed: 'Completed' }),
      ...(isWhole ? columns({ requests: 'Requests', errors: 'Errors' }) : []),
    ],
    rows: isCounted
      ? periods.map(([period, some]): Cell[] => {
          const requests = rowsOf(some, 'requests');
          const load = [countOf(requests), countOf(failedOf(requests))];
          return [period, countOf(rowsOf(some, 'sessions')), completedIn(some), ...(isWhole ? load : [])];
        })
      : [],
    whenEmpty: `${NO_SESSION} ${firstSearch(brand)}`,
    chart: {
      kind: 'series',
      columns: isWhole ? ['sessions', 'completed', 'requests', 'errors'] : ['sessions', 'completed'],
    },
  };
}

function funnelTable(segments: Segments): ReportTable {
  const standing = totalsBy(rowsOf(segments, 'standings'), ({ facet }) => facet);
  const others = [...standing.keys()].filter((stage) => !STAGES.includes(stage)).toSorted();
  const stages = [...others, ...STAGES];
  const counts = stages.map((stage) => standing.get(stage)?.count ?? 0);
  const rows = stages.map((stage, at): Cell[] => {
    const reached = counts.slice(at).reduce((sum, count) => sum + count, 0);
    const stopped = counts[at] ?? 0;
    return stage === 'completed'
      ? [codeCell(stage), reached, null, null]
      : [codeCell(stage), reached, stopped, shareOf(stopped, reached)];
  });
  return {
    id: 'funnel',
    title: 'How far sessions came',
    note: 'A session stands at the first field that it has not answered, and one that is still open stands there too; a field that it is not asked for counts as reached.',
    columns: columns({ stage: 'Step', reached: 'Reached', stopped: 'Stopped here', share: 'Share stopped' }),
    rows: standing.size === 0 ? [] : rows,
    whenEmpty: NO_SESSION,
    chart: { kind: 'bars', columns: ['reached', 'stopped'] },
  };
}

function refusalsTable({ segments, counts }: TodayFacts): ReportTable {
  const totals = totalsBy(counts('refusals'), ({ facet, reason }) => `${facet}\n${reason}`);
  return {
    id: 'refusals',
    title: 'What was refused, by step',
    note: 'Answers that refused a value, or had no price, by the step at which the session stood then. A misspelt name (“Lisbn”) counts here as not on the network; in Demand it is no wish.',
    columns: columns({ stage: 'Step', refusal: 'Refusal', answers: 'Answers' }),
    rows: mostFirst(totals).map(([key, { count }]) => {
      const [stage = '', refusal = ''] = key.split('\n');
      return [codeCell(stage), { id: refusal || null, text: refusalWords(refusal) }, count];
    }),
    whenEmpty: countOf(rowsOf(segments, 'sessions')) > 0 ? 'No value was refused.' : NO_SESSION,
  };
}

function timesTable(segments: Segments): ReportTable {
  const totals = totalsBy(rowsOf(segments, 'times_to_result'), ({ facet }) => facet);
  return sharesTable(
    {
      id: 'times',
      title: 'Time to a result',
      note: 'Completed sessions by how long it took from their opening to their first result with a price.',
      whenEmpty: 'No session was completed in this time.',
    },
    { time: 'Time' },
    { sessions: 'Sessions' },
    bandRows(totals, TIME_BANDS),
  );
}

function searchesTable(counts: RangeCounts): ReportTable {
  const totals = totalsBy(counts('searches'), ({ reason }) => reason);
  const all = countOf([...totals.values()]);
  return {
    id: 'searches',
    title: 'How searches for prices ended',
    columns: columns({ end: 'End', searches: 'Searches', share: 'Share', mean_time: 'Mean time' }),
    note: 'Time is from the question to the operators until the last answer that counted.',
    rows: mostFirst(totals).map(([reason, total]) => [
      codeCell(reason),
      total.count,
      shareOf(total.count, all),
      meanTimeOf(total),
    ]),
    whenEmpty: 'No session got as far as prices in this time.',
  };
}

function answersTable(segments: Segments): ReportTable {
  const totals = totalsBy(rowsOf(segments, 'requests'), ({ reason }) => reason);
  const all = countOf([...totals.values()]);
  return {
    id: 'answers',
    title: 'What became of requests',
    note: 'By what was answered; only those of the kind “error” are counted as errors.',
    columns: columns({ answer: 'Answer', kind: 'Kind', requests: 'Requests', share: 'Share' }),
    rows: mostFirst(totals).map(([reason, { count }]) => [
      answerCell(reason),
      fateCell(reason),
      count,
      shareOf(count, all),
    ]),
    whenEmpty: 'Nobody called in this time.',
  };
}
