import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allFree,
  catalogueOf,
  down,
  healthyBrand,
  NOW,
  never,
  numbers,
  REFRESH,
  setUpSynchroniser as setUp,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';

const HOUR = 3_600_000;

test('a brand is unread until its catalogue and a calendar were read, and one without homes is not', async () => {
  let isUp = false;
  const late = createScriptedSystem('late', {
    catalogue: () => (isUp ? Promise.resolve(catalogueOf('late', ['1'])) : down()),
    calendars: async (asked, horizon) => allFree(asked, horizon),
  });
  const empty = createScriptedSystem('empty', { catalogue: async () => catalogueOf('empty', []) });
  const { synchroniser } = setUp([late, empty, healthyBrand('well', ['1']).system]);
  assert.deepEqual(
    synchroniser.unreadyBrands().map(({ brand }) => brand),
    ['late', 'empty', 'well'],
    'nothing was tried yet',
  );
  await synchroniser.refreshAll(never);
  assert.deepEqual(synchroniser.unreadyBrands(), [{ brand: 'late', availability: 'unread' }]);
  isUp = true;
  await synchroniser.refreshAll(never);
  assert.deepEqual(synchroniser.unreadyBrands(), []);
});

test('a brand is partly read while its first round goes on', async () => {
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', numbers(200)),
    calendars: async (asked, horizon) => {
      await new Promise<void>((resolve) => clock.after(asked.includes('1') ? 100 : 1000, resolve));
      return allFree(asked, horizon);
    },
  });
  const { clock, synchroniser } = setUp([system]);
  const done = synchroniser.refreshAll(never);
  await clock.advance(0);
  assert.deepEqual(synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'unread' }]);
  await clock.advance(100);
  assert.deepEqual(synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'partly_read' }]);
  await clock.advance(5000);
  await done;
  assert.deepEqual(synchroniser.unreadyBrands(), []);
  const again = synchroniser.refreshAll(never);
  await clock.advance(100);
  assert.deepEqual(synchroniser.unreadyBrands(), [], 'what is read anew is on offer meanwhile');
  await clock.advance(5000);
  await again;
});

test('a brand whose calendars are all too old is unread, also after a restart', async () => {
  let isUp = true;
  const script = {
    catalogue: () => (isUp ? Promise.resolve(catalogueOf('sol', ['1'])) : down()),
    calendars: async (asked: readonly string[], horizon: Parameters<typeof allFree>[1]) =>
      isUp ? allFree(asked, horizon) : down(),
  };
  const { clock, store, synchroniser } = setUp([createScriptedSystem('sol', script)], undefined, {
    calendarMaxAgeMs: HOUR,
  });
  await synchroniser.refreshAll(never);
  assert.deepEqual(synchroniser.unreadyBrands(), []);
  isUp = false;
  synchroniser.start();
  await clock.advance(HOUR + REFRESH);
  assert.deepEqual(synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'unread' }]);
  await synchroniser.stop();
  const later = setUp([createScriptedSystem('sol', script)], store, {
    now: NOW + 3 * HOUR,
    calendarMaxAgeMs: HOUR,
  });
  await later.synchroniser.loadStored();
  assert.deepEqual(later.synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'unread' }]);
  isUp = true;
  await later.synchroniser.refreshAll(never);
  assert.deepEqual(later.synchroniser.unreadyBrands(), []);
});
