import { Compile } from 'typebox/compile';
import type { Clock } from '../clock.ts';
import { type Answer, answerWith, type OperationRequest } from '../contract/exchange.ts';
import { AuthRequest } from '../contract/session-body.ts';
import { API_VERSION } from '../contract/version.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { Random } from '../random.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import { createOneAtATime } from '../sessions/one-at-a-time.ts';
import type { AssistantId, Session } from '../sessions/session.ts';
import type { Opening, SessionStore } from '../sessions/session-store.ts';
import {
  newSessionToken,
  openingIdOf,
  sealToken,
  sessionIdOf,
  unsealToken,
  withoutToken,
  withToken,
} from '../sessions/session-token.ts';
import type { QuotaOf } from '../sessions/storage-quota.ts';
import type { UsedSessions } from '../sessions/used-sessions.ts';
import type { AnswerWriter } from './answer-writer.ts';

export type OpeningOutcome =
  | { readonly kind: 'opened'; readonly answer: Answer }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unknown_field'; readonly name: string }
  | { readonly kind: 'unknown_source' }
  | { readonly kind: 'idempotency_key_reused' }
  | { readonly kind: 'too_many_sessions'; readonly retryAfterSeconds: number };

export type OpenSession = (request: OperationRequest) => Promise<OpeningOutcome>;

type OpeningRequest = Pick<OperationRequest, 'caller' | 'method' | 'view'> & { readonly body: AuthRequest };

/**
 * Long enough to repeat a request whose answer was lost, too short for one conversation to be given the session of another:
 * all users of an assistant may share its identity, its address and a key such as "1".
 */
const MAX_REPEAT_MS = 60_000;

const authRequest = Compile(AuthRequest);

export function createOpenSession({
  sessions,
  usedSessions,
  network,
  answers,
  clock,
  random,
  sessionMinutes,
  quotaOf,
}: {
  readonly sessions: SessionStore;
  readonly usedSessions: Pick<UsedSessions, 'has'>;
  readonly network: Network;
  readonly answers: AnswerWriter;
  readonly clock: Clock;
  readonly random: Random;
  readonly sessionMinutes: number;
  readonly quotaOf: QuotaOf;
}): OpenSession {
  const oneAtATime = createOneAtATime();

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
    if (key === null) return open(request, null);
    const id = openingIdOf(caller, key);
    return oneAtATime(id, async () => {
      const earlier = await sessions.opening(id);
      const session = earlier && (await sessions.find(earlier.session));
      if (!earlier || !session || !canBeRepeated(session)) return open(request, key);
      if (earlier.fingerprint !== openingFingerprint(body)) {
        return isServiceKey(key) ? open(request, key) : { kind: 'idempotency_key_reused' };
      }
      // Once it is used, the session belongs to a conversation that has its answer.
      return isUsed(session) ? open(request, key) : repeat(earlier, key, method);
    });
  };

  function isUsed({ id, revision }: Session): boolean {
    return revision > 0 || usedSessions.has(id);
  }

  function canBeRepeated(session: Session): boolean {
    const now = clock.now();
    return now < session.expiresAt && now - session.openedAt <= MAX_REPEAT_MS;
  }

  function repeat(earlier: Opening, key: string, method: string): OpeningOutcome {
    const recorded = withToken(earlier.body, unsealToken(earlier.sealedToken, key));
    // The answer echoes the method of this call, which may be another one.
    const body = JSON.stringify({ ...JSON.parse(recorded.toString()), method });
    return { kind: 'opened', answer: answerWith(body, { replayed: true }) };
  }

  async function open(
    { caller, method, view, body: request }: OpeningRequest,
    key: string | null,
  ): Promise<OpeningOutcome> {
    const token = newSessionToken(random);
    const session = newSession(token, caller.assistant, sourceOf(request));
    const body = answers.opened(session, request, { token, method, view });
    const opening: Opening | null =
      key === null
        ? null
        : {
            id: openingIdOf(caller, key),
            session: session.id,
            fingerprint: openingFingerprint(request),
            body: withoutToken(body, token),
            sealedToken: sealToken(token, key, random),
          };
    const outcome = await sessions.open(session, opening, quotaOf(caller.assistant));
    if (outcome.kind === 'over_quota') {
      const retryAfterSeconds = Math.max(1, Math.ceil((outcome.until - clock.now()) / 1000));
      return { kind: 'too_many_sessions', retryAfterSeconds };
    }
    return { kind: 'opened', answer: answerWith(body) };
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

function openingFingerprint(request: AuthRequest): string {
  return JSON.stringify([API_VERSION, sourceOf(request)]);
}

/** Sources are written in lower case, so another case leaves no doubt. */
function sourceOf({ source }: AuthRequest): string | null {
  return source?.toLowerCase() ?? null;
}
