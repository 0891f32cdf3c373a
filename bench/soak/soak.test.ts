import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectNetwork } from '../../src/app/connect-network.ts';
import { systemClock } from '../../src/clock.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import { systemRandom } from '../../src/random.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { createSyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { measureSoak, type Soak, type SoakInterval } from './measure-soak.ts';
import { createSeededNetwork } from './seeded-network.ts';
import { soakFigures } from './soak-figures.ts';
import { fullRate, startSteadily } from './steady-load.ts';
import { createStays } from './traveller.ts';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;
const TODAY = 20_600;

describe('the turns of calendars', () => {
  it('make those wait that come too soon, in their order', async () => {
    const turns = createTurns(1000);
    const waits: number[] = [];
    const taken: number[] = [];
    await Promise.all(
      [10, 10, 10].map(async (count, position) => {
        await turns.take(count, never, (milliseconds) => waits.push(Math.round(milliseconds)));
        taken.push(position);
      }),
    );
    assert.equal(waits.length, 2, 'the first does not wait');
    assert.ok((waits[0] ?? 0) < (waits[1] ?? 0));
    assert.deepEqual(taken, [0, 1, 2]);
  });
});

describe('a steady load', () => {
  it('begins one after the other without waiting for any, and ends with the last', async () => {
    let [begun, done] = [0, 0];
    const several = Promise.withResolvers<void>();
    const load = startSteadily(1000, async () => {
      begun += 1;
      if (begun === 3) several.resolve();
      await several.promise;
      done += 1;
    });
    await several.promise;
    await load.stop();
    assert.ok(begun >= 3);
    assert.equal(done, begun);
  });

  it('tells how much is done at full load', async () => {
    assert.ok((await fullRate(0.01, 2, async () => undefined)) > 0);
  });
});

describe('a network from a seed', () => {
  const inventory = createSyntheticInventory({ seed: 7, homes: 500, today: TODAY });

  it('has all homes in its catalogues, and another calendar each time', async () => {
    const { settings, updates } = createSeededNetwork(inventory, {
      origins: ['http://127.0.0.1:1'],
      updatesPerSecond: 100_000,
    });
    const storage = await openMemoryStorage({ directory: '', rateRule: { limit: 1, windowMs: 1 } });
    const systems = connectNetwork({
      ...settings,
      store: storage.inventory,
      operatorNetworks: [],
      maxDocumentAgeMs: 0,
      onLastDocumentUsed: () => undefined,
      intake: createInlineIntake(settings.network),
      clock: systemClock,
      random: systemRandom,
    });
    let homes = 0;
    for (const system of systems.values()) {
      const { properties } = await system.catalogue(never);
      homes += properties.length;
      const [first] = properties.map(({ reference }) => reference);
      assert.ok(first);
      const horizon = { from: TODAY - 1, nights: 542 };
      const read = async () => (await system.calendars([first], horizon, never)).get(first);
      const [once, again] = [await read(), await read()];
      assert.ok(once?.kind === 'valid' && again?.kind === 'valid');
      assert.notDeepEqual(once.value, again.value);
      await system.close();
    }
    assert.equal(homes, 500);
    assert.equal(updates(), settings.connections.size);
  });

  it('is travelled to where prices have two decimals', () => {
    const nextStay = createStays({ inventory, seed: 7 });
    for (let stay = 0; stay < 50; stay += 1) {
      const { destination, checkIn, checkOut } = nextStay();
      assert.match(inventory.network.places.get(destination)?.currency ?? '', /^(EUR|USD|GBP)$/);
      assert.ok(checkIn > TODAY && checkOut > checkIn);
    }
  });
});

describe('the figures of a soak', () => {
  const interval: SoakInterval = {
    requests: 1000,
    errors: 0,
    p50Ms: 1,
    p99Ms: 10,
    searches: 100,
    searchP50Ms: 60,
    searchP99Ms: 100,
    updatesPerSecond: 300,
    residentBytes: 500e6,
    indexBytes: 100e6,
  };
  const soak = (intervals: readonly SoakInterval[]): Soak => ({
    homes: 1000,
    intervalSeconds: 60,
    fullPerSecond: 100,
    steadyPerSecond: 50,
    intervals,
    faults: [],
  });
  const verdicts = (intervals: readonly SoakInterval[]) =>
    soakFigures(soak(intervals))
      .slice(1, 6)
      .map(({ isMet }) => isMet);

  it('are met by a service that stays as it is', () => {
    assert.deepEqual(verdicts(Array.from({ length: 8 }, () => interval)), [true, true, true, true, true]);
    assert.equal(soakFigures(soak([interval, interval])).length, 6 + 2);
  });

  it('tell errors, and what grows from the first to the last quarter', () => {
    const worse = { ...interval, errors: 1, residentBytes: 600e6, p99Ms: 20 };
    assert.deepEqual(verdicts([interval, interval, interval, worse]), [false, false, true, false, true]);
  });
});

describe('a soak', () => {
  it('asks as travellers do, and tells what it takes', async () => {
    const told: string[] = [];
    const work = { seed: 7, homes: 2000, intervals: 1, intervalSeconds: 2, fullLoadSeconds: 0.5 };
    const { intervals, faults } = await measureSoak({ ...work, updatesPerSecond: 300 }, (line) =>
      told.push(line),
    );
    const [only] = intervals;
    assert.ok(only);
    // A machine that is busy with something else makes the service shed load.
    for (const fault of faults) assert.match(fault, /overloaded/);
    assert.ok(only.requests > 0);
    assert.ok(only.residentBytes > only.indexBytes && only.indexBytes > 0);
    assert.match(told.at(-1) ?? '', /requests, \d+ errors/);
  });
});
