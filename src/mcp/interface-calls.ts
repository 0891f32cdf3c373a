import type { Brand } from '../catalogue/catalogue.ts';
import type { View } from '../contract/exchange.ts';
import type { Problem } from '../contract/problem-body.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem, SearchStep } from '../contract/search-body.ts';
import type { SessionBody } from '../contract/session-body.ts';
import type { QuoteProgress } from '../limits/deadline.ts';

/**
 * The interface as the tools call it: the same operations and bodies as over REST. In the service these are function calls, in
 * `staywire mcp` requests to a remote service.
 */
export type InterfaceCalls = {
  open(source: string | null, key: string | null): Promise<SessionBody | Problem>;
  /** In the service all amenities are applied together; a remote service applies one and refuses the others for now. */
  search(
    session: string,
    values: Readonly<Record<string, unknown>>,
    key: string | null,
  ): Promise<SearchReply>;
  result(session: string, view: View): Promise<ResultBody | Problem>;
  network(): Promise<NetworkFacts>;
};

export type SearchReply = SearchStep | ResultBody | SearchProblem | Problem;

/** The network as the entry page describes it. */
export type NetworkFacts = {
  readonly name: string;
  readonly sources: readonly {
    readonly source: string;
    readonly name: string;
    readonly single_location: boolean;
  }[];
  /** Hosts of the brands' pictures, as `host` or `host:port`. */
  readonly pictureHosts: readonly string[];
};

/** Calls on behalf of one tool call, with reports of the progress of a search. */
export type ConnectCalls = (listener: {
  readonly onProgress?: (progress: QuoteProgress) => void;
  readonly signal: AbortSignal;
}) => InterfaceCalls;

export function isResult(body: SearchReply | SessionBody): body is ResultBody {
  return 'object' in body && body.object === 'search_result';
}

export function isSession(body: SessionBody | Problem): body is SessionBody {
  return 'object' in body && body.object === 'session';
}

/** Refused until later: the session is unchanged. */
export function isPutOff(body: SearchReply): body is SearchProblem | Problem {
  return 'error' in body && (body.error === 'overloaded' || body.error === 'rate_limited');
}

/** A step, or a refusal with the current step: both list the missing fields and the values on offer. */
export function hasStep(body: SearchReply): body is (SearchStep | SearchProblem) & StandingStep {
  return 'missing_fields' in body && 'allowed_values' in body && body.missing_fields !== undefined;
}

type StandingStep = Required<Pick<SearchStep, 'missing_fields' | 'allowed_values' | 'received'>>;

/** The network of this service. */
export function networkFacts(name: string, brands: Iterable<Brand>): NetworkFacts {
  const all = [...brands];
  return {
    name,
    sources: all.map((brand) => ({
      source: brand.id,
      name: brand.name,
      single_location: brand.singleLocation !== null,
    })),
    pictureHosts: [...new Set(all.flatMap(({ website }) => website.hosts))].sort(),
  };
}
