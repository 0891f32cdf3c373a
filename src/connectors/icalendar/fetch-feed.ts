import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { OpenClient, OperatorClient, OperatorRequest } from '../../outbound/operator-client.ts';
import { failureOf, type ReadHeader, retryAfterMs } from '../../outbound/read-answer.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { MAX_FEED_BYTES } from './content-lines.ts';
import { MAX_IN_FLIGHT_FOR_A_BRAND_ON_A_HOST } from './feed-pace.ts';

/** Fetches a feed. Every error is a `BookingSystemFailure` without the address, which is a secret. */
export type FetchFeed = (
  url: string,
  options: { readonly etag: string | null; readonly signal: AbortSignal } & AnswerListener,
) => Promise<FetchedFeed>;

type AnswerListener = Required<Pick<OperatorRequest, 'onAnswer'>>;

export type FeedFetcher = { readonly fetch: FetchFeed; close(): Promise<void> };

export type FetchedFeed =
  | { readonly kind: 'feed'; readonly bytes: OwnedBytes; readonly etag: string | null }
  /** Only for a request with an `etag`. */
  | { readonly kind: 'unchanged' };

/** Most operators publish all their feeds on one or two servers. */
const MAX_SERVERS = 32;
const TIMEOUT_MS = 10_000;

type FeedServer = { readonly client: OperatorClient; inFlight: number };

/**
 * Caches a client for each of the servers called last. An operator can write any address into its card; a private address is called only
 * on hosts that the owner has named.
 */
export function createFeedFetcher(openClient: OpenClient, namedHosts: readonly string[]): FeedFetcher {
  /** By origin, the least recently used first. */
  const servers = new Map<string, FeedServer>();
  const closings = new Set<Promise<void>>();

  function serverOf(origin: string): FeedServer {
    const server = servers.get(origin) ?? { client: open(origin), inFlight: 0 };
    servers.delete(origin);
    servers.set(origin, server);
    return server;
  }

  function open(origin: string): OperatorClient {
    const isPublicOnly = !namedHosts.includes(new URL(origin).host);
    return openClient({ baseUrl: origin, connections: MAX_IN_FLIGHT_FOR_A_BRAND_ON_A_HOST, isPublicOnly });
  }

  /** Closing a client aborts its calls, so a client with a call stays open; the pace of a brand limits their number. */
  function closeIdle(): void {
    for (const [origin, { client, inFlight }] of servers) {
      if (servers.size <= MAX_SERVERS) return;
      if (inFlight > 0) continue;
      servers.delete(origin);
      close(client);
    }
  }

  function close(client: OperatorClient): void {
    const closing = client.close();
    closings.add(closing);
    const forget = () => closings.delete(closing);
    closing.then(forget, forget);
  }

  return {
    async fetch(url, { etag, signal, onAnswer }) {
      const { origin, pathname, search } = new URL(url);
      const headers: Record<string, string> = etag === null ? {} : { 'if-none-match': etag };
      const server = serverOf(origin);
      server.inFlight += 1;
      try {
        const answer = await server.client.send(
          { method: 'GET', path: pathname + search, headers, type: 'calendar', onAnswer },
          { timeoutMs: TIMEOUT_MS, maxBytes: MAX_FEED_BYTES, signal },
        );
        if (answer.kind === 'document') return { kind: 'feed', bytes: answer.bytes, etag: answer.etag };
        if (etag === null) throw failureOf(304);
        return answer;
      } finally {
        server.inFlight -= 1;
        closeIdle();
      }
    },
    async close() {
      for (const { client } of servers.values()) close(client);
      servers.clear();
      await Promise.all(closings);
    },
  };
}

/**
 * The servers that are not called for feeds of a brand for a while: those that repeatedly do not answer, because each feed would hold a
 * place of its host for ten seconds, and those that request a pause.
 */
type SilentOrigins = {
  noteAnswer(origin: string): void;
  /** 429, or 503 with `Retry-After`, starts a pause, which no other answer ends. */
  noteStatus(origin: string, status: number, header: ReadHeader): void;
  /** Records how a request for a feed failed, and after how long. */
  noteFailure(origin: string, failure: BookingSystemFailure, tookMs: number): void;
  /** The reason not to call the server now. */
  refusal(origin: string): BookingSystemFailure | undefined;
};

/** One hanging feed proves nothing about the others. */
const MIN_SILENCES_IN_A_ROW = 8;
/** An immediately refused connection costs nothing; one that fails after a while is as bad as one that hangs. */
const MIN_SILENCE_MS = 1000;
const REST_MS = 60_000;
/** Shorter than the default maximum age of a reading, so that one pause withdraws no home read a minute before. */
const MIN_PAUSE_MS = 180_000;
const MAX_PAUSE_MS = 3_600_000;
const MAX_ORIGINS = 100;

export function createSilentOrigins(clock: Pick<Clock, 'elapsed' | 'now'>): SilentOrigins {
  const silences = new LRUCache<string, { readonly inARow: number; readonly at: number }>({
    max: MAX_ORIGINS,
  });
  const pausesUntil = new LRUCache<string, number>({ max: MAX_ORIGINS });

  function noteAnswer(origin: string): void {
    silences.delete(origin);
  }

  return {
    noteAnswer,
    noteStatus(origin, status, header) {
      const namedMs = retryAfterMs(header, clock.now());
      if (status !== 429 && (status !== 503 || namedMs === undefined)) return;
      const pauseMs = Math.min(Math.max(namedMs ?? 0, MIN_PAUSE_MS), MAX_PAUSE_MS);
      pausesUntil.set(origin, Math.max(pausesUntil.get(origin) ?? 0, clock.elapsed() + pauseMs));
    },
    noteFailure(origin, { kind }, tookMs) {
      if (kind !== 'timeout' && kind !== 'unreachable') return noteAnswer(origin);
      // A quick failure is not an answer, so it does not end a silence.
      if (tookMs < MIN_SILENCE_MS) return;
      silences.set(origin, { inARow: (silences.get(origin)?.inARow ?? 0) + 1, at: clock.elapsed() });
    },
    refusal(origin) {
      if (clock.elapsed() < (pausesUntil.get(origin) ?? 0)) {
        return new BookingSystemFailure('rate_limited', 'its server has asked for a pause');
      }
      const silence = silences.get(origin);
      if (!silence || silence.inARow < MIN_SILENCES_IN_A_ROW || clock.elapsed() - silence.at >= REST_MS) {
        return undefined;
      }
      return new BookingSystemFailure('timeout', 'the last feeds on its server gave no answer');
    },
  };
}
