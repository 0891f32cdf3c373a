import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { withPatience } from '../../test/support/patient-clock.ts';
import {
  allFree,
  catalogueOf,
  NOW,
  numbers,
  REFRESH,
  TODAY,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem, type ScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { createSeveralNodes, type RunningNode } from '../../test/support/several-nodes.ts';

const CALL_MS = 1000;
const stay = (checkIn: number, checkOut: number) => ({ checkIn, checkOut, guests: 2 });

/** Nodes of a network with one brand, of which each call takes a second. */
function setUp({
  homes = 3,
  ...options
}: { homes?: number } & Parameters<typeof createSeveralNodes>[2] = {}) {
  const clock = withPatience(createFakeClock(NOW));
  const operator = { references: numbers(homes), isFree: true };
  const systems = new Map<string, ScriptedSystem>();
  const leads: string[] = [];
  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = clock.after(CALL_MS, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    });
  const nodes = createSeveralNodes(
    clock,
    (id) => {
      const system = createScriptedSystem('sol', {
        async catalogue(signal) {
          await wait(signal);
          return catalogueOf('sol', operator.references);
        },
        async calendars(asked, horizon, signal) {
          await wait(signal);
          const readings = allFree(asked, horizon);
          for (const reading of readings.values()) {
            if (reading.kind === 'valid' && !operator.isFree) reading.value.available.fill(0);
          }
          return readings;
        },
      });
      systems.set(id, system);
      return [Object.assign(system, { leads: (isLeading: boolean) => leads.push(`${id}: ${isLeading}`) })];
    },
    options,
  );
  const systemOf = ({ id }: RunningNode) => systems.get(id) as ScriptedSystem;
  const stopAll = async (...running: readonly RunningNode[]) => {
    for (const { synchroniser } of running) await clock.until(synchroniser.stop());
    assert.equal(clock.pendingTimers, 0);
  };
  return { clock, operator, systemOf, leads, stopAll, ...nodes };
}

const statusOf = ({ synchroniser }: RunningNode) => synchroniser.status()[0];
const offeredBy = ({ index }: RunningNode) => [...index.entries.keys()].sort();

test('one node reads a brand, and the others offer what it has read and say how it stands', async () => {
  const { clock, operator, systemOf, start, stopAll } = setUp();
  const leader = await start('a');
  await clock.pass(500);
  const follower = await start('b');
  assert.equal(follower.synchroniser.hasTriedEveryBrand(), false);
  assert.deepEqual(follower.synchroniser.unreadyBrands(), [{ brand: 'sol', availability: 'unread' }]);
  await clock.pass(12_000);
  assert.deepEqual([statusOf(leader)?.leads, statusOf(follower)?.leads], [true, false]);
  assert.deepEqual(offeredBy(follower), ['sol:1', 'sol:2', 'sol:3']);
  assert.equal(systemOf(follower).catalogueCalls, 0);
  assert.equal(follower.synchroniser.hasTriedEveryBrand(), true);
  assert.deepEqual(follower.synchroniser.unreadyBrands(), []);
  assert.equal(statusOf(follower)?.lastSuccessAt, statusOf(leader)?.lastSuccessAt);
  assert.equal(
    statusOf(follower)?.oldestCalendarMs,
    statusOf(leader)?.oldestCalendarMs,
    'its age counts from when it was read',
  );
  operator.references = ['2', '3', '4'];
  operator.isFree = false;
  await clock.pass(REFRESH + 60_000);
  for (const node of [leader, follower]) {
    assert.deepEqual(offeredBy(node), ['sol:2', 'sol:3', 'sol:4']);
    assert.equal(node.index.isFree('sol:2', TODAY + 9), false);
  }
  assert.equal(systemOf(follower).catalogueCalls, 0);
  assert.ok(follower.synchroniser.ageMs() <= 3000);
  await stopAll(leader, follower);
});

test('each booking system is informed whether its node leads the brand', async () => {
  const { clock, leads, start, stopAll } = setUp();
  const first = await start('a');
  await clock.pass(500);
  const second = await start('b');
  await clock.pass(5000);
  // A node follows until it has the lease.
  assert.deepEqual(leads, ['a#1: false', 'a#1: true', 'b#2: false']);
  await clock.until(first.synchroniser.stop());
  await clock.pass(5000);
  assert.deepEqual(leads.slice(3), ['b#2: true']);
  await stopAll(second);
});

test('when a node dies, another one goes on where it stopped within 30 seconds', async () => {
  const { clock, systemOf, start, stopAll } = setUp({ homes: 200 });
  const leader = await start('a');
  await clock.pass(500);
  const follower = await start('b');
  // The catalogue, and two batches of fifty.
  await clock.pass(2200);
  leader.kill();
  assert.equal(offeredBy(leader).length, 100);
  await clock.pass(30_000);
  assert.equal(statusOf(follower)?.leads, true);
  assert.equal(offeredBy(follower).length, 200);
  const asked = systemOf(follower).calendarCalls.flatMap(({ references }) => references);
  assert.deepEqual(
    [...asked].sort(),
    numbers(200).slice(100).sort(),
    'what was read already is not read again',
  );
  await stopAll(follower);
});

test('a node that loses the lead reads and stores nothing more, and goes back to what is stored', async () => {
  const { clock, operator, leases, inventory, start, stopAll } = setUp();
  const leader = await start('a');
  await clock.pass(10_000);
  operator.references = ['1', '2', '5'];
  operator.isFree = false;
  leader.surroundings.isReachable = false;
  const run = leader.synchroniser.refreshBrand('sol', { mode: 'full', signal: new AbortController().signal });
  await clock.pass(2500);
  assert.deepEqual(
    offeredBy(leader),
    ['sol:1', 'sol:2'],
    'what it reads it offers, though it cannot be stored',
  );
  assert.equal(leader.index.isFree('sol:1', TODAY + 9), false);
  await run;
  leases.lose('sol');
  await clock.pass(1000);
  assert.equal(statusOf(leader)?.leads, false);
  assert.deepEqual(offeredBy(leader), ['sol:1', 'sol:2', 'sol:3']);
  assert.equal(leader.index.isFree('sol:1', TODAY + 9), true);
  assert.equal(inventory.homes.size, 3);
  leader.surroundings.isReachable = true;
  await clock.pass(30_000);
  assert.equal(statusOf(leader)?.leads, true);
  await clock.pass(REFRESH);
  assert.deepEqual(offeredBy(leader), ['sol:1', 'sol:2', 'sol:5'], 'what it could not store is read again');
  assert.equal(leader.index.isFree('sol:1', TODAY + 9), false);
  await stopAll(leader);
});

test('a refusal is told to the others, and the leader reads the calendar again', async () => {
  const { clock, systemOf, start, stopAll } = setUp();
  const leader = await start('a');
  await clock.pass(500);
  const follower = await start('b');
  await clock.pass(10_000);
  follower.synchroniser.propertyRefused('sol:1', stay(TODAY + 9, TODAY + 11), 'booked');
  const isOffered = ({ index }: RunningNode) => index.hasStay('sol:1', TODAY + 9, TODAY + 11);
  assert.deepEqual([isOffered(leader), isOffered(follower)], [true, false]);
  await clock.pass(1000);
  assert.deepEqual([isOffered(leader), isOffered(follower)], [false, false]);
  await clock.pass(5000);
  assert.deepEqual(systemOf(leader).calendarCalls.at(-1)?.references, ['1']);
  assert.equal(systemOf(follower).calendarCalls.length, 0);
  assert.deepEqual([isOffered(leader), isOffered(follower)], [false, false], 'also after the new calendar');
  await clock.pass(300_000);
  const late = await start('c');
  await clock.pass(1000);
  assert.equal(isOffered(late), false, 'a new node hears of it');
  assert.deepEqual(late.synchroniser.inDoubt(stay(TODAY + 9, TODAY + 10), null), ['sol:1']);
  await clock.pass(600_000 - 307_000 - 1000);
  assert.deepEqual([leader, follower, late].map(isOffered), [false, false, false]);
  await clock.pass(2000);
  assert.deepEqual(
    [leader, follower, late].map(isOffered),
    [true, true, true],
    'ten minutes after it was refused',
  );
  const calls = systemOf(leader).calendarCalls.length;
  await clock.pass(10_000);
  assert.equal(systemOf(leader).calendarCalls.length, calls, 'it was read again once');
  await stopAll(leader, follower, late);
});

test('a node that starts again is not ready before it has heard what operators refused on the others', async () => {
  const { clock, start, stopAll } = setUp();
  const first = await start('a');
  const before = await start('b');
  await clock.pass(10_000);
  before.kill();
  first.synchroniser.propertyRefused('sol:1', stay(TODAY + 9, TODAY + 11), 'booked');
  const late = await start('b');
  const { hasTriedEveryBrand, hasReceivedDeclines, inDoubt } = late.synchroniser;
  const doubted = () => inDoubt(stay(TODAY + 9, TODAY + 11), null);
  assert.deepEqual([hasTriedEveryBrand(), hasReceivedDeclines(), doubted()], [true, false, []]);
  await clock.until(late.synchroniser.untilReady());
  assert.deepEqual([hasReceivedDeclines(), doubted()], [true, ['sol:1']]);
  await stopAll(first, late);
});

test('a follower holds back what is beyond the budget that its own network file allows', async () => {
  let listings = 10;
  const { clock, start, stopAll } = setUp({ budgetOf: () => ({ listings, bytes: 1e9 }) });
  const leader = await start('a');
  await clock.pass(500);
  listings = 2;
  const follower = await start('b');
  await clock.pass(5000);
  assert.equal(offeredBy(leader).length, 3);
  assert.deepEqual(offeredBy(follower), ['sol:1', 'sol:2']);
  assert.match(follower.observed.join(), /sol stored 3: {2}is beyond the budget/);
  await stopAll(leader, follower);
});

test('a node that has lost the lead asks its operator nothing, although the end of its lead takes a while', async () => {
  let snapshot: PromiseWithResolvers<void> | undefined;
  const { clock, systemOf, start } = setUp({ untilWritable: async () => snapshot?.promise });
  const former = await start('a');
  await clock.pass(5000);
  const next = await start('b');
  await clock.pass(5000);
  const calls = () => systemOf(former).calendarCalls.length;
  snapshot = Promise.withResolvers();
  former.synchroniser.propertyRefused('sol:1', stay(TODAY + 5, TODAY + 8), 'booked');
  await clock.pass(3000);
  former.surroundings.isReachable = false;
  await clock.pass(20_000);
  assert.equal(next.synchroniser.status()[0]?.leads, true);
  const before = calls();
  former.synchroniser.propertyRefused('sol:2', stay(TODAY + 5, TODAY + 8), 'booked');
  snapshot.resolve();
  snapshot = undefined;
  await clock.pass(10_000);
  assert.equal(calls(), before);
});
