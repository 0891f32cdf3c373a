import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allFree,
  catalogueOf,
  never,
  setUpSynchroniser as setUp,
  TODAY,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import type { WithdrawnCalendar } from '../quotes/booking-system.ts';

test('a property whose calendar is withdrawn is held back with the reason and has no night on offer, until it can be read', async () => {
  const withdrawn: WithdrawnCalendar = {
    kind: 'invalid',
    faults: [{ rule: 'feed_unreadable', reason: 'its feed is gone' }],
    isWithdrawn: true,
  };
  let isReadable = true;
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', ['1', '2']),
    calendars: async (asked, horizon) => {
      const free = allFree(asked, horizon);
      return isReadable ? free : new Map([...free, ['1', withdrawn]]);
    },
  });
  const { clock, index, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  assert.ok(index.isFree('sol:1', TODAY));
  isReadable = false;
  await clock.advance(1);
  await synchroniser.refreshAll(never);
  assert.ok(!index.isFree('sol:1', TODAY));
  assert.ok(index.isFree('sol:2', TODAY));
  assert.deepEqual(synchroniser.status()[0]?.rejections, [
    { reference: '1', field: 'calendar', rule: 'feed_unreadable', reason: 'its feed is gone' },
  ]);
  isReadable = true;
  await clock.advance(1);
  await synchroniser.refreshAll(never);
  assert.ok(index.isFree('sol:1', TODAY));
  assert.deepEqual(synchroniser.status()[0]?.rejections, []);
});
