import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemAnswer } from '../answers/problem-answer.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import { responseTo, standardHeaders } from './write-response.ts';

/**
 * Bytes that are not HTTP, or an address and headers beyond every limit: there is no request to look at, so the answer is
 * plain, but it is JSON with the headers that every answer has.
 */
export function createAnswerBrokenHttp({
  newRequestId,
  rateOf,
}: {
  readonly newRequestId: () => string;
  readonly rateOf: (address: string) => Promise<RateReading>;
}): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET') return;
    answer(socket).catch(() => socket.destroy());
  };

  async function answer(socket: Socket): Promise<void> {
    const rate = await rateOf(socket.remoteAddress ?? '');
    if (!socket.writable) return;
    const call = { endpoint: 'any', path: '', method: '' } as const;
    const { status, body } = responseTo(problemAnswer('invalid_request', call), call.endpoint);
    const headers = {
      ...standardHeaders({ requestId: newRequestId(), rate, key: null }),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
}
