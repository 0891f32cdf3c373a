import type { AnswerToBrokenHttp, BrokenHttp } from '../limits/broken-http.ts';
import { SECURITY_HEADERS } from './guard.ts';

const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const UNREADABLE = 'What was sent cannot be read. Nothing was done.';
const TEXT_OF_STATUS: Readonly<Record<number, string>> = {
  408: 'What was sent did not arrive in time. Nothing was done.',
  // A server on another port of the host can set cookies until nothing else fits.
  431: 'The headers are too long. If your browser sent them, delete the cookies of this host in it.',
};

/** The answer to what is no request, guarded as all others; it repeats nothing of what was sent. */
export function brokenAnswer({ code = '' }: BrokenHttp): AnswerToBrokenHttp {
  const status = STATUS_OF_FAULT[code] ?? 400;
  const headers = { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: `${TEXT_OF_STATUS[status] ?? UNREADABLE}\n` };
}
