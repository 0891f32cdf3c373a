import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { loadedHome } from '../../test/support/loaded-home.ts';
import { createPlainIndexWriter } from '../../test/support/plain-index-writer.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import type { RefusedNights } from '../availability/availability-index.ts';
import { indexedHome, type LoadedHome } from '../availability/inventory-store.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { listingDigest, type Property } from '../catalogue/catalogue.ts';
import { weightOf } from '../parsing/owned-memory.ts';
import { catalogueEntry, createBrandOffer } from './brand-offer.ts';

const DAY = 86_400_000;
const house = sampleProperty({ brand: 'sol', reference: '1' });

function setUp() {
  const index = createPlainIndexWriter();
  const refused = new Map<string, readonly RefusedNights[]>();
  const clock = createFakeClock(0);
  const stored = new Map<string, Property>();
  const offer = createBrandOffer({
    brand: 'sol',
    index,
    listings: {
      home(id) {
        const property = stored.get(id);
        return property && { home: indexedHome(property), digest: listingDigest(property) };
      },
    },
    refusals: { takenNights: (id) => refused.get(id) ?? [] },
    clock,
    maxAgeMs: DAY,
  });
  /** As a refresh does it: what is in the catalogue is in the store before its calendars are put. */
  function replaceCatalogue(properties: readonly Property[]) {
    stored.clear();
    for (const property of properties) stored.set(property.id, property);
    return offer.replaceCatalogue(properties.map(catalogueEntry));
  }
  return { clock, index, refused, stored, offer, replaceCatalogue };
}

function priced(price: number) {
  const calendar = emptyCalendar(100, 3);
  calendar.price.fill(price);
  return calendar;
}

test('what was stored is found, read, withdrawn and replaced', async () => {
  const homes = Array.from({ length: 5000 }, (_, at) =>
    sampleProperty({ brand: 'sol', reference: String(at) }),
  );
  {
    const { clock, index, offer, stored, replaceCatalogue } = setUp();
    for (const home of homes) {
      stored.set(home.id, home);
      offer.putStored(loadedHome(home, priced(1), 0), clock.elapsed() - 1000);
    }
    assert.deepEqual([offer.size, offer.oldestReadAt()], [5000, clock.elapsed() - 1000]);
    assert.equal(offer.catalogueIsKnown, true);
    assert.deepEqual(
      ['sol:0', 'sol:4999', 'sol:5000'].map((id) => offer.hasCalendar(id)),
      [true, true, false],
    );
    assert.equal(offer.putCalendar('sol:7', priced(2), clock.elapsed()), true);
    assert.equal(offer.listing('sol:7')?.reference, '7');
    assert.equal(offer.size, 5000);
    await clock.advance(DAY - 60_000);
    const withdrawn = await offer.withdrawTooOld();
    assert.deepEqual([withdrawn.length, offer.size, index.entries.size], [4999, 1, 1]);
    const changed = await replaceCatalogue(homes.map((home) => ({ ...home, maxGuests: 9 })));
    assert.equal(changed.length, 5000);
    assert.equal(offer.hasCalendar('sol:7'), true);
    await replaceCatalogue([]);
    assert.deepEqual([offer.size, index.entries.size], [0, 0]);
  }
});

test('a calendar is withdrawn before it is older than a day, and a new reading brings it back', async () => {
  const { clock, index, offer, replaceCatalogue } = setUp();
  const other = sampleProperty({ brand: 'sol', reference: '2' });
  await replaceCatalogue([house, other]);
  const readAt = clock.elapsed();
  offer.putCalendar(house.id, priced(1), readAt);
  offer.putCalendar(other.id, priced(1), readAt + 120_000);
  await clock.advance(DAY - 60_000);
  assert.deepEqual(await offer.withdrawTooOld(), []);
  assert.equal(offer.oldestReadAt(), readAt);
  await clock.advance(1);
  assert.deepEqual(await offer.withdrawTooOld(), [house.id]);
  assert.deepEqual([...index.entries.keys()], [other.id]);
  assert.deepEqual([offer.hasCalendar(house.id), offer.oldestReadAt()], [false, readAt + 120_000]);
  assert.equal(offer.putCalendar(house.id, priced(2), readAt), false, 'read too long ago');
  assert.equal(offer.putCalendar(house.id, priced(2), clock.elapsed()), true);
  assert.equal(index.entries.get(house.id)?.calendar.price[0], 2);
});

test('what another node has stored is offered as it is, and let go of when it is in no catalogue any more', async () => {
  const { clock, index, offer, refused } = setUp();
  const other = sampleProperty({ brand: 'sol', reference: '2' });
  const follow = (homes: readonly LoadedHome[], removed: readonly string[] = []) =>
    offer.follow({ homes, removed, elapsedAt: (instant) => instant });
  refused.set(house.id, [{ from: 100, to: 102 }]);
  const now = clock.elapsed();
  await follow([loadedHome(house, priced(2), now), loadedHome(other, priced(2), now)]);
  assert.deepEqual([offer.size, offer.readAt(house.id), offer.total.listings], [2, now, 2]);
  assert.equal(index.hasStay(house.id, 100, 102), false, 'refused nights stay withdrawn');
  await follow([loadedHome(house, priced(1), now - 5000)], [other.id]);
  assert.equal(
    index.entries.get(house.id)?.calendar.price[0],
    1,
    'the order of the store counts, not that of the clocks',
  );
  assert.deepEqual([...index.entries.keys()], [house.id]);
  assert.deepEqual(offer.total, { listings: 1, bytes: weightOf(house) });
  await follow([loadedHome(house, priced(1), now - DAY)]);
  assert.deepEqual(
    [offer.size, index.entries.size, offer.listing(house.id)?.id],
    [0, 0, house.id],
    'too old',
  );
  await follow([loadedHome(house, priced(1), now), loadedHome(other, priced(1), now)]);
  await offer.keepOnly(new Set([other.id]));
  assert.deepEqual([...index.entries.keys()], [other.id]);
});

test('a closed offer shows nothing from that moment and takes nothing, until it is opened again', async () => {
  const { clock, index, stored, offer, replaceCatalogue } = setUp();
  const other = sampleProperty({ brand: 'sol', reference: '2' });
  await replaceCatalogue([house, other]);
  const now = clock.elapsed();
  offer.putCalendar(house.id, priced(1), now);
  offer.close();
  assert.deepEqual([index.propertyCount, offer.size, offer.hasCalendar(house.id)], [0, 0, false]);
  assert.equal(offer.oldestReadAt(), null);
  assert.equal(offer.putCalendar(other.id, priced(1), now), false);
  offer.putStored(loadedHome(other, priced(1), 0), now);
  await offer.follow({ homes: [loadedHome(other, priced(1), 0)], removed: [], elapsedAt: () => now });
  assert.equal(index.propertyCount, 0);
  await offer.clear();
  assert.deepEqual([offer.total, offer.listing(house.id)], [{ listings: 0, bytes: 0 }, undefined]);
  offer.open();
  stored.set(house.id, house);
  offer.putStored(loadedHome(house, priced(3), 0), now);
  offer.putStored(loadedHome(other, priced(3), 0), now - DAY);
  assert.deepEqual([...index.entries.keys()], [house.id], 'the other one is too old');
  assert.deepEqual([offer.size, offer.total.listings], [1, 2]);
  assert.equal(offer.putCalendar(house.id, priced(4), now), true);
});
