import { hash } from 'node:crypto';
import type { Brand } from '../catalogue/catalogue.ts';
import type { View } from '../contract/exchange.ts';
import type { Problem } from '../contract/problem-body.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem, SearchStep } from '../contract/search-body.ts';
import type { SessionBody } from '../contract/session-body.ts';
import type { QuoteProgress } from '../limits/deadline.ts';
import type { RecentOpenings } from '../sessions/recent-openings.ts';

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

export type OpeningBody = SessionBody | Problem;

/**
 * Calls of one tool call that find the session of an earlier call with the same key. The interface itself returns only unused sessions
 * for a repeated key, and a tool call uses its session too.
 */
export function withKeyedOpenings(
  calls: InterfaceCalls,
  openings: RecentOpenings<OpeningBody>,
  /** Scope of the keys: the same key of two callers means two calls. */
  caller: string,
): InterfaceCalls {
  const opened = new Set<string>();
  /** A client that sends a handle has the answer: a repeat of the key then belongs to another conversation. */
  const use = async (session: string) => {
    if (!opened.has(session)) await openings.forget(session);
  };
  return {
    ...calls,
    async open(source, key) {
      if (key === null) return calls.open(source, key);
      // Hashed, because keys are secrets of clients.
      const id = hash('sha256', JSON.stringify([caller, source, key]), 'base64url');
      // One after another, so that a waiting call opens a session if the first one was abandoned.
      const body = await openings.inTurn(id, async () => {
        const earlier = await openings.find(id);
        if (earlier) return earlier;
        const made = await calls.open(source, key);
        if (isSession(made)) await openings.remember(id, made.session, made);
        return made;
      });
      if (isSession(body)) opened.add(body.session);
      return body;
    },
    async search(session, values, key) {
      await use(session);
      return calls.search(session, values, key);
    },
    async result(session, view) {
      await use(session);
      return calls.result(session, view);
    },
  };
}
