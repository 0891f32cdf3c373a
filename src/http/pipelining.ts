import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection. Assistants do not pipeline; a proxy that does sends a few. */
const MAX_UNANSWERED = 8;

/**
 * Node reads all requests of a chunk in one turn, hundreds in 64 KB, and nobody else is served meanwhile. A connection with more
 * than a few that are not answered yet is closed, whoever it belongs to. Call it when all listeners are in place.
 */
export function limitPipelining(server: Server): void {
  const listeners = server.listeners('request');
  const unanswered = new WeakMap<Socket, number>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // What was read along with the request that closed the connection.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MAX_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once('close', answered);
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
  // An expectation that we do not know is ignored, as HTTP allows: Node's own answer would not be in the shape of the contract.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
  }
}
