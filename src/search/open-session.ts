import { Compile } from 'typebox/compile';
import type { Clock } from '../clock.ts';
import { type Answer, answerWith, type OperationRequest } from '../contract/exchange.ts';
import { AuthRequest } from '../contract/session-body.ts';
import { API_VERSION } from '../contract/version.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { Random } from '../random.ts';
import { isUsableAtAuth } from '../sessions/idempotency.ts';
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
import type { AnswerWriter } from './answer-writer.ts';

export type OpeningOutcome =
  | { readonly kind: 'opened'; readonly answer: Answer }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unknown_source' }
  | { readonly kind: 'idempotency_key_reused' };

export type OpenSession = (request: OperationRequest) => Promise<OpeningOutcome>;

const authRequest = Compile(AuthRequest);

export function createOpenSession({
  sessions,
  network,
  answers,
  clock,
  random,
  sessionMinutes,
}: {
  readonly sessions: SessionStore;
  readonly network: Network;
  readonly answers: AnswerWriter;
  readonly clock: Clock;
  readonly random: Random;
  readonly sessionMinutes: number;
}): OpenSession {
  const oneAtATime = createOneAtATime();

  return async ({ caller: { assistant }, values, key }) => {
    const request = values.kind === 'valid' ? Object.fromEntries(values.value) : null;
    if (!authRequest.Check(request)) return { kind: 'unreadable' };
    const source = request.source ?? null;
    if (source !== null && !network.brands.has(source)) return { kind: 'unknown_source' };
    if (key === null || !isUsableAtAuth(key)) return open(assistant, request, null);
    const id = openingIdOf(assistant, key);
    return oneAtATime(id, async () => {
      const earlier = await sessions.opening(id);
      const session = earlier && (await sessions.find(earlier.session));
      if (!earlier || !session || session.expiresAt <= clock.now()) return open(assistant, request, key);
      if (earlier.fingerprint !== openingFingerprint(request)) return { kind: 'idempotency_key_reused' };
      const body = withToken(earlier.body, unsealToken(earlier.sealedToken, key));
      return { kind: 'opened', answer: answerWith(body, { replayed: true }) };
    });
  };

  async function open(
    assistant: AssistantId,
    request: AuthRequest,
    key: string | null,
  ): Promise<OpeningOutcome> {
    const token = newSessionToken(random);
    const session = newSession(token, assistant, request.source ?? null);
    const body = answers.opened(session, request, token);
    const opening: Opening | null =
      key === null
        ? null
        : {
            id: openingIdOf(assistant, key),
            session: session.id,
            fingerprint: openingFingerprint(request),
            body: withoutToken(body, token),
            sealedToken: sealToken(token, key, random),
          };
    await sessions.open(session, opening);
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
  return JSON.stringify([API_VERSION, request.source ?? null]);
}
