import type { Clock } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { SUPPORTED_VERSIONS } from '../contract/version.ts';
import type { FindSession, SessionFinding } from '../sessions/find-session.ts';
import { type KeyReading, readKey } from '../sessions/idempotency.ts';
import { callerOf, type RateReading, type RateWindows } from '../sessions/rate-windows.ts';
import type { AssistantId } from '../sessions/session.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import type { Handlers } from './handlers.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { LoadShedder, WorkKind } from './load-shedding.ts';
import { type Called, problem, unsupportedVersion } from './problems.ts';
import { type BodyReading, type RequestFault, UNREADABLE } from './read-body.ts';
import { type Query, readQuery } from './read-query.ts';

/** A request by an approved assistant, before anything about it was looked at. */
export type Incoming = {
  readonly method: string;
  readonly query: unknown;
  readonly body: BodyReading;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly assistant: AssistantId;
  readonly address: string;
  readonly onFault: (fault: unknown) => void;
};

export type Served = { readonly answer: HttpAnswer; readonly rate: RateReading; readonly key: string | null };

export type ServeOperation = (name: OperationName, incoming: Incoming) => Promise<Served>;

const WORK: Readonly<Record<OperationName, WorkKind>> = {
  openSession: 'auth',
  search: 'search',
  readResult: 'read',
  readSchema: 'read',
  readTerms: 'read',
};
const RETRY_AFTER_STORAGE_SECONDS = 2;
const INVALID_KEY: RequestFault = { kind: 'fault', code: 'invalid_idempotency_key' };

/** The way of every request past the gate: whose session, how many requests, which version, which key, then the handler. */
export function createServeOperation({
  handlers,
  findSession,
  rateWindows,
  loadShedder,
  clock,
}: {
  readonly handlers: Handlers;
  readonly findSession: FindSession;
  readonly rateWindows: RateWindows;
  readonly loadShedder: LoadShedder;
  readonly clock: Clock;
}): ServeOperation {
  return async (name, incoming) => {
    const { endpoint, path } = OPERATIONS[name];
    const called: Called = { endpoint, path, method: incoming.method };
    const now = clock.now();
    const query = readQuery(incoming.query);
    const keyReading = readKey(query?.idempotency_key, headerOf(incoming, 'idempotency-key'));
    const key = keyReading.kind === 'key' ? keyReading.key : null;
    const stranger = `${incoming.assistant} ${callerOf(incoming.address)}`;
    let rate: RateReading | undefined;
    try {
      const finding = await findSession(query?.session, incoming.assistant, now);
      // A live session has a window of its own, so that one conversation cannot use up another's.
      rate = await rateWindows.take(
        finding.kind === 'live' ? `session ${finding.session.id}` : stranger,
        now,
      );
      const answer = await admitted(name, called, incoming, { query, keyReading, key, finding, rate });
      return { answer, rate, key };
    } catch (fault) {
      incoming.onFault(fault);
      return {
        answer: faultAnswer(fault, called),
        rate: rate ?? (await rateWindows.peek(stranger, now)),
        key,
      };
    }
  };

  async function admitted(
    name: OperationName,
    called: Called,
    incoming: Incoming,
    facts: RequestFacts,
  ): Promise<HttpAnswer> {
    if (!facts.rate.allowed)
      return problem('rate_limited', called, { retry_after_seconds: facts.rate.retryAfterSeconds });
    const admission = loadShedder.admit(WORK[name]);
    if ('refused' in admission)
      return problem('overloaded', called, { retry_after_seconds: admission.refused });
    try {
      return await handled(name, called, incoming, facts);
    } finally {
      admission.release();
    }
  }

  async function handled(
    name: OperationName,
    called: Called,
    incoming: Incoming,
    { query, keyReading, key, finding }: RequestFacts,
  ): Promise<HttpAnswer> {
    const asked = [query?.api_version, headerOf(incoming, 'x-api-version')];
    const pinned = finding.kind === 'live' ? [finding.session.apiVersion] : SUPPORTED_VERSIONS;
    if (asked.some((version) => version !== undefined && !pinned.includes(version)))
      return unsupportedVersion(called);
    const fault = query === undefined ? UNREADABLE : keyReading.kind === 'invalid' ? INVALID_KEY : undefined;
    const ifNoneMatch = headerOf(incoming, 'if-none-match');
    return handlers[name]({
      called,
      assistant: incoming.assistant,
      query: query ?? {},
      body: fault ?? incoming.body,
      key,
      finding,
      ifNoneMatch,
    });
  }
}

type RequestFacts = {
  readonly query: Query | undefined;
  readonly keyReading: KeyReading;
  readonly key: string | null;
  readonly finding: SessionFinding;
  readonly rate: RateReading;
};

function faultAnswer(fault: unknown, called: Called): HttpAnswer {
  if (!(fault instanceof StorageFailure)) return problem('internal_error', called);
  const code: ErrorCode = fault.kind === 'overloaded' ? 'overloaded' : 'storage_unavailable';
  return problem(code, called, { retry_after_seconds: RETRY_AFTER_STORAGE_SECONDS });
}

function headerOf(incoming: Incoming, name: string): string | undefined {
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
