import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemAnswer } from '../answers/problem-answer.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import { responseTo, standardHeaders } from './write-response.ts';

/**
 * Answers what Node cannot parse as HTTP, such as headers that are too long. There is no request to refer to, but the
 * answer is JSON with the standard headers.
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
