import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPatience } from '../../test/support/patient-clock.ts';
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
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { Property } from '../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { invalid } from '../parsing/reading.ts';
import type { CalendarReading } from '../quotes/booking-system.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { readSyncRecord } from './brand-documents.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const rateLimited = () => Promise.reject(new BookingSystemFailure('rate_limited', 'too many'));

const full = { mode: 'full', signal: never } as const;
const incremental = { mode: 'incremental', signal: never } as const;

test('after a restart a calendar that is too old is read before it is offered, and a younger one is offered at once', async () => {
  const store = createMemoryInventoryStore();
  const first = healthyBrand('sol', ['1', '2']);
  const before = setUp([first.system], store);
  await before.synchroniser.refreshAll(never);
  await before.clock.advance(20 * HOUR);
  before.synchroniser.propertyRefused('sol:2', { checkIn: 1, checkOut: 2, guests: 2 }, 'lead_time');
  await before.clock.advance(2000);
  const isUp = { now: false };
  const sol = createScriptedSystem('sol', {
    catalogue: async () => (isUp.now ? catalogueOf('sol', ['1', '2']) : down()),
    calendars: async (asked, horizon) => allFree(asked, horizon),
  });
  const after = setUp([sol], store, { now: NOW + 24 * HOUR });
  await after.synchroniser.loadStored();
  assert.deepEqual([...after.index.entries.keys()], ['sol:2']);
  assert.equal(after.synchroniser.status()[0]?.calendarsWaiting, 1);
  await after.synchroniser.refreshAll(never);
  assert.deepEqual([...after.index.entries.keys()], ['sol:2']);
  isUp.now = true;
  await after.synchroniser.refreshAll(never);
  assert.deepEqual([...after.index.entries.keys()].sort(), ['sol:1', 'sol:2']);
  assert.equal(after.synchroniser.status()[0]?.calendarsWaiting, 0);
});

test('a stored time that lies ahead is no age: the calendar is read first', async () => {
  const store = createMemoryInventoryStore();
  await setUp([healthyBrand('sol', ['1']).system], store).synchroniser.refreshAll(never);
  for (const [aheadMs, offered] of [
    [HOUR, []],
    [MINUTE, ['sol:1']],
  ] as const) {
    const after = setUp([healthyBrand('sol', ['1']).system], store, { now: NOW - aheadMs });
    await after.synchroniser.loadStored();
    assert.deepEqual([...after.index.entries.keys()], offered);
  }
});

test('in a running service, what cannot be read again is withdrawn in time, and comes back when it is read', async () => {
  let isDown = false;
  const system = createScriptedSystem('sol', {
    catalogue: async () => (isDown ? down() : catalogueOf('sol', ['1', '2'])),
    calendars: async (asked, horizon) => allFree(asked, horizon),
  });
  const { clock, index, observed, synchroniser } = setUp([system], undefined, { calendarMaxAgeMs: 2 * HOUR });
  synchroniser.start();
  await clock.advance(0);
  isDown = true;
  await clock.advance(2 * HOUR - MINUTE);
  assert.equal(index.propertyCount, 2);
  assert.equal(synchroniser.status()[0]?.oldestCalendarMs, 2 * HOUR - MINUTE);
  await clock.advance(MINUTE);
  assert.equal(index.propertyCount, 0);
  assert.ok(observed.includes('sol withdrew 2'));
  assert.deepEqual(
    synchroniser.status().map(({ properties, oldestCalendarMs, calendarsWaiting, lastSuccessAt }) => ({
      properties,
      oldestCalendarMs,
      calendarsWaiting,
      lastSuccessAt,
    })),
    [{ properties: 0, oldestCalendarMs: null, calendarsWaiting: 2, lastSuccessAt: NOW }],
  );
  isDown = false;
  await clock.advance(5 * MINUTE);
  assert.equal(index.propertyCount, 2);
  await synchroniser.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('a run that is broken off is gone on with after a restart: nothing is read twice', async () => {
  const store = createMemoryInventoryStore();
  const first = slowBrand(numbers(300));
  const before = first.setUp(store);
  const run = before.synchroniser.refreshBrand('sol', { mode: 'full', signal: first.stopping.signal });
  await before.clock.pass(2500);
  first.stopping.abort();
  const result = await run;
  assert.deepEqual([result?.outcome, result?.calendarsRead, result?.failures], ['interrupted', 200, []]);
  assert.equal((await readSyncRecord(store, 'sol'))?.waiting, 100);

  const second = slowBrand(numbers(300));
  const after = second.setUp(store, NOW + 10_000);
  await after.synchroniser.loadStored();
  assert.equal(after.index.propertyCount, 200);
  after.synchroniser.start();
  await after.clock.pass(3000);
  assert.equal(after.index.propertyCount, 300);
  assert.deepEqual(second.asked(), numbers(300).slice(200));
  assert.equal(after.synchroniser.status()[0]?.calendarsWaiting, 0);
  await after.synchroniser.stop();
});

test('after a failure only what could not be read is asked for again', async () => {
  const brand = slowBrand(numbers(200));
  brand.fails = (asked) => asked.includes('60');
  const { clock, index, synchroniser } = brand.setUp();
  const failed = await clock.until(synchroniser.refreshBrand('sol', full));
  assert.deepEqual([failed?.outcome, failed?.listings, failed?.calendarsRead], ['failed', 200, 150]);
  assert.deepEqual(
    failed?.failures.map(({ kind }) => kind),
    ['unreachable'],
  );
  assert.equal(synchroniser.status()[0]?.calendarsWaiting, 50);
  assert.equal(brand.asked().length, 200);
  brand.fails = () => false;
  const repeated = await clock.until(synchroniser.refreshBrand('sol', full));
  assert.deepEqual([repeated?.outcome, repeated?.calendarsRead], ['complete', 50]);
  assert.deepEqual(brand.asked(), numbers(200).slice(50, 100));
  assert.equal(index.propertyCount, 200);
  assert.equal(synchroniser.status()[0]?.calendarsWaiting, 0);
  const again = await clock.until(synchroniser.refreshBrand('sol', full));
  assert.equal(again?.calendarsRead, 200, 'the round was complete: this is another');
});

test('an incremental run reads what is new, and what is old', async () => {
  const brand = slowBrand(['1', '2']);
  const { clock, synchroniser } = brand.setUp();
  await clock.until(synchroniser.refreshBrand('sol', full));
  brand.references = ['1', '2', '3'];
  await clock.pass(MINUTE);
  brand.asked();
  await clock.until(synchroniser.refreshBrand('sol', incremental));
  assert.deepEqual(brand.asked(), ['3']);
  await clock.pass(REFRESH - 2 * MINUTE);
  await clock.until(synchroniser.refreshBrand('sol', incremental));
  assert.deepEqual(brand.asked(), ['1', '2'], 'the new one is not old yet');
  await clock.until(synchroniser.refreshBrand('sol', full));
  assert.deepEqual(brand.asked().sort(), ['1', '2', '3']);
  assert.equal(await synchroniser.refreshBrand('nobody', full), undefined);
});

test('too many requests are a pause: the run goes on where it stopped, and has not failed', async () => {
  const brand = slowBrand(numbers(200));
  let refusals = 3;
  brand.answer = () => {
    if (brand.calls <= 2 || refusals === 0) return undefined;
    refusals -= 1;
    return rateLimited();
  };
  const { clock, index, observed, synchroniser } = brand.setUp();
  const result = await clock.until(synchroniser.refreshBrand('sol', full));
  assert.deepEqual([result?.outcome, result?.calendarsRead, result?.failures], ['complete', 200, []]);
  assert.equal(index.propertyCount, 200);
  assert.deepEqual(
    observed.map((line) => line.replace(/\d+(\.\d+)?$/, '')),
    ['sol paused for ', 'sol paused for ', 'sol has '],
    'two calls that are refused at a time are one pause',
  );
  assert.equal(new Set(brand.asked().slice(0, 100)).size, 100);
});

test('a batch may wait for hours for its turn when it says so, and may not when it says nothing', async () => {
  for (const [announcedMs, outcome] of [
    [2 * HOUR, 'complete'],
    [0, 'failed'],
  ] as const) {
    const system = createScriptedSystem('sol', {
      catalogue: async () => catalogueOf('sol', ['1']),
      calendars: async (asked, horizon, _signal, stillReading) => {
        if (announcedMs > 0) stillReading?.(announcedMs);
        await new Promise<void>((resolve) => clock.after(2 * HOUR, resolve));
        return allFree(asked, horizon);
      },
    });
    const { clock, synchroniser } = setUp([system]);
    const result = await withPatience(clock).until(synchroniser.refreshBrand('sol', full));
    assert.equal(result?.outcome, outcome);
  }
});

test('how old the state of a brand is, is known after a restart and to other programs', async () => {
  const store = createMemoryInventoryStore();
  const brand = slowBrand(['1', '2']);
  const { clock, synchroniser } = brand.setUp(store);
  await clock.until(synchroniser.refreshBrand('sol', full));
  await clock.pass(HOUR);
  brand.fails = () => true;
  await clock.until(synchroniser.refreshBrand('sol', full));
  const record = await readSyncRecord(store, 'sol');
  const failedAt = record?.lastFailure?.at;
  assert.ok(failedAt && failedAt > NOW + HOUR);
  assert.deepEqual(record, {
    savedAt: failedAt,
    completedAt: NOW + 1000,
    fullStartedAt: NOW + HOUR + 1000,
    fullIsComplete: false,
    changesKnownUntil: NOW + HOUR + 1000,
    changed: [],
    offered: 2,
    oldestCalendarAt: NOW,
    waiting: 2,
    lastFailure: { at: failedAt, kind: 'unreachable' },
  });
  const after = slowBrand(['1', '2']).setUp(store, NOW + 2 * HOUR);
  await after.synchroniser.loadStored();
  const [status] = after.synchroniser.status();
  assert.deepEqual(
    [status?.lastSuccessAt, status?.lastFailure, status?.oldestCalendarMs],
    [NOW + 1000, record?.lastFailure, 2 * HOUR],
  );
});

test('a record that cannot be read or stored is told, and serving goes on', async () => {
  const full = () => Promise.reject(new Error('disk full'));
  const store = { ...createMemoryInventoryStore(), saveDocument: full, document: full };
  const { index, observed, synchroniser } = setUp([healthyBrand('sol', ['1']).system], store);
  await synchroniser.loadStored();
  await synchroniser.refreshAll(never);
  assert.equal(index.propertyCount, 1);
  assert.deepEqual(observed, ['store failed', 'store failed', 'store failed', 'sol has 1', 'store failed']);
});

/** A brand whose every calendar call takes a second, so that readings have an order in time. */
function slowBrand(references: readonly string[]) {
  const stopping = new AbortController();
  let after: (milliseconds: number, action: () => void) => unknown = () => assert.fail('not set up');
  let seen = 0;
  const brand = {
    references,
    facts: {} as Partial<Property>,
    faulty: [] as readonly string[],
    fails: (_asked: readonly string[]): boolean => false,
    catalogueFails: false,
    answer: (): Promise<never> | undefined => undefined,
    stopping,
    get calls() {
      return system.calendarCalls.length;
    },
    /** Which calendars were asked for since the last time. */
    asked() {
      const calls = system.calendarCalls.slice(seen);
      seen = system.calendarCalls.length;
      return calls.flatMap((call) => call.references);
    },
    setUp(store: InventoryStore = createMemoryInventoryStore(), now = NOW) {
      const scene = setUp([system], store, { now });
      after = scene.clock.after;
      return { ...scene, clock: withPatience(scene.clock) };
    },
  };
  const system = createScriptedSystem('sol', {
    catalogue: async () => {
      if (brand.catalogueFails) return down();
      const { properties, rejections } = catalogueOf('sol', brand.references);
      return { properties: properties.map((property) => ({ ...property, ...brand.facts })), rejections };
    },
    calendars: async (asked, horizon, signal) => {
      await new Promise<void>((resolve, reject) => {
        after(1000, resolve);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      if (brand.fails(asked)) return down();
      const refusal = brand.answer();
      if (refusal) return refusal;
      const faults = brand.faulty.map((reference): [string, CalendarReading] => [
        reference,
        invalid({ rule: 'calendar_missing', reason: 'periods[0]: no night' }),
      ]);
      return new Map<string, CalendarReading>([
        ...allFree(asked, horizon),
        ...faults.filter(([reference]) => asked.includes(reference)),
      ]);
    },
  });
  return brand;
}
