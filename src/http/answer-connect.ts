import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';

const LINGER_MS = 2_000;

/**
 * Lets CONNECT, by which others would use us as a proxy, be answered and written down as every other request is. Left to itself, Node closes
 * the connection without a word. It has let go of the connection by then, so that all of it is seen to here.
 */
export function answerConnect(
  server: Server,
  { isInUse, clock }: { readonly isInUse: (socket: Socket) => boolean; readonly clock: Pick<Clock, 'after'> },
): void {
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    // An answer that is still due would have to go first, and nobody who means well asks for a tunnel behind it.
    if (isInUse(socket)) return void socket.destroy();
    // Whatever follows is for the other end of a tunnel that there is not.
    socket.resume();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      socket.end();
      // Not at once: the bytes that the client still sends would make the system discard the answer.
      socket.once(
        'close',
        clock.after(LINGER_MS, () => socket.destroy()),
      );
    });
    server.emit('request', request, response);
  });
}
