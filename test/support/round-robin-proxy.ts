import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer that sends each request to another node than the one before, so that no two requests of a session meet. */
export type RoundRobinProxy = {
  readonly origin: string;
  close(): Promise<void>;
};

/**
 * `nodes` gives the origins of the nodes that are up. A node that does not take a connection is passed over; a request that was sent is
 * never sent again, because nobody knows whether it was carried out.
 */
export async function startRoundRobinProxy(nodes: () => readonly string[]): Promise<RoundRobinProxy> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    turn += 1;
    const all = nodes();
    const body = Buffer.concat(parts);
    const order = all.map((_, at) => all[(turn + at) % all.length] ?? '');
    await passOn(request, response, body, order);
  });

  async function passOn(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    [origin, ...others]: readonly string[],
  ): Promise<void> {
    if (origin === undefined) return void response.writeHead(503).end();
    const { host: _, connection: __, ...headers } = request.headers;
    const upstream = send(`${origin}${request.url}`, {
      agent,
      method: request.method,
      headers: { ...headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' },
    });
    upstream.end(body);
    try {
      const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    } catch (fault) {
      const wasRefused = fault instanceof Error && 'code' in fault && fault.code === 'ECONNREFUSED';
      if (wasRefused) return passOn(request, response, body, others);
      // The client learns no more than that it got no answer.
      response.destroy();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
