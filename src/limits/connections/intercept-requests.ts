import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** `take` gets every request before those who listen already; they get the ones that it leaves to them. */
export function interceptRequests(
  server: Server,
  take: (request: IncomingMessage, response: ServerResponse<IncomingMessage>) => boolean,
): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (take(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}
