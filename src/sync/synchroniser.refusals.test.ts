import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStored } from '../../test/support/all-stored.ts';
import {
  allFree,
  catalogueOf,
  healthyBrand,
  never,
  setUpSynchroniser as setUp,
  TODAY,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { UNAVAILABLE_REASONS } from '../quotes/booking-system.ts';

const stay = (checkIn: number, checkOut: number) => ({ checkIn, checkOut, guests: 2 });

test('a refused stay leaves the index at once, and the calendar is read again soon', async () => {
  const taken = { isTold: false };
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', ['1', '2']),
    calendars: async (asked, horizon) => {
      const readings = allFree(asked, horizon);
      for (const reading of readings.values()) {
        if (taken.isTold && reading.kind === 'valid') reading.value.available.fill(0, 10, 20);
      }
      return readings;
    },
  });
  const { clock, index, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  synchroniser.propertyRefused('sol:1', stay(TODAY + 9, TODAY + 11), 'booked');
  const canStay = (from: number, to: number) => index.hasStay('sol:1', TODAY + from, TODAY + to);
  assert.deepEqual([canStay(9, 11), canStay(8, 12)], [false, false]);
  assert.deepEqual(
    [canStay(9, 10), canStay(10, 11)],
    [true, true],
    'which of the nights is taken is not known',
  );
  taken.isTold = true;
  await clock.advance(2000);
  assert.deepEqual(
    system.calendarCalls.map(({ references }) => references),
    [['1', '2'], ['1']],
  );
  assert.deepEqual([canStay(9, 10), canStay(10, 11)], [false, false], 'the new calendar knows');
  assert.equal(canStay(8, 9), true);
});

test('a calendar that contradicts a refusal has to wait ten minutes', async () => {
  const { system } = healthyBrand('sol', ['1']);
  const { clock, index, store, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  synchroniser.propertyRefused('sol:1', stay(TODAY + 9, TODAY + 11), 'booked');
  const isBack = () => index.hasStay('sol:1', TODAY + 9, TODAY + 11);
  await clock.advance(2000);
  assert.equal(system.calendarCalls.length, 2);
  assert.equal(isBack(), false, 'the reading after the refusal put it back');
  await clock.advance(590_000);
  await synchroniser.refreshAll(never);
  assert.equal(isBack(), false, 'the refresh put it back');
  assert.equal(index.hasStay('sol:1', TODAY + 10, TODAY + 12), true);
  await clock.advance(7999);
  assert.equal(isBack(), false);
  await clock.advance(1);
  assert.equal(isBack(), true, 'not only at the next refresh');
  const [stored] = await allStored(store);
  assert.ok(
    stored?.content?.calendar.available.every((free) => free === 1),
    'the store holds what the operator said',
  );
});

test('a refusal by a rule takes nothing out of the index, and its calendar is read again all the same', async () => {
  const RULES = UNAVAILABLE_REASONS.filter((reason) => reason !== 'booked' && reason !== 'unknown_property');
  for (const reason of RULES) {
    const { system } = healthyBrand('sol', ['1']);
    const { clock, index, synchroniser } = setUp([system]);
    await synchroniser.refreshAll(never);
    synchroniser.propertyRefused('sol:1', { ...stay(TODAY + 9, TODAY + 11), guests: 4 }, reason);
    assert.equal(index.hasStay('sol:1', TODAY + 9, TODAY + 11), true, reason);
    const refused = { ...stay(TODAY + 9, TODAY + 11), guests: 4 };
    for (const brand of ['sol', null]) {
      assert.deepEqual([...synchroniser.rulesAgainst(refused, brand)], [['sol:1', reason]]);
      assert.deepEqual(synchroniser.inDoubt(refused, brand), ['sol:1']);
    }
    assert.equal(synchroniser.rulesAgainst(refused, 'luna').size, 0, 'another brand');
    assert.equal(synchroniser.rulesAgainst(stay(TODAY + 9, TODAY + 11), null).size, 0, 'another party');
    await clock.advance(2000);
    assert.equal(system.calendarCalls.length, 2);
  }
});
