import { API_VERSION } from '../contract/version.ts';
import type { RateReading } from '../sessions/rate-windows.ts';

const HEADERS_OF_EVERY_ANSWER = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-api-version': API_VERSION,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export function standardHeaders(
  requestId: string,
  rate: RateReading,
  key: string | null,
): Record<string, string | number> {
  return {
    ...HEADERS_OF_EVERY_ANSWER,
    'x-request-id': requestId,
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-reset': rate.resetAt,
    ...(key === null ? {} : { 'idempotency-key': key }),
  };
}
