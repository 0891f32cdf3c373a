import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';

const LINGER_MS = 2_000;

export type BrokenHttp = Error & { readonly code?: string };

/** The answer of a transport. */
export type AnswerToBrokenHttp = Pick<HttpResponse, 'status' | 'body'> & {
  readonly headers: Readonly<Record<string, string | number>>;
};

/**
 * Answers bytes that Node cannot parse as HTTP, such as headers that are too long, and bodies that did not arrive in time. There is no
 * request to refer to, but the answer has the format of the transport. Always closes the connection: a client that never closes its own
 * side would otherwise hold it.
 */
export function createAnswerBrokenHttp({
  answerTo,
  mayAnswer,
  isInUse,
  clock,
}: {
  readonly answerTo: (error: BrokenHttp, socket: Socket) => Promise<AnswerToBrokenHttp>;
  readonly mayAnswer: (socket: Socket) => boolean;
  readonly isInUse: (socket: Socket) => boolean;
  readonly clock: Pick<Clock, 'after'>;
}): (error: BrokenHttp, socket: Socket) => void {
  return (error, socket) => {
    // A connection without a request gets no answer: the client could take it for the answer to its next request.
    const isIdle = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !isInUse(socket);
    if (error.code === 'ECONNRESET' || isIdle || !mayAnswer(socket)) socket.destroy();
    else answer(error, socket).catch(() => socket.destroy());
  };

  async function answer(error: BrokenHttp, socket: Socket): Promise<void> {
    const { status, headers, body } = await answerTo(error, socket);
    if (!socket.writable) return void socket.destroy();
    const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    // Close later: bytes that the client still sends would make the system discard the answer.
    socket.once(
      'close',
      clock.after(LINGER_MS, () => socket.destroy()),
    );
  }
}

export type HttpResponse = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};
