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
  synchroniser.propertyRefused('sol:1', TODAY + 9, TODAY + 11);
  const nights = () => [8, 9, 10, 11].map((night) => index.isFree('sol:1', TODAY + night));
  assert.deepEqual(nights(), [true, false, false, true]);
  taken.isTold = true;
  await clock.advance(2000);
  assert.deepEqual(
    system.calendarCalls.map(({ references }) => references),
    [['1', '2'], ['1']],
  );
  assert.deepEqual(nights(), [true, false, false, false], 'the new calendar tells more than the refusal did');
});

test('a calendar that contradicts a refusal has to wait ten minutes', async () => {
  const { system } = healthyBrand('sol', ['1']);
  const { clock, index, store, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  synchroniser.propertyRefused('sol:1', TODAY + 9, TODAY + 11);
  await clock.advance(2000);
  assert.equal(system.calendarCalls.length, 2);
  assert.equal(index.isFree('sol:1', TODAY + 9), false, 'the reading after the refusal put it back');
  await clock.advance(590_000);
  await synchroniser.refreshAll(never);
  assert.equal(index.isFree('sol:1', TODAY + 9), false, 'the refresh put it back');
  assert.equal(index.isFree('sol:1', TODAY + 11), true);
  await clock.advance(10_000);
  await synchroniser.refreshAll(never);
  assert.equal(index.isFree('sol:1', TODAY + 9), true);
  const [stored] = await allStored(store);
  assert.ok(
    stored?.calendar.available.every((free) => free === 1),
    'the store holds what the operator said',
  );
});

test('a refresh that was asked for before the refusal cannot put the nights back', async () => {
  let isSlow = false;
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', ['1']),
    calendars: async (asked, horizon) => {
      if (isSlow) await new Promise<void>((resolve) => clock.after(1000, resolve));
      return allFree(asked, horizon);
    },
  });
  const { clock, index, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  isSlow = true;
  const done = synchroniser.refreshAll(never);
  await clock.advance(500);
  synchroniser.propertyRefused('sol:1', TODAY + 9, TODAY + 11);
  await clock.advance(500);
  await done;
  assert.equal(index.isFree('sol:1', TODAY + 9), false);
});

test('a wall clock that steps loses no calendar update', async () => {
  for (const step of [-7_200_000, 7_200_000]) {
    let isFree = true;
    const system = createScriptedSystem('sol', {
      catalogue: async () => catalogueOf('sol', ['1']),
      calendars: async (asked, horizon) => {
        const readings = allFree(asked, horizon);
        for (const reading of readings.values()) {
          if (!isFree && reading.kind === 'valid') reading.value.available.fill(0);
        }
        return readings;
      },
    });
    const { clock, index, observed, synchroniser } = setUp([system]);
    await synchroniser.refreshAll(never);
    clock.stepWallClock(step);
    await clock.advance(1000);
    isFree = false;
    await synchroniser.refreshAll(never);
    assert.equal(index.isFree('sol:1', TODAY + 9), false, `after a step of ${step} ms`);
    clock.stepWallClock(-step);
    await clock.advance(1000);
    isFree = true;
    await synchroniser.refreshAll(never);
    assert.equal(index.isFree('sol:1', TODAY + 9), true);
    assert.deepEqual(observed, ['sol has 1', 'sol has 1', 'sol has 1']);
  }
});

test('a refusal of a property that nobody knows any more is no trouble', async () => {
  const { system } = healthyBrand('sol', ['1']);
  const { clock, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  synchroniser.propertyRefused('sol:gone', TODAY, TODAY + 2);
  assert.equal(clock.pendingTimers, 0);
});
