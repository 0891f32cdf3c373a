import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemAnswer } from '../answers/problem-answer.ts';
import type { Clock } from '../clock.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import { responseTo, standardHeaders } from './write-response.ts';

const LINGER_MS = 2_000;

/**
 * Answers what Node cannot parse as HTTP, such as headers that are too long, and a body that did not come in time. There is no
 * request to refer to, but the answer is JSON with the standard headers. The connection is closed in any case: a client
 * that never closes its own side would otherwise keep it.
 */
export function createAnswerBrokenHttp({
  newRequestId,
  rateOf,
  mayAnswer,
  isInUse,
  clock,
}: {
  readonly newRequestId: () => string;
  readonly rateOf: (address: string) => Promise<RateReading>;
  readonly mayAnswer: (socket: Socket) => boolean;
  readonly isInUse: (socket: Socket) => boolean;
  readonly clock: Clock;
}): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // A connection on which nothing was asked gets no answer: the client could take it for that to its next request.
    const isIdle = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !isInUse(socket);
    if (error.code === 'ECONNRESET' || isIdle || !mayAnswer(socket)) socket.destroy();
    else answer(socket).catch(() => socket.destroy());
  };

  async function answer(socket: Socket): Promise<void> {
    const rate = await rateOf(socket.remoteAddress ?? '');
    if (!socket.writable) return void socket.destroy();
    const call = { endpoint: 'any', path: '/', method: '' } as const;
    const { status, body } = responseTo(problemAnswer('invalid_request', call), call.endpoint);
    const headers = {
      ...standardHeaders({ requestId: newRequestId(), rate, key: null }),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    // Not at once: the bytes that the client still sends would make the system discard the answer.
    socket.once(
      'close',
      clock.after(LINGER_MS, () => socket.destroy()),
    );
  }
}
