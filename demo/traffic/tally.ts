/** What was played, to be compared with what the service has counted. */
export type AssistantTally = {
  sessions: number;
  /** Sessions that could not be opened. */
  refusedOpenings: number;
  /** Sessions that had a result with at least one option. */
  completed: number;
  requests: number;
  /** Results, the first of each session and those that followed. */
  results: number;
  /** Requests that were refused because there were too many. */
  limited: number;
  /** Requests that were refused because the assistant is not let in. */
  denied: number;
  linksFollowed: number;
  bookings: number;
  cancelled: number;
  /** Where sessions that are not completed stand: the first field that is missing, or `prices`. */
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
