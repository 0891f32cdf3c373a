import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { createRequestBudget, type RequestBudget } from '../../limits/request-budget.ts';
import type { OpenSharedAccount } from '../../limits/shared-limits.ts';
import type { RateWindow } from '../../limits/window-count.ts';
import type { HttpClient, HttpRequest, OpenClient } from '../../outbound/http-client.ts';
import { failureOf } from '../../outbound/read-answer.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import type { Random } from '../../random.ts';
import { MAX_FEED_BYTES } from './content-lines.ts';

/** The requests that all brands and nodes together may send to a host, without its port: many ports are still one machine. */
export type FeedPace = (host: string) => Pick<RequestBudget, 'take' | 'pause' | 'restsForMs'>;

/** Per second as many as a web page with pictures; ten a second on average do not burden a channel with thousands of callers. */
const WINDOWS: readonly RateWindow[] = [
  { requests: 20, perMs: 1000 },
  { requests: 600, perMs: 60_000 },
];
/** A few, so that one feed that hangs does not stop the others of the host. */
const MAX_IN_FLIGHT = 3;
const MAX_HOSTS = 4000;

export function createFeedPace({
  clock,
  share,
  random,
}: {
  readonly clock: Clock;
  /** Left out where no other node reads feeds. */
  readonly share?: OpenSharedAccount | undefined;
  readonly random: Random;
}): FeedPace {
  const budgets = new LRUCache<string, RequestBudget>({ max: MAX_HOSTS });
  const terms = { windows: WINDOWS, maxInFlight: MAX_IN_FLIGHT };
  return (host) => {
    const known = budgets.get(host);
    if (known) return known;
    // Without the name of the host: failures are shown, and the address of a feed is a secret.
    const account = 'the server of the feed';
    const shared = share ? { budget: share({ id: `feeds on/${host}`, ...terms }).budget, random } : null;
    const budget = createRequestBudget({ ...terms, account, shared, clock });
    budgets.set(host, budget);
    return budget;
  };
}

/** Fetches a feed. Every error is a `BookingSystemFailure` without the address. */
export type FetchFeed = (
  url: string,
  options: { readonly etag: string | null; readonly signal: AbortSignal } & Required<
    Pick<HttpRequest, 'onAnswer'>
  >,
) => Promise<FetchedFeed>;

export type FeedFetcher = { readonly fetch: FetchFeed; close(): Promise<void> };

export type FetchedFeed =
  | { readonly kind: 'feed'; readonly bytes: OwnedBytes; readonly etag: string | null }
  /** Only for a request with an `etag`. */
  | { readonly kind: 'unchanged' };

/** Most operators publish all their feeds on one or two servers. */
const MAX_IDLE_SERVERS = 32;
const TIMEOUT_MS = 10_000;

type FeedServer = { readonly client: HttpClient; inFlight: number };

/**
 * Caches a client for each of the servers called last. An operator can write any address into its card; a private address is called only
 * on hosts that the owner has named.
 */
export function createFeedFetcher(openClient: OpenClient, namedHosts: readonly string[]): FeedFetcher {
  /** By origin, the least recently used first. */
  const servers = new Map<string, FeedServer>();

  function open(origin: string): HttpClient {
    const isPublicOnly = !namedHosts.includes(new URL(origin).host);
    return openClient({ baseUrl: origin, connections: MAX_IN_FLIGHT, isPublicOnly });
  }

  /** Closing a client aborts its calls, so a client with a call stays open. */
  function closeIdle(): void {
    for (const [origin, { client, inFlight }] of servers) {
      if (servers.size <= MAX_IDLE_SERVERS) return;
      if (inFlight > 0) continue;
      servers.delete(origin);
      client.close().catch(() => undefined);
    }
  }

  return {
    async fetch(url, { etag, signal, onAnswer }) {
      const { origin, pathname, search } = new URL(url);
      const headers: Record<string, string> = etag === null ? {} : { 'if-none-match': etag };
      const server = servers.get(origin) ?? { client: open(origin), inFlight: 0 };
      servers.delete(origin);
      servers.set(origin, server);
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
      await Promise.all(Array.from(servers.values(), ({ client }) => client.close()));
      servers.clear();
    },
  };
}
