import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAddressedToUs } from '../access/caller-facts.ts';
import type { Clock } from '../clock.ts';
import { createLimitedServer } from '../limits/connection-limits.ts';

/** Enough for a few scrapers; a further connection closes the oldest. */
export const MAX_METRICS_CONNECTIONS = 20;
const TIMES = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 };
const MAX_ANSWER_MS = 30_000;
const MIN_MS_BETWEEN_RENDERINGS = 200;
const OTHER_HOST =
  'Metrics are read by address, as localhost, or under a name in STAYWIRE_METRICS_HOST or STAYWIRE_HOSTS, and not by pages of a browser.\n';

export type MetricsServer = { readonly port: number; close(): Promise<void> };

/** Serves `/metrics` on a separate port, so that it can stay private. */
export async function startMetricsServer(deps: {
  readonly render: () => Promise<string>;
  readonly contentType: string;
  readonly host: string;
  /** Accepted host names, besides `host`, localhost and every address. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly clock: Clock;
}): Promise<MetricsServer> {
  let rendering: Promise<string> | null = null;
  /** Concurrent requests share one rendering, which takes milliseconds. */
  function rendered(): Promise<string> {
    rendering ??= deps
      .render()
      .finally(() => deps.clock.after(MIN_MS_BETWEEN_RENDERINGS, () => (rendering = null)));
    return rendering;
  }
  const addressedToUs = createAddressedToUs({ publicUrl: null, hosts: [deps.host, ...deps.hosts] });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, 'sec-fetch-site': site = 'none' } = request.headers;
    const isOfAnotherSite = origin !== undefined || (site !== 'none' && site !== 'same-origin');
    if (isOfAnotherSite || !addressedToUs(request)) {
      return void response.writeHead(403).end(OTHER_HOST);
    }
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    try {
      const text = await rendered();
      response.writeHead(200, { 'content-type': deps.contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  }
  const { server, listen, close } = createLimitedServer({
    maxConnections: MAX_METRICS_CONNECTIONS,
    maxAnswerMs: MAX_ANSWER_MS,
    clock: deps.clock,
    options: TIMES,
    serve: (request, response) => void serve(request, response),
  });
  const origin = await listen({ host: deps.host, port: deps.port });
  return {
    port: Number(new URL(origin).port),
    close() {
      const closed = close();
      server.closeAllConnections();
      return closed;
    },
  };
}
