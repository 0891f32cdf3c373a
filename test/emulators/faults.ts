import type { ServerResponse } from 'node:http';
import type { EmulatedAnswer } from './exchange.ts';

export const FAULT_KINDS = [
  'slow',
  'error_500',
  'truncated_json',
  'wrong_types',
  'html_error_page',
  'redirect',
  'oversized',
  'drip_fed',
  'expired_token',
  'empty_body',
  'connection_reset',
  'rate_limited',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What a fault needs besides the honest answer. */
export type FaultSources = {
  readonly redirectTo: string;
  readonly serverError: EmulatedAnswer;
  readonly expiredToken: () => EmulatedAnswer;
  readonly tooManyRequests: () => EmulatedAnswer;
};

type FaultySender = (response: ServerResponse, honest: EmulatedAnswer, sources: FaultSources) => void;

const SLOW_MS = 60_000;
const DRIP_MS = 200;
const OVERSIZED_BYTES = 64 * 1024 * 1024;
const SPACES = Buffer.alloc(64 * 1024, ' ');

export const SEND_WITH_FAULT: Readonly<Record<FaultKind, FaultySender>> = {
  slow(response, honest) {
    const timer = setTimeout(() => sendAnswer(response, honest), SLOW_MS);
    response.once('close', () => clearTimeout(timer));
  },
  error_500: (response, _honest, { serverError }) => sendAnswer(response, serverError),
  truncated_json(response, honest) {
    const body = Buffer.from(honest.body);
    sendAnswer(response, { ...honest, body: body.subarray(0, Math.floor(body.length / 2)) });
  },
  wrong_types(response, honest) {
    sendAnswer(response, { ...honest, body: withSwappedTypes(honest.body.toString()) });
  },
  html_error_page: (response) =>
    sendAnswer(response, {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<!doctype html><title>We will be back</title><h1>Down for maintenance</h1>',
    }),
  redirect: (response, _honest, { redirectTo }) =>
    sendAnswer(response, { status: 302, headers: { location: redirectTo }, body: '' }),
  oversized(response, honest) {
    response.writeHead(honest.status, honest.headers);
    let left = OVERSIZED_BYTES;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= SPACES.length;
        if (!response.write(SPACES)) return;
      }
      response.end();
    };
    response.on('drain', more);
    response.write(honest.body);
    more();
  },
  drip_fed(response, honest) {
    response.writeHead(honest.status, honest.headers);
    const body = Buffer.from(honest.body);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(body.subarray(sent, sent + 1));
      sent += 1;
      if (sent >= body.length) response.end();
    }, DRIP_MS);
    response.once('close', () => clearInterval(timer));
  },
  expired_token: (response, _honest, { expiredToken }) => sendAnswer(response, expiredToken()),
  empty_body: (response, honest) => sendAnswer(response, { ...honest, status: 200, body: '' }),
  connection_reset: (response) => {
    response.socket?.resetAndDestroy();
  },
  rate_limited: (response, _honest, { tooManyRequests }) => sendAnswer(response, tooManyRequests()),
};

export function sendAnswer(response: ServerResponse, answer: EmulatedAnswer): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.body)),
  });
  response.end(answer.body);
}

/** A body that is not JSON has no types to swap. */
function withSwappedTypes(body: string): string {
  try {
    return JSON.stringify(swapTypes(JSON.parse(body)));
  } catch {
    return body;
  }
}

/** Numbers become text and text becomes numbers; a list becomes an object of its positions. */
export function swapTypes(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return Number.isNaN(Number(value)) ? value.length : Number(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, swapTypes(inner)]));
}
