import { type Counts, countOf, countsIn, shareOf } from './counts.ts';
import {
  type Report,
  type ReportedAssistant,
  type ReportNames,
  type ReportTable,
  tilesOf,
} from './report.ts';
import { namedRows, sharesTable, tableOf } from './tables.ts';
import { answerCell, codeCell, fateOf, type RequestFate } from './words.ts';

const ASSISTANT_MEASURES = ['sessions', 'standings', 'searches', 'requests', 'options'] as const;
/** Requests only for all brands together, options only for one. */
type CountsOfAssistants = Counts<(typeof ASSISTANT_MEASURES)[number]>;

type AssistantsFacts = {
  readonly names: ReportNames;
  /** Limits the report to sessions that came through this brand, and to its homes. */
  readonly brand: string | null;
  readonly counts: CountsOfAssistants;
  readonly registered: readonly ReportedAssistant[];
};

const STRANGERS =
  'Requests turned away whose caller is no assistant that the registry knows. Those of a suspended assistant, or with a faulty signature in its name, count in its own row.';
/** The meaning of each figure, shown with it. */
const NOTES = {
  approved: 'Now, with whoever may call from a trusted network.',
  sessions: 'Each is one search of one traveller.',
  share_completed: 'Sessions that had at least one result, of all that were opened.',
  over_limit: 'Requests that were refused because a limit of the caller was used up.',
  strangers: STRANGERS,
};
const SESSION_COLUMNS = {
  sessions: 'Sessions',
  completed: 'Completed',
  share_completed: 'Share completed',
  searches: 'Searches',
};

/** What each assistant requests, and how far its sessions come. */
export function assistantsReport(facts: AssistantsFacts): Report {
  const { names, brand, counts, registered } = facts;
  const all = countsFor('', counts);
  const sessions = [
    ['sessions', 'Sessions opened', all.sessions],
    ['share_completed', 'Share completed', shareOf(all.completed, all.sessions)],
  ] as const;
  // Requests are between the owner and the assistants: no brand has a part in them.
  if (brand !== null) {
    const { text } = names.brand(brand);
    return {
      id: 'assistants',
      title: `Assistants: ${text}`,
      about: `Which assistants send travellers through ${text}, and show its homes.`,
      tiles: tilesOf(NOTES, sessions),
      sections: [partTable(facts)],
    };
  }
  const strangers = counts('requests').filter(
    ({ assistant, reason }) => assistant === '' && fateOf(reason) === 'turned_away',
  );
  const approved = registered.filter(({ status }) => status === 'approved').length;
  return {
    id: 'assistants',
    title: 'Assistants',
    about: 'What each assistant asks, how far its searches come, and what it is refused.',
    tiles: tilesOf(NOTES, [
      ['approved', 'Assistants approved', approved],
      ...sessions,
      ['over_limit', 'Over a limit', all.requests('over_limit')],
      ['strangers', 'Strangers turned away', countOf(strangers)],
    ]),
    sections: [
      assistantsTable(facts),
      sharesTable(
        'strangers',
        'Strangers turned away',
        { cause: 'Cause', requests: 'Requests' },
        namedRows(strangers, ({ reason }) => reason, answerCell),
        {
          note: STRANGERS,
          whenEmpty:
            all.requests() > 0 ? 'No stranger was turned away in this time.' : 'Nobody called in this time.',
        },
      ),
    ],
  };
}

function countsFor(id: string, own: CountsOfAssistants) {
  const requests = own('requests');
  const sessions = countOf(own('sessions'));
  const completed = countOf(own('standings').filter(({ facet }) => facet === 'completed'));
  const searches = countOf(own('searches'));
  return {
    ...{ id, sessions, completed, shown: countOf(own('options')) },
    sessionCells: [sessions, completed, shareOf(completed, sessions), searches],
    requests: (...fates: readonly RequestFate[]) =>
      countOf(
        fates.length === 0 ? requests : requests.filter(({ reason }) => fates.includes(fateOf(reason))),
      ),
  };
}

/** Registered assistants, and former ones that called in this time; the most sessions first. */
function callersOf({ counts, brand, registered }: AssistantsFacts) {
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

function assistantsTable(facts: AssistantsFacts): ReportTable {
  const { names, registered } = facts;
  const stateOf = (id: string) => registered.find((one) => one.id === id)?.status ?? 'not_registered';
  return tableOf(
    'assistants',
    'By assistant',
    {
      ...{ id: 'Assistant', name: 'Name', state: 'State', ...SESSION_COLUMNS, requests: 'Requests' },
      ...{ values_refused: 'Values refused', mistakes: 'Mistakes', over_limit: 'Over a limit' },
      ...{ turned_away: 'Turned away', errors: 'Errors', share_refused: 'Share refused' },
    },
    callersOf(facts).map((one) => [
      ...[one.id, names.assistant(one.id).text, codeCell(stateOf(one.id)), ...one.sessionCells],
      one.requests(),
      ...(['refused', 'mistaken', 'over_limit', 'turned_away', 'failed'] as const).map((fate) =>
        one.requests(fate),
      ),
      shareOf(one.requests('refused', 'mistaken', 'over_limit', 'turned_away'), one.requests()),
    ]),
    {
      note: 'Values refused are also requests for what is not on offer. The share is of these, mistakes, over a limit and turned away together, of all requests of the assistant.',
      whenEmpty: 'No assistant is registered. Approve one with: staywire assistants approve ID',
    },
  );
}

function partTable(facts: AssistantsFacts): ReportTable {
  return tableOf(
    'assistants',
    'By assistant',
    { assistant: 'Assistant', ...SESSION_COLUMNS, shown: 'Homes shown' },
    callersOf(facts).map((one) => [facts.names.assistant(one.id), ...one.sessionCells, one.shown]),
    {
      note: 'Sessions and searches that came through this brand; homes of it that were shown with a price, in all searches.',
      whenEmpty: 'No assistant sent a traveller through this brand, or showed a home of it.',
    },
  );
}
