import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { OpenClient } from './http-client.ts';
import { retryAfterMs } from './read-answer.ts';

/** Fetches a document published on the web, unparsed. Never rejects. */
export type FetchPublished = (
  url: string,
  options: {
    readonly kind: 'keys' | 'ranges';
    readonly etag: string | null;
    readonly signal: AbortSignal;
  },
) => Promise<PublishedAnswer>;

export type PublishedAnswer =
  | { readonly kind: 'document'; readonly bytes: Uint8Array; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'failed';
      readonly failure: FailureKind;
      readonly detail: string;
      readonly retryAfterMs: number | null;
    };

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/**
 * Uses the client for operators: allowed addresses only, one request, no redirect, no compression, limits of size and total time. Each
 * fetch opens a new connection, because the next one is minutes away and must look up the address again.
 */
export function createFetchPublished({
  openClient,
  clock,
  timeoutMs = TIMEOUT_MS,
  isPlainHttpAllowed = false,
}: {
  readonly openClient: OpenClient;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** For test servers. Elsewhere only TLS proves the origin of a document. */
  readonly isPlainHttpAllowed?: boolean;
}): FetchPublished {
  return async (url, { kind, etag, signal }) => {
    const address = URL.parse(url);
    if (!address || !(address.protocol === 'https:' || isPlainHttpAllowed)) {
      return failed('unreachable', 'its address does not begin with https://', null);
    }
    const client = openClient({ baseUrl: address.origin, connections: 1 });
    let pauseMs: number | null = null;
    let status = 0;
    try {
      const answer = await client.send(
        {
          method: 'GET',
          path: address.pathname + address.search,
          headers: etag === null ? {} : { 'if-none-match': etag },
          type: kind,
          onAnswer: (answered, header) => {
            status = answered;
            pauseMs = retryAfterMs(header, clock.now()) ?? null;
          },
        },
        { timeoutMs, maxBytes: MAX_BYTES, signal },
      );
      if (answer.kind === 'document') return { kind: 'document', bytes: answer.bytes, etag: answer.etag };
      return etag === null ? failed('garbled', 'is said to be unchanged', null) : { kind: 'unchanged' };
    } catch (error) {
      const failure = error instanceof BookingSystemFailure ? error.kind : 'unreachable';
      return failed(failure, detailOf(error, failure, status), pauseMs);
    } finally {
      await client.close();
    }
  };
}

function failed(failure: FailureKind, detail: string, pauseMs: number | null): PublishedAnswer {
  return { kind: 'failed', failure, detail, retryAfterMs: pauseMs };
}

/** Describes a failure of a document; the client's messages are about an operator. */
function detailOf(error: unknown, failure: FailureKind, status: number): string {
  if (status > 0 && status !== 200) return `its server answered with ${status}`;
  if (failure === 'timeout') return 'did not come whole in time';
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) {
    return `cannot be fetched: ${String(cause.code)}`;
  }
  return error instanceof Error ? error.message : String(error);
}
