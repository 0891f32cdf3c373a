import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStored } from '../../test/support/all-stored.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
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
  TODAY,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { invalid, valid } from '../parsing/reading.ts';
import type { CalendarReading } from '../quotes/booking-system.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';

test('everything is read: in batches of fifty, from yesterday, so that every today is inside', async () => {
  const { system } = healthyBrand('sol', numbers(120));
  const { index, store, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  assert.equal(index.propertyCount, 120);
  assert.deepEqual(
    system.calendarCalls.map(({ references }) => references.length),
    [50, 50, 20],
  );
  assert.deepEqual(system.calendarCalls[0]?.horizon, { from: TODAY - 1, nights: 542 });
  assert.equal((await allStored(store)).length, 120);
  assert.deepEqual(synchroniser.status(), [
    {
      brand: 'sol',
      leads: false,
      pausedAt: null,
      lastSuccessAt: NOW,
      lastFailure: null,
      properties: 120,
      oldestCalendarMs: 0,
      calendarsWaiting: 0,
      rejections: [],
      notListed: 0,
    },
  ]);
});

test('at most two calendar calls of a brand are under way, and what has arrived is on offer already', async () => {
  let underWay = 0;
  let most = 0;
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', numbers(200)),
    calendars: async (asked, horizon) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise<void>((resolve) => clock.after(asked.includes('1') ? 100 : 1000, resolve));
      underWay -= 1;
      return allFree(asked, horizon);
    },
  });
  const { clock, index, synchroniser } = setUp([system]);
  const done = synchroniser.refreshAll(never);
  await clock.advance(100);
  assert.equal(index.propertyCount, 50);
  await clock.advance(5000);
  await done;
  assert.equal(index.propertyCount, 200);
  assert.equal(most, 2);
});

test('a brand that is down, hangs or throws nonsense does not hurt the others', async () => {
  const well = healthyBrand('well', ['1', '2']);
  const broken = createScriptedSystem('broken', { catalogue: () => Promise.reject(new TypeError('oops')) });
  const unreachable = createScriptedSystem('unreachable', { catalogue: down });
  const stuck = createScriptedSystem('stuck', { catalogue: () => new Promise(() => {}) });
  const { clock, index, synchroniser } = setUp([broken, unreachable, stuck, well.system]);
  const done = synchroniser.refreshAll(never);
  await clock.advance(0);
  assert.equal(index.propertyCount, 2);
  await clock.advance(120_000);
  await done;
  assert.deepEqual(
    synchroniser.status().map(({ brand, lastFailure }) => [brand, lastFailure?.kind ?? null]),
    [
      ['broken', 'garbled'],
      ['unreachable', 'unreachable'],
      ['stuck', 'timeout'],
      ['well', null],
    ],
  );
});

test('a restart serves what was stored at once, and keeps it while the brand is down', async () => {
  const before = setUp([healthyBrand('sol', ['1', '2']).system]);
  await before.synchroniser.refreshAll(never);
  const sol = createScriptedSystem('sol', { catalogue: down });
  const after = setUp([sol], before.store);
  await after.synchroniser.loadStored();
  assert.deepEqual([...after.index.entries.keys()], ['sol:1', 'sol:2']);
  await after.synchroniser.refreshAll(never);
  assert.equal(after.index.propertyCount, 2);
  assert.ok(after.index.isFree('sol:1', TODAY));
});

test('stored listings that no longer fit the network are held back and reported, each with its reason', async () => {
  const store = createMemoryInventoryStore();
  const houses = [
    sampleProperty({ brand: 'sol', reference: '1' }),
    sampleProperty({ brand: 'sol', reference: '2', place: 'atlantis' }),
    sampleProperty({ brand: 'sol', reference: '3', currency: 'USD' }),
    sampleProperty({ brand: 'former', reference: '1' }),
  ];
  for (const brand of ['sol', 'former']) {
    await store.replaceCatalogue(
      brand,
      houses.filter((house) => house.brand === brand),
    );
  }
  await store.saveCalendars(
    houses.map(({ id }) => ({ property: id, calendar: emptyCalendar(TODAY, 3), readAt: NOW })),
  );
  const { index, observed, synchroniser } = setUp([healthyBrand('sol', []).system], store);
  await synchroniser.loadStored();
  assert.deepEqual([...index.entries.keys()], ['sol:1']);
  assert.deepEqual(observed, [
    'sol stored 2: place is not a city of this network',
    'sol stored 3: currency is USD, but lisbon-pt is compared in EUR',
    'former stored 1: brand is not in this network',
  ]);
});

test('no brand counts as read while stored homes are loaded', async () => {
  const { system } = healthyBrand('sol', ['1', '2']);
  const { store, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  let sawWhileLoading: unknown;
  const next = setUp([system], {
    ...store,
    load: (take, isKnown) =>
      store.load((few) => {
        take(few);
        sawWhileLoading = [next.synchroniser.hasTriedEveryBrand(), next.synchroniser.unreadyBrands()];
      }, isKnown),
  });
  await next.synchroniser.loadStored();
  assert.deepEqual(sawWhileLoading, [false, [{ brand: 'sol', availability: 'loading' }]]);
  assert.deepEqual([next.synchroniser.hasTriedEveryBrand(), next.synchroniser.unreadyBrands()], [true, []]);
});

test('a property that vanished from the catalogue vanishes from the index and the store', async () => {
  const { houses, system } = healthyBrand('sol', ['1', '2', '3']);
  const { index, store, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  houses.references = ['1', '3'];
  await synchroniser.refreshAll(never);
  assert.deepEqual([...index.entries.keys()], ['sol:1', 'sol:3']);
  assert.deepEqual(
    (await allStored(store)).map(({ id }) => id),
    ['sol:1', 'sol:3'],
  );
});

test('a property without a usable calendar is held back with the reason, and keeps what it had', async () => {
  let isComplete = true;
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', ['1', '2', '3', '4']),
    calendars: async (asked, horizon) => {
      if (isComplete) return allFree(asked, horizon);
      const uneven = { ...emptyCalendar(horizon.from, horizon.nights), price: new Uint32Array(3) };
      const faults = Array.from('abcde', (letter, at) => ({
        rule: 'out_of_range' as const,
        field: `periods/${at}/price`,
        reason: `periods[${at}]: ${letter}`,
        value: letter,
      }));
      return new Map<string, CalendarReading>([
        ...allFree(['stranger', '3'], horizon),
        ['2', valid(uneven)],
        ['4', invalid(...faults)],
      ]);
    },
  });
  const { clock, index, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  isComplete = false;
  await clock.advance(1);
  await synchroniser.refreshAll(never);
  assert.deepEqual([...index.entries.keys()].sort(), ['sol:1', 'sol:2', 'sol:3', 'sol:4']);
  assert.ok(index.isFree('sol:4', TODAY));
  assert.deepEqual(synchroniser.status()[0]?.rejections, [
    {
      reference: '1',
      field: 'calendar',
      rule: 'calendar_missing',
      reason: 'is not in the answer of the booking system',
      repaired: true,
    },
    {
      reference: '2',
      field: 'calendar',
      rule: 'calendar_uneven',
      reason: 'has columns that differ in length',
      repaired: true,
    },
    {
      reference: '4',
      field: 'calendar/periods/0/price',
      rule: 'out_of_range',
      value: 'a',
      reason: 'periods[0]: a; periods[1]: b; periods[2]: c; and 2 more',
      repaired: true,
    },
  ]);
});

test('a calendar that is read but for single nights is on offer, and those are named', async () => {
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', ['1']),
    calendars: async (asked, horizon) => {
      const calendar = emptyCalendar(horizon.from, horizon.nights);
      calendar.available.fill(1);
      const closedNights = [
        { rule: 'contradicts_itself' as const, field: 'nights/7', reason: 'nights[7]: says two things' },
      ];
      return new Map(asked.map((reference) => [reference, { ...valid(calendar), closedNights }]));
    },
  });
  const { index, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  assert.ok(index.isFree('sol:1', TODAY));
  assert.deepEqual(synchroniser.status()[0]?.rejections, [
    {
      reference: '1',
      field: 'calendar/nights/7',
      rule: 'contradicts_itself',
      reason: 'nights[7]: says two things',
      repaired: true,
    },
  ]);
});

test('homes that the index has no memory for are told once a run, and the others are read', async () => {
  const { system } = healthyBrand('sol', numbers(120));
  const { clock, index, observed, synchroniser } = setUp([system]);
  index.maxEntries = 70;
  await synchroniser.refreshAll(never);
  assert.equal(index.propertyCount, 70);
  assert.deepEqual(observed, ['sol without room for 50', 'sol has 70']);
  index.maxEntries = 200;
  await clock.advance(REFRESH);
  await synchroniser.refreshAll(never);
  assert.equal(index.propertyCount, 120);
  assert.deepEqual(observed.slice(2), ['sol has 120']);
});

test('started, it reads at once and then every refresh time', async () => {
  const { system } = healthyBrand('sol', ['1']);
  const { clock, synchroniser } = setUp([system]);
  synchroniser.start();
  synchroniser.start();
  await clock.advance(0);
  assert.equal(system.catalogueCalls, 1);
  await clock.advance(REFRESH - 10_000);
  assert.equal(system.catalogueCalls, 1);
  await clock.advance(20_000);
  assert.equal(system.catalogueCalls, 2);
  await clock.advance(REFRESH * 10);
  assert.equal(system.catalogueCalls, 12);
  await synchroniser.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('a brand that is down at the start is tried again soon, ever more rarely, and comes back', async () => {
  let isDown = true;
  const system = createScriptedSystem('sol', {
    catalogue: async () => (isDown ? down() : catalogueOf('sol', ['1'])),
    calendars: async (asked, horizon) => allFree(asked, horizon),
  });
  const { clock, index, synchroniser } = setUp([system]);
  synchroniser.start();
  await clock.advance(10_000);
  const early = system.catalogueCalls;
  assert.ok(early >= 4 && early <= 6, `${early} calls in ten seconds`);
  await clock.advance(3_600_000);
  const later = system.catalogueCalls - early;
  assert.ok(later > 10 && later < 30, `${later} calls in an hour`);
  isDown = false;
  await clock.advance(300_000);
  assert.equal(index.propertyCount, 1);
  assert.equal(synchroniser.status()[0]?.lastFailure, null);
  const well = system.catalogueCalls;
  await clock.advance(REFRESH / 2);
  assert.equal(system.catalogueCalls, well, 'it went on as if it still failed');
  await synchroniser.stop();
});

test('stopping breaks off what is under way, waits for it, and is no failure of the operator', async () => {
  const signals: AbortSignal[] = [];
  const system = createScriptedSystem('sol', {
    catalogue: (signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  const stuck = createScriptedSystem('stuck', { catalogue: () => new Promise(() => {}) });
  const { clock, observed, synchroniser } = setUp([system, stuck]);
  synchroniser.start();
  await clock.advance(0);
  await synchroniser.stop();
  assert.equal(signals[0]?.aborted, true);
  assert.deepEqual(observed, []);
  await clock.advance(REFRESH * 2);
  await synchroniser.refreshAll(never);
  assert.equal(signals.length, 1, 'it was read again after the stop');
  assert.equal(clock.pendingTimers, 0);
});

test('a brand that takes its time at the first start keeps nobody waiting, and is there when it was read', async () => {
  const slow = createScriptedSystem('slow', {
    catalogue: async () => {
      await new Promise<void>((resolve) => clock.after(60_000, resolve));
      return catalogueOf('slow', ['1']);
    },
    calendars: async (asked, horizon) => allFree(asked, horizon),
  });
  const { clock, index, synchroniser } = setUp([slow, healthyBrand('well', ['1', '2']).system]);
  let isTried = false;
  synchroniser.start();
  const tried = synchroniser.untilReady().then(() => {
    isTried = true;
  });
  await clock.advance(9_999);
  assert.deepEqual([isTried, synchroniser.hasTriedEveryBrand()], [false, false]);
  await clock.advance(1);
  await tried;
  assert.equal(synchroniser.hasTriedEveryBrand(), true);
  assert.equal(index.propertyCount, 2);
  await clock.advance(50_000);
  assert.equal(index.propertyCount, 3);
  await synchroniser.stop();
  assert.equal(clock.pendingTimers, 0);
});
