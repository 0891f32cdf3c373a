import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../support/fake-clock.ts';
import { startBeds24 } from './beds24.ts';
import { startBookingsync } from './bookingsync.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import { FAULT_KINDS, type FaultKind } from './faults.ts';
import { startGuesty } from './guesty.ts';
import { aHome } from './homes.ts';
import { jsonOf } from './json-of.ts';

const START = Date.parse('2027-03-10T12:00:00Z');

type VendorUnderTest = {
  readonly start: (options: EmulatorOptions) => Promise<Emulator>;
  readonly newToken: (emulator: Emulator) => Promise<string>;
  readonly list: (emulator: Emulator, token: string, signal: AbortSignal) => Promise<Response>;
  /** Which says when to come back. */
  readonly limitHeader: readonly [name: string, value: string];
};

const VENDORS: Readonly<Record<string, VendorUnderTest>> = {
  bookingsync: {
    start: startBookingsync,
    newToken: (emulator) => postForm(emulator, '/oauth/token', { grant_type: 'client_credentials' }),
    list: (emulator, token, signal) =>
      fetch(`${emulator.url}/rentals`, { headers: bearer(token), redirect: 'manual', signal }),
    limitHeader: ['x-ratelimit-reset', String(START / 1000 + 3600)],
  },
  guesty: {
    start: startGuesty,
    newToken: (emulator) =>
      postForm(emulator, '/oauth2/token', { grant_type: 'client_credentials', scope: 'booking_engine:api' }),
    list: (emulator, token, signal) =>
      fetch(`${emulator.url}/api/listings`, { headers: bearer(token), redirect: 'manual', signal }),
    limitHeader: ['retry-after', '1'],
  },
  beds24: {
    start: startBeds24,
    async newToken({ url, credentials }) {
      const headers = { refreshToken: credentials.refresh_token ?? '' };
      return (await jsonOf(await fetch(`${url}/authentication/token`, { headers }))).token;
    },
    list: (emulator, token, signal) =>
      fetch(`${emulator.url}/properties`, { headers: { token }, redirect: 'manual', signal }),
    limitHeader: ['x-five-min-limit-resets-in', '300'],
  },
};

/** What a client sees of each fault, before it looks into the body. */
const SEEN: Readonly<Record<FaultKind, number | 'nothing'>> = {
  slow: 'nothing',
  error_500: 500,
  truncated_json: 200,
  wrong_types: 200,
  html_error_page: 200,
  redirect: 302,
  oversized: 200,
  drip_fed: 200,
  expired_token: 401,
  empty_body: 200,
  connection_reset: 'nothing',
  rate_limited: 429,
};

for (const [name, vendor] of Object.entries(VENDORS)) {
  describe(`the faults of ${name}`, () => {
    for (const fault of FAULT_KINDS) {
      it(`${fault}, and honest again afterwards`, async (test) => {
        const clock = createFakeClock(START);
        const emulator = await vendor.start({ homes: [aHome()], now: clock.now, limits: 'documented' });
        test.after(() => emulator.close());
        const token = await vendor.newToken(emulator);
        emulator.setFault(fault, 'catalogue');
        const leaving = new AbortController();
        // Long enough for any answer that comes at all; the slow one is left at once.
        const impatience = fault === 'slow' ? AbortSignal.timeout(30) : leaving.signal;
        const response = await vendor.list(emulator, token, impatience).catch(() => null);
        assert.equal(response?.status ?? 'nothing', SEEN[fault]);
        if (fault === 'rate_limited') {
          const [header, value] = vendor.limitHeader;
          assert.equal(response?.headers.get(header), value);
        }
        leaving.abort();

        emulator.setFault(null);
        const after = fault === 'expired_token' ? await vendor.newToken(emulator) : token;
        assert.equal((await vendor.list(emulator, after, AbortSignal.timeout(5000))).status, 200);
        if (fault === 'expired_token') {
          assert.equal((await vendor.list(emulator, token, AbortSignal.timeout(5000))).status, 401);
        }
      });
    }
  });
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function postForm(
  { url, credentials }: Emulator,
  path: string,
  form: Record<string, string>,
): Promise<string> {
  const body = new URLSearchParams({ ...credentials, ...form });
  return (await jsonOf(await fetch(new URL(path, url), { method: 'POST', body }))).access_token;
}
