import { Compile } from 'typebox/compile';
import type { Network } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { type Answer, answerWith, type OperationRequest } from '../contract/exchange.ts';
import { AuthRequest } from '../contract/session-body.ts';
import { API_VERSION } from '../contract/vocabulary.ts';
import type { Random } from '../random.ts';
import type { QuotaOf } from '../sessions/assistant-limits.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import type { Opening, RecentOpenings } from '../sessions/recent-openings.ts';
import type { AssistantId, Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { newSessionToken, openingIdOf, sessionIdOf } from '../sessions/session-token.ts';
import type { Links } from './answers/links.ts';
import { sessionAnswer } from './answers/session-answer.ts';
import type { FindExampleStay } from './example-stay.ts';
import type { SearchObserver } from './search-observer.ts';

export type OpeningOutcome =
  | { readonly kind: 'opened'; readonly answer: Answer }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unknown_field'; readonly name: string }
  | { readonly kind: 'unknown_source' }
  | { readonly kind: 'idempotency_key_reused' }
  | TooManySessions;

type TooManySessions = { readonly kind: 'too_many_sessions'; readonly retryAfterSeconds: number };
type Opened = { readonly kind: 'opened'; readonly opening: Opening };

export type OpenSession = (request: OperationRequest) => Promise<OpeningOutcome>;

type OpeningRequest = Pick<OperationRequest, 'caller' | 'method' | 'view'> & { readonly body: AuthRequest };

const authRequest = Compile(AuthRequest);

export function createOpenSession({
  sessions,
  openings,
  network,
  links,
  findExampleStay,
  clock,
  random,
  sessionMinutes,
  quotaOf,
  observe,
}: {
  readonly sessions: Pick<SessionStore, 'open'>;
  readonly openings: RecentOpenings;
  readonly network: Network;
  readonly links: Links;
  readonly findExampleStay: FindExampleStay;
  readonly clock: Clock;
  readonly random: Random;
  readonly sessionMinutes: number;
  readonly quotaOf: QuotaOf;
  readonly observe?: Pick<SearchObserver, 'opened'> | undefined;
}): OpenSession {
  return async ({ caller, values, key, method, view }) => {
    if (values.kind === 'invalid') return { kind: 'unreadable' };
    const unknown = values.value.keys().find((name) => !Object.hasOwn(AuthRequest.properties, name));
    if (unknown !== undefined) return { kind: 'unknown_field', name: unknown };
    const body: unknown = Object.fromEntries(values.value);
    if (!authRequest.Check(body)) return { kind: 'unreadable' };
    if (typeof body.source === 'string' && !network.brands.has(sourceOf(body) ?? '')) {
      return { kind: 'unknown_source' };
    }
    const request: OpeningRequest = { caller, method, view, body };
    if (key === null) {
      const outcome = await open(request);
      return outcome.kind === 'opened' ? answerTo(request, outcome.opening) : outcome;
    }
    const id = openingIdOf(caller, key);
    return openings.inTurn(id, async () => {
      const earlier = await openings.find(id);
      // After a step of the wall clock a session can expire within its first minute.
      const isLive = earlier !== undefined && clock.now() < earlier.session.expiresAt;
      if (isLive && earlier.session.source === sourceOf(body)) {
        return answerTo(request, earlier, { replayed: true });
      }
      if (isLive && !isServiceKey(key)) return { kind: 'idempotency_key_reused' };
      const outcome = await open(request);
      if (outcome.kind === 'too_many_sessions') return outcome;
      await openings.remember(id, outcome.opening.session.id, outcome.opening);
      return answerTo(request, outcome.opening);
    });
  };

  /** Written from the session as it was opened, so a repeat has the same bytes; method, view and request are those of this call. */
  function answerTo(
    { method, view, body }: OpeningRequest,
    { session, token }: Opening,
    { replayed } = { replayed: false },
  ): OpeningOutcome {
    const opened = sessionAnswer(session, body, { token, method, view }, { links, findExampleStay });
    return { kind: 'opened', answer: answerWith(opened, { replayed }) };
  }

  async function open({ caller, body }: OpeningRequest): Promise<Opened | TooManySessions> {
    const token = newSessionToken(random);
    const session = newSession(token, caller.assistant, sourceOf(body));
    const outcome = await sessions.open(session, quotaOf(caller.assistant));
    if (outcome.kind === 'opened') {
      observe?.opened(session);
      return { kind: 'opened', opening: { session, token } };
    }
    const retryAfterSeconds = Math.max(1, Math.ceil((outcome.until - clock.now()) / 1000));
    return { kind: 'too_many_sessions', retryAfterSeconds };
  }

  function newSession(token: string, assistant: AssistantId, source: string | null): Session {
    const now = clock.now();
    const id = sessionIdOf(token);
    if (id === undefined) throw new Error('a new token is malformed');
    return {
      id,
      assistant,
      source,
      onlyPlace: source === null ? null : (network.brands.get(source)?.singleLocation ?? null),
      apiVersion: API_VERSION,
      openedAt: now,
      // Whole seconds, as in the answer.
      expiresAt: Math.floor(now / 1000) * 1000 + sessionMinutes * 60_000,
      revision: 0,
      payload: {},
      amenities: [],
      result: null,
    };
  }
}

/** Sources are lower case, so other cases are unambiguous. */
function sourceOf({ source }: AuthRequest): string | null {
  return source?.toLowerCase() ?? null;
}
