import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { createGatherListings } from './gather-listings.ts';

const gather = () =>
  createGatherListings({
    intake: { run: () => assert.fail('nothing is read'), close: async () => undefined },
    context: {} as never,
    budget: { listings: 10, bytes: 1000 },
  });

describe('the listings of a brand', () => {
  it('are counted when they are refused too, so that a vendor cannot send them without end', () => {
    const { take } = gather();
    for (let page = 0; page < 4; page += 1)
      take(
        Array.from({ length: 10 }, () => ({ property: null })),
        0,
      );
    assert.throws(
      () => take([{ property: null }], 0),
      (error) => error instanceof BookingSystemFailure && error.kind === 'too_large',
    );
  });
});
