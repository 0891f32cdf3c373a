import { BRANDS } from '../brands.ts';

/** Counts of the played sessions, to compare with those of the service. */
export type AssistantTally = {
  sessions: number;
  /** Sessions that could not be opened. */
  refusedOpenings: number;
  /** Sessions that had a result with at least one option. */
  completed: number;
  requests: number;
  /** All results of all sessions. */
  results: number;
  /** Requests over a rate limit. */
  limited: number;
  /** Requests of an assistant that is not admitted. */
  denied: number;
  linksFollowed: number;
  bookings: number;
  cancelled: number;
  /** Where incomplete sessions stopped: the first missing field, or `prices`. */
  readonly stopped: Map<string, number>;
  /** Refused values, as `field:reason`. */
  readonly refusals: Map<string, number>;
};

export type Tally = {
  of(assistant: string): AssistantTally;
  readonly assistants: ReadonlyMap<string, AssistantTally>;
  /** Names of places that are not on the network, by the number of sessions that asked. */
  readonly missingPlaces: Map<string, number>;
};

export function createTally(): Tally {
  const assistants = new Map<string, AssistantTally>();
  return {
    assistants,
    missingPlaces: new Map(),
    of(assistant) {
      const known = assistants.get(assistant) ?? emptyTally();
      assistants.set(assistant, known);
      return known;
    },
  };
}

export function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function totalOf(
  tally: Tally,
  name: 'sessions' | 'refusedOpenings' | 'completed' | 'requests' | 'results' | 'bookings',
): number {
  return [...tally.assistants.values()].reduce((sum, one) => sum + one[name], 0);
}

function emptyTally(): AssistantTally {
  return {
    sessions: 0,
    refusedOpenings: 0,
    completed: 0,
    requests: 0,
    results: 0,
    limited: 0,
    denied: 0,
    linksFollowed: 0,
    bookings: 0,
    cancelled: 0,
    stopped: new Map(),
    refusals: new Map(),
  };
}

const MAX_LISTED = 6;

/** A summary of the played sessions, to compare with the console. */
export function summaryText(tally: Tally, seconds: number): string {
  const assistants = [...tally.assistants].sort(([, one], [, other]) => other.sessions - one.sessions);
  const all = assistants.map(([, one]) => one);
  const sum = (
    name:
      | 'sessions'
      | 'refusedOpenings'
      | 'completed'
      | 'requests'
      | 'results'
      | 'linksFollowed'
      | 'bookings',
  ) => counted(all.reduce((total, one) => total + one[name], 0));
  const silent = BRANDS.filter(({ connection }) => connection === 'rate-card').map(({ name }) => name);
  return [
    `Played ${sum('sessions')} sessions in ${seconds.toFixed(0)} s: ${sum('requests')} requests, ${sum('completed')} sessions completed, ${sum('results')} results, ${sum('linksFollowed')} links followed, ${sum('bookings')} bookings.`,
    `${sum('refusedOpenings')} more could not be opened: their assistants were over a limit, or are not let in.`,
    '',
    row('assistant', [
      'sessions',
      'unopened',
      'completed',
      'requests',
      'limited',
      'denied',
      'results',
      'links',
      'bookings',
      'cancelled',
    ]),
    ...assistants.map(([id, one]) =>
      row(id, [
        counted(one.sessions),
        counted(one.refusedOpenings),
        counted(one.completed),
        counted(one.requests),
        counted(one.limited),
        counted(one.denied),
        counted(one.results),
        counted(one.linksFollowed),
        counted(one.bookings),
        counted(one.cancelled),
      ]),
    ),
    '',
    // All of them, so that the stopped and completed ones add up to the sessions.
    `Stopped at: ${mostOf(merged(all, 'stopped'), Number.POSITIVE_INFINITY)}.`,
    `Refused most: ${mostOf(merged(all, 'refusals'))}.`,
    `Asked for and not on the network: ${mostOf(tally.missingPlaces)}.`,
    `Bookings at ${silent.join(' and ')} are not among the outcomes: a rate card reports none.`,
  ].join('\n');
}

function merged(all: readonly AssistantTally[], name: 'stopped' | 'refusals'): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const one of all) for (const [what, count] of one[name]) sums.set(what, (sums.get(what) ?? 0) + count);
  return sums;
}

function mostOf(counts: ReadonlyMap<string, number>, listed = MAX_LISTED): string {
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, listed);
  return most.length === 0 ? 'nothing' : most.map(([what, count]) => `${what} ${counted(count)}`).join(', ');
}

function row(first: string, cells: readonly string[]): string {
  return [first.padEnd(10), ...cells.map((cell) => cell.padStart(10))].join('');
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
