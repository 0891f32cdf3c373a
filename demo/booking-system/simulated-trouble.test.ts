import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBookings } from '../bookings.ts';
import { BRANDS } from '../brands.ts';
import { createOperator } from '../operator.ts';
import { bookingSystemRoutes } from './booking-system-routes.ts';

function quoteRoute(steady: boolean) {
  const brand = BRANDS.find(({ isUnreliable }) => isUnreliable);
  assert.ok(brand);
  const waits: number[] = [];
  const now = () => Date.UTC(2026, 10, 15);
  const clock = {
    now,
    elapsed: now,
    after(milliseconds: number, action: () => void) {
      waits.push(milliseconds);
      queueMicrotask(action);
      return () => {};
    },
  };
  const bookings = createBookings(null);
  const operator = createOperator({ brand, site: 'http://127.0.0.1/x', bookings, now });
  const route = bookingSystemRoutes({ operator, bookings, clock, steady }).find(({ path }) =>
    path.endsWith('/quotes'),
  );
  assert.ok(route);
  const body = JSON.stringify({
    properties: ['DR-101'],
    check_in: '2027-03-01',
    check_out: '2027-03-04',
    guests: 2,
    currency: 'EUR',
  });
  const ask = () => route.answer({ parameters: {}, query: new URLSearchParams(), headers: {}, body });
  return { ask, waits };
}

test('the unreliable operator is slow, and every seventh quote call fails', async () => {
  const { ask, waits } = quoteRoute(false);
  const statuses: number[] = [];
  for (let call = 0; call < 15; call++) statuses.push((await ask()).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 503, 200, 200, 200, 200, 200, 200, 503, 200]);
  assert.equal(waits.length, 15);
  assert.ok(waits.every((wait) => wait >= 300 && wait <= 900));
  assert.ok(new Set(waits).size > 5, 'not always the same delay');
});

test('on a steady network it neither waits nor fails', async () => {
  const { ask, waits } = quoteRoute(true);
  for (let call = 0; call < 15; call++) assert.equal((await ask()).status, 200);
  assert.deepEqual(waits, []);
});
