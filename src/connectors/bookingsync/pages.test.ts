import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { VendorCalls } from '../shared/vendors/vendor-calls.ts';
import { createBookingsyncListReader } from './pages.ts';

const signal = new AbortController().signal;

/** Every page announces another one. */
function endlessVendor(bytes: number) {
  const asked: number[] = [];
  const calls: Pick<VendorCalls, 'read'> = {
    async read({ maxBytes }) {
      asked.push(maxBytes);
      if (bytes > maxBytes) throw new BookingSystemFailure('too_large', 'the document is too long');
      return {
        items: [],
        summary: { pages: null } as never,
        status: 200,
        header: (name) => (name === 'link' ? '<x>; rel="next"' : undefined),
        bytes,
      };
    },
  };
  return { asked, readList: createBookingsyncListReader(calls) };
}
const list = {
  path: '/rates',
  task: 'bookingsync_calendar_parts',
  parameters: { resource: 'rates', horizon: { from: 20_666, nights: 4 }, currencies: null },
  signal,
  onPage: () => true,
} as const;
const isTooLarge = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'too_large';

describe('a list whose pages never end', () => {
  it('is given up after as many as it may have', async () => {
    const { asked, readList } = endlessVendor(10);
    await assert.rejects(readList({ ...list, maxPages: 7 }), isTooLarge);
    assert.equal(asked.length, 7);
  });

  it('is given up after as many bytes as its pages may have together', async () => {
    const { asked, readList } = endlessVendor(400);
    await assert.rejects(readList({ ...list, maxBytes: 1000 }), isTooLarge);
    assert.deepEqual(asked, [1000, 600, 200]);
  });
});
