import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holdsLittle, inAttempts } from '../../../../test/support/longest-hold.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import { createKnownListings, type KnownListing } from './known-listings.ts';

const MAX_HOLD_MS = 50;
const listing: KnownListing = { currency: 'EUR', maxGuests: 4, minimumStay: 2, maximumStay: null };

function disk(content?: string) {
  let document: OwnedBytes | undefined =
    content === undefined ? undefined : new TextEncoder().encode(content);
  return {
    read: async () => document,
    save: async (bytes: OwnedBytes) => {
      document = bytes;
    },
  };
}

describe('known listings', () => {
  it('are known after a restart, and hold the event loop for less than 50 ms however many they are', async (t) => {
    const listings = new Map(Array.from({ length: 20_000 }, (_, at) => [`${'x'.repeat(100)}${at}`, listing]));
    await inAttempts(async () => {
      const stored = disk();
      const again = createKnownListings(stored);
      await holdsLittle(t, { what: 'storing', maxMs: MAX_HOLD_MS }, () =>
        createKnownListings(stored).keep(listings),
      );
      await holdsLittle(t, { what: 'loading', maxMs: MAX_HOLD_MS }, () => again.all());
      assert.deepEqual(await again.all(), listings);
    });
  });

  for (const content of [undefined, '', '[["a",{"currency":"EUR"}]]', '{}', 'staywire entries 1\n[null]\n']) {
    it(`are none when the store has ${JSON.stringify(content)}`, async () => {
      assert.equal(await createKnownListings(disk(content)).all(), undefined);
    });
  }

  it('of a catalogue that is read meanwhile count more than the stored ones', async () => {
    const stored = disk();
    await createKnownListings(stored).keep(new Map([['old', listing]]));
    const known = createKnownListings(stored);
    const loading = known.all();
    const fresh = new Map([['new', listing]]);
    await known.keep(fresh);
    assert.deepEqual(await loading, fresh);
    assert.deepEqual(await createKnownListings(stored).all(), fresh);
  });
});
