import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainIndexWriter } from '../../test/support/plain-index-writer.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import type { RefusedNights } from '../inventory/availability-index/availability-index.ts';
import { emptyCalendar } from '../inventory/calendar.ts';
import { createBrandOffer } from './brand-offer.ts';

const DAY = 86_400_000;
const house = sampleProperty({ brand: 'sol', reference: '1' });

function setUp() {
  const index = createPlainIndexWriter();
  const refused = new Map<string, readonly RefusedNights[]>();
  const clock = createFakeClock(0);
  const offer = createBrandOffer({
    index,
    refusals: { takenNights: (id) => refused.get(id) ?? [] },
    clock,
    maxAgeMs: DAY,
  });
  return { clock, index, refused, offer };
}

function priced(price: number) {
  const calendar = emptyCalendar(100, 3);
  calendar.price.fill(price);
  return calendar;
}

test('a reading that was overtaken by a newer one changes nothing', async () => {
  const { index, offer } = setUp();
  await offer.replaceCatalogue([house]);
  offer.putCalendar(house.id, priced(2), 2000);
  offer.putCalendar(house.id, priced(1), 1000);
  assert.equal(index.entries.get(house.id)?.calendar.price[0], 2);
});

test('a calendar that comes after its property has vanished does not bring it back', async () => {
  const { index, offer } = setUp();
  await offer.replaceCatalogue([house]);
  offer.putCalendar(house.id, priced(1), 1000);
  await offer.replaceCatalogue([]);
  offer.putCalendar(house.id, priced(1), 2000);
  assert.equal(index.entries.size, 0);
  assert.equal(offer.size, 0);
});

test('a calendar goes with the newest facts of its property', async () => {
  const { index, offer } = setUp();
  offer.restore([{ property: house, calendar: priced(1), readAt: 0 }]);
  await offer.replaceCatalogue([{ ...house, maxGuests: 9 }]);
  offer.putCalendar(house.id, priced(2), 1000);
  assert.equal(index.entries.get(house.id)?.property.maxGuests, 9);
});

test('the store says nothing any more once the operator has spoken', async () => {
  const { index, offer } = setUp();
  await offer.replaceCatalogue([]);
  offer.restore([{ property: house, calendar: priced(1), readAt: 0 }]);
  assert.equal(index.entries.size, 0);
});

test('neither a calendar that is read nor a stored one brings back a stay that was refused', async () => {
  const { index, refused, offer } = setUp();
  const calendar = emptyCalendar(100, 3);
  calendar.available.fill(1);
  refused.set(house.id, [{ from: 100, to: 102 }]);
  offer.restore([{ property: house, calendar, readAt: 0 }]);
  assert.deepEqual([index.hasStay(house.id, 100, 102), index.hasStay(house.id, 101, 103)], [false, true]);
  await offer.replaceCatalogue([house]);
  offer.putCalendar(house.id, calendar, 1000);
  assert.deepEqual([index.hasStay(house.id, 100, 102), index.hasStay(house.id, 101, 103)], [false, true]);
  refused.clear();
  offer.putCalendar(house.id, calendar, 2000);
  assert.equal(index.hasStay(house.id, 100, 102), true);
});
