import type { Clock } from '../../clock.ts';
import { retryAfterMs, type VendorManners } from '../account/account-client.ts';
import type { ReadHeader } from '../http/read-answer.ts';

/** The longest window that Hostaway publishes. */
const WINDOW_MS = 10_000;

export function hostawayManners(clock: Clock): VendorManners {
  return {
    authorization: (token) => ({ authorization: `Bearer ${token}` }),
    tokenRefusals: [401, 403],
    readBudget: (header, status) => {
      if (status === 429) {
        const pauseMs = pauseUntil(header, clock.now()) ?? retryAfterMs(header, clock.now()) ?? WINDOW_MS;
        return { pauseMs };
      }
      const left = header('x-ratelimit-remaining')?.trim() ?? '';
      return /^\d{1,9}$/.test(left) ? { left: Number(left), leftEndsInMs: WINDOW_MS } : {};
    },
  };
}

/** A moment in seconds since 1970, and not how long to wait. */
function pauseUntil(header: ReadHeader, now: number): number | undefined {
  const text = header('x-ratelimit-retry-after')?.trim() ?? '';
  return /^\d{10}$/.test(text) ? Math.max(0, Number(text) * 1000 - now) : undefined;
}
