import type { View } from '../contract/exchange.ts';
import type { Problem } from '../contract/problem-body.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem, SearchStep } from '../contract/search-body.ts';
import type { SessionBody } from '../contract/session-body.ts';
import type { QuoteProgress } from '../limits/deadline.ts';

/**
 * The interface as the tools call it: the same operations and bodies as over REST. In the service they are function calls,
 * for `staywire mcp` they are requests to a service elsewhere.
 */
export type InterfaceCalls = {
  open(source: string | null, key: string | null): Promise<SessionBody | Problem>;
  /** Several amenities are applied at once in the service; a service elsewhere applies one and refuses the others for now. */
  search(
    session: string,
    values: Readonly<Record<string, unknown>>,
    key: string | null,
  ): Promise<SearchReply>;
  result(session: string, view: View): Promise<ResultBody | Problem>;
  network(): Promise<NetworkFacts>;
};

export type SearchReply = SearchStep | ResultBody | SearchProblem | Problem;

/** What the entry page says of the network. */
export type NetworkFacts = {
  readonly name: string;
  readonly sources: readonly {
    readonly source: string;
    readonly name: string;
    readonly single_location: boolean;
  }[];
  /** Where the pictures of its brands come from, as `host` or `host:port`. */
  readonly pictureHosts: readonly string[];
};

/** Calls on behalf of one tool call; who listens hears how far a search has come. */
export type ConnectCalls = (listener: {
  readonly hear?: (progress: QuoteProgress) => void;
  readonly signal: AbortSignal;
}) => InterfaceCalls;

export function isResult(body: SearchReply | SessionBody): body is ResultBody {
  return 'object' in body && body.object === 'search_result';
}

export function isSession(body: SessionBody | Problem): body is SessionBody {
  return 'object' in body && body.object === 'session';
}

/** Refused until later: the session is as it was before. */
export function isPutOff(body: SearchReply): body is SearchProblem | Problem {
  return 'error' in body && (body.error === 'overloaded' || body.error === 'rate_limited');
}

/** A step, or a refusal with the step as it stands: both say what is missing and what is on offer. */
export function hasStep(body: SearchReply): body is (SearchStep | SearchProblem) & StandingStep {
  return 'missing_fields' in body && 'allowed_values' in body && body.missing_fields !== undefined;
}

type StandingStep = Required<Pick<SearchStep, 'missing_fields' | 'allowed_values' | 'received'>>;
