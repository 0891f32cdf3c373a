import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { OperatorClient } from '../../outbound/operator-client.ts';
import type { ReadHeader } from '../../outbound/read-answer.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import { STATUSES_WITHOUT_THE_CALL } from '../open/bookings.ts';
import type { ProtocolRule, VerdictCollector } from './verdict.ts';

export type CallPath = '/catalogue' | '/calendars' | '/quotes' | '/bookings';

/** The outcome of a call. Faults of the call itself are already reported. */
export type ServerAnswer =
  | {
      readonly kind: 'document';
      readonly bytes: Uint8Array;
      readonly digest: string | null;
      readonly etag: string | null;
      readonly header: ReadHeader;
      readonly milliseconds: number;
    }
  | { readonly kind: 'unchanged'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly status: number | null; readonly milliseconds: number };

/** Calls the server as the connector does, one call after the other, and reports how it behaves. */
export type CallServer = {
  get(query: string, etag?: string): Promise<ServerAnswer>;
  post(path: '/calendars' | '/quotes', body: unknown): Promise<ServerAnswer>;
  /** The call is optional: a status such as 404 is not a fault. */
  bookings(query: string): Promise<ServerAnswer>;
  /** Calls with a wrong token, or with none. Returns the status; null when there was no answer. */
  statusFor(path: CallPath, body: unknown, token: string | null): Promise<number | null>;
  slowest(): ReadonlyMap<CallPath, number>;
};

const LIMITS: Readonly<Record<CallPath, { readonly timeoutMs: number; readonly maxBytes: number }>> = {
  '/catalogue': { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  '/calendars': { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  '/quotes': { timeoutMs: 4000, maxBytes: 256 * 1024 },
  '/bookings': { timeoutMs: 30_000, maxBytes: 1024 * 1024 },
};

export function createCallServer({
  client,
  token,
  clock,
  collector,
  signal,
}: {
  readonly client: OperatorClient;
  readonly token: string | null;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly collector: VerdictCollector;
  readonly signal: AbortSignal;
}): CallServer {
  const slowest = new Map<CallPath, number>();

  async function call(
    path: CallPath,
    {
      query = '',
      body,
      etag,
      bearer,
    }: { query?: string; body?: unknown; etag?: string; bearer: string | null },
    isReported: (status: number | null) => boolean,
  ): Promise<ServerAnswer> {
    const method = methodOf(path);
    const startedAt = clock.elapsed();
    let status: number | null = null;
    let header: ReadHeader = () => undefined;
    const took = () => Math.round(clock.elapsed() - startedAt);
    try {
      const answer = await client.send(
        {
          method,
          path: path + query,
          withDigest: method === 'GET',
          headers: {
            ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
            ...(etag === undefined ? {} : { 'if-none-match': etag }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          onAnswer(answered, read) {
            status = answered;
            header = read;
          },
        },
        { ...LIMITS[path], signal },
      );
      const milliseconds = took();
      if (isReported(status)) slowest.set(path, Math.max(milliseconds, slowest.get(path) ?? 0));
      return { ...answer, milliseconds };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof BookingSystemFailure)) throw error;
      const milliseconds = took();
      if (isReported(status)) {
        const { rule, found } = faultOfCall(error, status, header);
        const place = `${method} ${path}`;
        collector.fault('http', { place, rule, found, milliseconds });
      }
      return { kind: 'failed', status, milliseconds };
    }
  }

  return {
    get: (query, etag) => call('/catalogue', { query, bearer: token, ...(etag ? { etag } : {}) }, ALWAYS),
    post: (path, body) => call(path, { body, bearer: token }, ALWAYS),
    bookings: (query) => call('/bookings', { query, bearer: token }, isNotMissing),
    async statusFor(path, body, other) {
      const result = await call(path, { bearer: other, ...(body === undefined ? {} : { body }) }, NEVER);
      if (result.kind === 'document') return 200;
      return result.kind === 'failed' ? result.status : 304;
    },
    slowest: () => slowest,
  };
}

export function methodOf(path: CallPath): 'GET' | 'POST' {
  return path === '/catalogue' || path === '/bookings' ? 'GET' : 'POST';
}

const ALWAYS = () => true;
const NEVER = () => false;
const isNotMissing = (status: number | null) =>
  status === null || !STATUSES_WITHOUT_THE_CALL.includes(status);

/** Names the fault of a failed call by the client's failure, and by the status and header received before it. */
function faultOfCall(
  { kind, message }: BookingSystemFailure,
  status: number | null,
  header: ReadHeader,
): { readonly rule: ProtocolRule; readonly found: string } {
  if (kind === 'timeout') return { rule: 'timeout', found: message };
  if (kind === 'too_large') return { rule: 'too_large', found: message };
  if (status === null) return { rule: kind === 'garbled' ? 'not_http' : 'unreachable', found: message };
  if (status !== 200) return { rule: ruleOfStatus(status), found: `the status ${status}` };
  const type = header('content-type') ?? '';
  const encoding = header('content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    return { rule: 'compressed', found: `Content-Encoding: ${shownText(encoding)}` };
  }
  const isJson = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\b/i.test(type);
  if (kind !== 'garbled') return { rule: 'unreachable', found: message };
  return { rule: isJson ? 'charset' : 'content_type', found: `Content-Type: ${shownText(type) || 'none'}` };
}

function ruleOfStatus(status: number): ProtocolRule {
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 401 || status === 403) return 'token_refused';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'status';
}

/** A reference that no operator uses. */
export const UNKNOWN_PROPERTY = 'staywire-check.no-such-home';

/** Checks that the server refuses strangers: makes each call without the token, and with a wrong one. */
export async function checkStrangers(
  server: CallServer,
  collector: VerdictCollector,
  {
    token,
    today,
    paths,
  }: {
    readonly token: string | null;
    readonly today: Day;
    /** The calls that the server implements. */
    readonly paths: readonly CallPath[];
  },
): Promise<void> {
  if (token === null) return collector.skip('authorisation', 'no token was given');
  collector.begin('authorisation');
  const [from, to] = [formatDay(today + 30), formatDay(today + 32)];
  const properties = [UNKNOWN_PROPERTY];
  const bodies: Readonly<Record<CallPath, unknown>> = {
    '/catalogue': undefined,
    '/calendars': { properties, from, nights: 2 },
    '/bookings': undefined,
    '/quotes': { properties, check_in: from, check_out: to, guests: 1, currency: 'EUR' },
  };
  let answers = 0;
  for (const path of paths) {
    for (const [stranger, whose] of [
      [null, 'without the token'],
      // As long as the server's token, to detect a server that compares only the length.
      ['x'.repeat(token.length), 'with another token'],
    ] as const) {
      const status = await server.statusFor(path, bodies[path], stranger);
      if (status !== null) answers += 1;
      if (status === null || status === 401) continue;
      const rule = status < 400 ? 'open_to_strangers' : 'other_refusal';
      collector.fault('authorisation', {
        place: `${methodOf(path)} ${path} ${whose}`,
        rule,
        found: `the status ${status}`,
        isWarning: rule === 'other_refusal',
      });
    }
  }
  if (answers === 0) collector.skip('authorisation', 'the server did not answer');
}
