import { type Counts, countOf, countsIn, shareOf } from './counts.ts';
import {
  type Cell,
  columns,
  type Report,
  type ReportedAssistant,
  type ReportNames,
  type ReportTable,
  type Tile,
  tileWith,
} from './report.ts';
import { namedRows, sharesTable } from './shared-tables.ts';
import { answerCell, codeCell, fateOf, type RequestFate } from './words.ts';

const ASSISTANT_MEASURES = ['sessions', 'standings', 'searches', 'requests', 'options'] as const;
/** Requests only for all brands together, options only for one. */
type CountsOfAssistants = Counts<(typeof ASSISTANT_MEASURES)[number]>;

export type AssistantsFacts = {
  readonly names: ReportNames;
  /** Limits the report to sessions that came through this brand, and to its homes. */
  readonly brand: string | null;
  readonly counts: CountsOfAssistants;
  readonly registered: readonly ReportedAssistant[];
};

/** What each assistant requests, and how far its sessions come. */
export function assistantsReport(facts: AssistantsFacts): Report {
  const { names, brand } = facts;
  return {
    id: 'assistants',
    title: brand === null ? 'Assistants' : `Assistants: ${names.brand(brand).text}`,
    about:
      brand === null
        ? 'What each assistant asks, how far its searches come, and what it is refused.'
        : `Which assistants send travellers through ${names.brand(brand).text}, and show its homes.`,
    tiles: sessionTiles(facts),
    // Requests and limits are between the owner and the assistants: no brand has a part in them.
    sections:
      brand === null
        ? [assistantsTable(facts), limitsTable(facts), strangersTable(facts)]
        : [partTable(facts)],
  };
}

type AssistantCounts = {
  readonly id: string;
  readonly sessions: number;
  readonly completed: number;
  readonly searches: number;
  readonly shown: number;
  requests(...fates: readonly RequestFate[]): number;
};

function countsFor(id: string, own: CountsOfAssistants): AssistantCounts {
  const requests = own('requests');
  return {
    id,
    sessions: countOf(own('sessions')),
    completed: countOf(own('standings').filter(({ facet }) => facet === 'completed')),
    searches: countOf(own('searches')),
    shown: countOf(own('options')),
    requests: (...fates) =>
      countOf(
        fates.length === 0 ? requests : requests.filter(({ reason }) => fates.includes(fateOf(reason))),
      ),
  };
}

/** Registered assistants, and former ones that called in this time; the most sessions first. */
function callersOf({ counts, brand, registered }: AssistantsFacts): readonly AssistantCounts[] {
  const rows = ASSISTANT_MEASURES.flatMap(counts).filter(({ assistant }) => assistant !== '');
  const byAssistant = Map.groupBy(rows, ({ assistant }) => assistant);
  const listed = brand === null ? registered.map(({ id }) => id) : [];
  return [...new Set([...listed, ...byAssistant.keys()])]
    .map((id) => countsFor(id, countsIn(byAssistant.get(id) ?? [])))
    .toSorted((one, other) => {
      const difference = other.sessions - one.sessions || other.requests() - one.requests();
      return difference || (one.id < other.id ? -1 : 1);
    });
}

/** The meaning of each figure, shown with it. */
const tile = tileWith({
  sessions: 'Each is one search of one traveller.',
  share_completed: 'Sessions that had at least one result, of all that were opened.',
  approved: 'Now, with whoever may call from a trusted network.',
  over_limit: 'Requests that were refused because a limit of the caller was used up.',
});

function sessionTiles({ counts, brand, registered }: AssistantsFacts): readonly Tile[] {
  const sessions = countOf(counts('sessions'));
  const completed = countOf(counts('standings').filter(({ facet }) => facet === 'completed'));
  const tiles: readonly Tile[] = [
    tile('sessions', 'Sessions opened', sessions),
    tile('share_completed', 'Share completed', shareOf(completed, sessions)),
  ];
  if (brand !== null) return tiles;
  const requests = counts('requests');
  const strangers = requests.filter(({ assistant, reason }) => assistant === '' && isTurnedAway(reason));
  return [
    tile('approved', 'Assistants approved', registered.filter(({ status }) => status === 'approved').length),
    ...tiles,
    tile(
      'over_limit',
      'Over a limit',
      countOf(requests.filter(({ reason }) => fateOf(reason) === 'over_limit')),
    ),
    tile('strangers', 'Strangers turned away', countOf(strangers), STRANGERS),
  ];
}

const STRANGERS =
  'Requests turned away whose caller is no assistant that the registry knows. Those of a suspended assistant, or with a faulty signature in its name, count in its own row.';

function isTurnedAway(reason: string): boolean {
  return fateOf(reason) === 'turned_away';
}

const SESSION_COLUMNS = columns({
  sessions: 'Sessions',
  completed: 'Completed',
  share_completed: 'Share completed',
  searches: 'Searches',
});

function sessionCells({ sessions, completed, searches }: AssistantCounts): Cell[] {
  return [sessions, completed, shareOf(completed, sessions), searches];
}

function assistantsTable(facts: AssistantsFacts): ReportTable {
  const { names, registered } = facts;
  const stateOf = (id: string) =>
    codeCell(registered.find((one) => one.id === id)?.status ?? 'not_registered');
  return {
    id: 'assistants',
    title: 'By assistant',
    note: 'Values refused are also requests for what is not on offer. The share is of these, mistakes, over a limit and turned away together, of all requests of the assistant.',
    columns: [
      ...columns({ id: 'Assistant', name: 'Name', state: 'State' }),
      ...SESSION_COLUMNS,
      ...columns({
        requests: 'Requests',
        values_refused: 'Values refused',
        mistakes: 'Mistakes',
        over_limit: 'Over a limit',
        turned_away: 'Turned away',
        errors: 'Errors',
        share_refused: 'Share refused',
      }),
    ],
    rows: callersOf(facts).map((one) => [
      one.id,
      names.assistant(one.id).text,
      stateOf(one.id),
      ...sessionCells(one),
      one.requests(),
      one.requests('refused'),
      one.requests('mistaken'),
      one.requests('over_limit'),
      one.requests('turned_away'),
      one.requests('failed'),
      shareOf(one.requests('refused', 'mistaken', 'over_limit', 'turned_away'), one.requests()),
    ]),
    whenEmpty: 'No assistant is registered. Approve one with: staywire assistants approve ID',
  };
}

function limitsTable({ registered }: AssistantsFacts): ReportTable {
  return {
    id: 'limits',
    title: 'Limits of their own',
    note: 'As the registry has them now. A dash means none: only the general limits of the settings apply. A rate window is 60 seconds long, unless STAYWIRE_RATE_WINDOW_SECONDS says otherwise.',
    columns: columns({
      id: 'Assistant',
      requests: 'Requests per rate window',
      searches: 'Searches at a time',
      sessions: 'Open sessions',
      megabytes: 'Megabytes kept',
    }),
    rows: registered.map(({ id, limits = {} }) => [
      id,
      limits.requests ?? null,
      limits.searches ?? null,
      limits.sessions ?? null,
      limits.megabytes ?? null,
    ]),
    whenEmpty: 'No assistant is registered. Approve one with: staywire assistants approve ID',
  };
}

function strangersTable({ counts }: AssistantsFacts): ReportTable {
  const requests = counts('requests').filter(
    ({ assistant, reason }) => assistant === '' && isTurnedAway(reason),
  );
  return sharesTable(
    {
      id: 'strangers',
      title: 'Strangers turned away',
      note: STRANGERS,
      whenEmpty:
        countOf(counts('requests')) > 0
          ? 'No stranger was turned away in this time.'
          : 'Nobody called in this time.',
    },
    { cause: 'Cause' },
    { requests: 'Requests' },
    namedRows(requests, ({ reason }) => reason, answerCell),
  );
}

function partTable(facts: AssistantsFacts): ReportTable {
  return {
    id: 'assistants',
    title: 'By assistant',
    note: 'Sessions and searches that came through this brand; homes of it that were shown with a price, in all searches.',
    columns: [
      ...columns({ assistant: 'Assistant' }),
      ...SESSION_COLUMNS,
      ...columns({ shown: 'Homes shown' }),
    ],
    rows: callersOf(facts).map((one) => [facts.names.assistant(one.id), ...sessionCells(one), one.shown]),
    whenEmpty: 'No assistant sent a traveller through this brand, or showed a home of it.',
  };
}
