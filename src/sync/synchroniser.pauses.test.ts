import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlsInMemory } from '../../test/support/brand-controls-in-memory.ts';
import { withPatience } from '../../test/support/patient-clock.ts';
import {
  allFree,
  catalogueOf,
  healthyBrand,
  NOW,
  never,
  numbers,
  REFRESH,
  setUpSynchroniser,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';

const HOUR = 3_600_000;

async function setUp(systems: readonly BookingSystem[]) {
  const controls = createControlsInMemory();
  const store = createMemoryInventoryStore();
  const start = async (now = NOW) => {
    const scene = setUpSynchroniser(systems, store, { controls, now });
    const clock = withPatience(scene.clock);
    await clock.until(scene.synchroniser.loadStored());
    return { ...scene, clock, stop: () => clock.until(scene.synchroniser.stop()) };
  };
  return { controls, store, start };
}

test('a brand that is paused is out of the index when the look at it ends, and its operator is left alone', async () => {
  const [sol, mar] = [healthyBrand('sol', numbers(120)), healthyBrand('mar', numbers(3))];
  const { controls, start } = await setUp([sol.system, mar.system]);
  const { clock, index, synchroniser, stop } = await start();
  synchroniser.start();
  await clock.pass(0);
  assert.equal(index.propertyCount, 123);
  assert.deepEqual(synchroniser.unreadyBrands(), []);
  await controls.setPaused('sol', true, NOW);
  await synchroniser.readControls();
  assert.equal(index.propertyCount, 3);
  assert.deepEqual(
    ['sol', 'mar'].map((brand) => synchroniser.pauseSignal(brand).aborted),
    [true, false],
  );
  assert.equal(synchroniser.missesOnlyPaused(), true);
  assert.deepEqual(
    synchroniser.status().map(({ brand, pausedAt, properties }) => [brand, pausedAt, properties]),
    [
      ['sol', NOW, 0],
      ['mar', null, 3],
    ],
  );
  assert.deepEqual(synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'paused' }]);
  const callsBefore = sol.system.catalogueCalls;
  synchroniser.propertyRefused('sol:1', { checkIn: 1, checkOut: 2, guests: 2 }, 'booked');
  await clock.pass(3 * REFRESH);
  assert.equal(sol.system.catalogueCalls, callsBefore);
  assert.ok(mar.system.catalogueCalls > 1);
  assert.equal(index.propertyCount, 3);
  await stop();
  assert.equal(clock.pendingTimers, 0);
});

test('a brand that is resumed comes back from the store without a call, and is read when it is due', async () => {
  const { system } = healthyBrand('sol', numbers(120));
  const { controls, start } = await setUp([system]);
  const { clock, index, synchroniser, stop } = await start();
  synchroniser.start();
  await clock.pass(0);
  const calls = () => [system.catalogueCalls, system.calendarCalls.length];
  const before = calls();
  await controls.setPaused('sol', true, clock.now());
  await clock.pass(2000);
  await controls.setPaused('sol', false, clock.now());
  await synchroniser.readControls();
  assert.deepEqual(synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'resuming' }]);
  assert.equal(synchroniser.missesOnlyPaused(), true, 'a service does not start anew meanwhile');
  await clock.pass(0);
  assert.equal(index.propertyCount, 120);
  assert.deepEqual(synchroniser.unreadyBrands(), []);
  assert.deepEqual(calls(), before, 'nobody was asked');
  await clock.pass(REFRESH);
  assert.equal(system.catalogueCalls, (before[0] ?? 0) + 1);
  await stop();
});

test('a brand stays paused over a restart, is offered at no moment, and nobody waits for it', async () => {
  const [sol, mar] = [healthyBrand('sol', numbers(4)), healthyBrand('mar', numbers(2))];
  const { controls, start } = await setUp([sol.system, mar.system]);
  const first = await start();
  await first.clock.until(first.synchroniser.refreshAll(never));
  await controls.setPaused('sol', true, NOW);
  await first.stop();
  const second = await start(NOW + HOUR);
  assert.deepEqual([...second.index.entries.keys()], ['mar:1', 'mar:2']);
  assert.equal(second.synchroniser.hasTriedEveryBrand(), true);
  const calls = sol.system.catalogueCalls;
  second.synchroniser.start();
  await second.clock.until(second.synchroniser.untilReady());
  await second.clock.pass(REFRESH);
  assert.equal(sol.system.catalogueCalls, calls);
  await controls.setPaused('sol', false, NOW);
  await second.clock.pass(1000);
  assert.equal(second.index.propertyCount, 6);
  await second.stop();
});

test('a reading that is under way when a brand is paused ends, and puts nothing', async () => {
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', numbers(200)),
    // It notices nothing of a signal, and answers in the end.
    calendars: async (asked, horizon) => {
      await new Promise<void>((resolve) => scene.clock.after(5000, resolve));
      return allFree(asked, horizon);
    },
  });
  const { controls, start } = await setUp([system]);
  const scene = await start();
  const { clock, index, synchroniser, stop, observed } = scene;
  synchroniser.start();
  await clock.pass(6000);
  assert.equal(index.propertyCount, 100);
  await controls.setPaused('sol', true, clock.now());
  await synchroniser.readControls();
  assert.equal(index.propertyCount, 0);
  await clock.pass(20_000);
  assert.equal(index.propertyCount, 0);
  assert.equal(system.calendarCalls.length, 4);
  assert.deepEqual(observed, [], 'what we broke off ourselves is no failure');
  await controls.setPaused('sol', false, clock.now());
  await clock.pass(1500);
  assert.equal(index.propertyCount, 100, 'as stored');
  await clock.pass(30_000);
  assert.equal(index.propertyCount, 200);
  assert.equal(system.calendarCalls.length, 6, 'what was read before is not read again');
  const catalogues = system.catalogueCalls;
  await clock.pass(REFRESH + 60_000);
  assert.equal(system.catalogueCalls, catalogues + 1, 'from then on it is read as before');
  await stop();
});

test('a request to read is carried out fully and once, also after a start', async () => {
  const { system } = healthyBrand('sol', numbers(120));
  const { controls, start } = await setUp([system]);
  const { clock, synchroniser, stop } = await start();
  synchroniser.start();
  await clock.pass(10_000);
  const before = system.calendarCalls.length;
  await controls.requestReading('sol', clock.now());
  await synchroniser.readControls();
  await clock.pass(60_000);
  assert.equal(system.calendarCalls.length, before + 3, 'every calendar, and once');
  await controls.setPaused('sol', true, clock.now());
  await controls.requestReading('sol', clock.now());
  await clock.pass(60_000);
  assert.equal(system.calendarCalls.length, before + 3, 'not while it is paused');
  await stop();
  await controls.setPaused('sol', false, clock.now());
  const restarted = await start(clock.now() + 1000);
  restarted.synchroniser.start();
  await restarted.clock.pass(60_000);
  assert.equal(system.calendarCalls.length, before + 6, 'what nobody has carried out yet');
  await restarted.stop();
});

test('while decisions cannot be read the last ones count; a start waits for them, but not for ever', async () => {
  const [sol, mar] = [healthyBrand('sol', numbers(4)), healthyBrand('mar', numbers(2))];
  const { controls, start } = await setUp([sol.system, mar.system]);
  await controls.setPaused('sol', true, NOW);
  const { clock, index, observed, synchroniser, stop } = await start();
  synchroniser.start();
  await clock.pass(0);
  controls.fault = new Error('away');
  await clock.pass(5000);
  assert.equal(index.propertyCount, 2);
  assert.deepEqual(
    observed.filter((line) => line === 'controls not read'),
    ['controls not read'],
  );
  await stop();
  const again = await start(clock.now());
  assert.equal(again.clock.now() - clock.now(), 9000);
  again.synchroniser.start();
  controls.fault = null;
  await again.clock.pass(1000);
  assert.deepEqual([...again.index.entries.keys()], ['mar:1', 'mar:2']);
  await again.stop();
});
