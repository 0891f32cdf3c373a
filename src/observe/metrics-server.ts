import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type MetricsServer = { readonly port: number; close(): Promise<void> };

/** Serves `/metrics` on a separate port, so that it can be kept private. */
export async function startMetricsServer(deps: {
  readonly render: () => Promise<string>;
  readonly contentType: string;
  readonly host: string;
  readonly port: number;
}): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, async (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    try {
      const text = await deps.render();
      response.writeHead(200, { 'content-type': deps.contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(deps.port, deps.host, resolve);
  });
  return {
    port: portOf(server.address()),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}
