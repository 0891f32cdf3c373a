import assert from 'node:assert/strict';
import { csvOf } from '../../support/synthetic-city.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { oddText } from '../odd-values.ts';
import { BOOKINGS_READ_AT, bookingsFileFrom, bookingsFrom } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const BOOKING = {
  reference: 'B-1',
  quote: 'nxq_0123456789abcdefghijkl',
  status: 'booked',
  booked_at: '2026-11-01T12:30:00Z',
  amount: '532.00',
  currency: 'EUR',
};
const VALID_PAGE = {
  bookings: [
    BOOKING,
    { ...BOOKING, reference: 'B-2', quote: null, status: 'cancelled', guest: { name: 'Ana' } },
  ],
  next_page: null,
};
const VALID_FILE = csvOf([BOOKING, { ...BOOKING, reference: 'B-2', quote: '', status: 'cancelled' }]);

/** Bookings that operators report, as pages and as files. */
export const bookings: FuzzTarget = {
  name: 'bookings',
  weight: 4,
  maxCpuMs: 25,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  if (random.oneIn(2)) {
    const page = spelledJson(mutatedJson(VALID_PAGE, random), random);
    assertSafe(timed(() => bookingsFrom(page), page.length) ?? []);
    return;
  }
  const at = random.integer(VALID_FILE.length);
  const text = VALID_FILE.slice(0, at) + oddText(random) + VALID_FILE.slice(at + random.integer(4));
  assertSafe(timed(() => bookingsFileFrom(text), text.length) ?? []);
}

function assertSafe(read: NonNullable<ReturnType<typeof bookingsFrom>>): void {
  for (const booking of read) {
    assert.deepEqual(Object.keys(booking).sort(), [
      'amount',
      'bookedAt',
      'brand',
      'currency',
      'nxq',
      'reference',
      'status',
    ]);
    assert.match(booking.reference, /^[\w./-]{1,64}$/);
    assert.match(booking.nxq ?? 'nxq_x', /^nxq_[\w-]{1,64}$/);
    assert.ok(Number.isSafeInteger(booking.amount) && booking.amount >= 0);
    assert.ok(booking.bookedAt <= BOOKINGS_READ_AT + 86_400_000);
    assert.match(booking.currency, /^[A-Z]{3}$/);
  }
}
