import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { allFree, healthyBrand, NOW, TODAY } from '../../test/support/sample-synchroniser.ts';
import { createSnapshotInMemory } from '../../test/support/snapshot-in-memory.ts';
import { temporaryStorage } from '../../test/support/temporary-storage.ts';
import { answersOf } from '../availability/availability-index.contract.ts';
import type { InventoryStore } from '../availability/inventory-store.ts';
import { openIndex } from '../availability/snapshot/open-index.ts';
import { type SnapshotFile, writeSnapshot } from '../availability/snapshot/snapshot.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { BrandBudget, BrandId } from '../catalogue/catalogue.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { createSynchroniser } from './synchroniser.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;
const NO_BUDGET = { listings: 1000, bytes: 1_000_000_000 };

/** A start of a service with these brands, from the snapshot if it is of use. */
async function start(
  store: InventoryStore,
  file: SnapshotFile,
  {
    brands = ['sol', 'mar'],
    now = NOW,
    budget = NO_BUDGET,
    paused = [],
  }: {
    brands?: readonly BrandId[];
    now?: number;
    budget?: BrandBudget;
    paused?: readonly BrandId[];
  } = {},
) {
  const clock = createFakeClock(now);
  const network = sampleNetwork(brands);
  const ignore = () => undefined;
  const rejections: string[] = [];
  const opened = await openIndex(network, { file, clock, observe: { read: ignore, refused: ignore } });
  let calendarsRead = 0;
  const synchroniser = createSynchroniser({
    systems: new Map(brands.map((brand) => [brand, healthyBrand(brand, []).system])),
    index: {
      ...opened.index,
      put: (...home) => {
        calendarsRead += 1;
        opened.index.put(...home);
      },
      get propertyCount() {
        return opened.index.propertyCount;
      },
    },
    store,
    network,
    clock,
    random: { bytes: (count) => Buffer.alloc(count) },
    refreshMs: HOUR,
    horizonNights: 540,
    budgetOf: () => budget,
    controls: {
      all: async () =>
        paused.map((brand) => ({
          brand,
          pausedAt: now,
          readingRequestedAt: null,
        })),
    },
    observe: {
      refreshed: ignore,
      failed: ignore,
      indexFull: assert.fail,
      clockWasSet: assert.fail,
      dateNotFollowed: assert.fail,
      paused: ignore,
      withdrawn: ignore,
      loaded: ignore,
      storedRejections: (brand, held) =>
        rejections.push(...held.map(({ reference, rule }) => `${brand}:${reference} ${rule}`)),
      storeFailed: assert.fail,
      controlsNotRead: assert.fail,
    },
  });
  await synchroniser.loadStored();
  opened.index.open();
  const { index } = opened;
  return {
    ...opened,
    calendarsRead,
    rejections,
    homes: [...index.homes()].map(({ id }) => id).sort(),
    answers: [
      ANY_STAY,
      { ...ANY_STAY, guests: 5 },
      { ...ANY_STAY, checkIn: TODAY + 9, checkOut: TODAY + 11 },
    ].map((criteria) => {
      // Labels outlive their homes, in a snapshot as in a process.
      const { amenityLabels: _, commonAmenities: _c, ...answers } = answersOf(index, criteria, now);
      return answers;
    }),
    status: synchroniser.status().map(({ brand, properties }) => `${brand} ${properties}`),
    hide: (brand: BrandId) => index.hideBrand(brand),
    save: () => writeSnapshot(index, { file, dependsOn: opened.dependsOn, signal: never }),
  };
}

/** Some homes of a brand, whose calendars and descriptions a number decides. */
async function store(
  inventory: InventoryStore,
  brand: BrandId,
  homes: Readonly<Record<string, number>>,
  readAt = NOW - HOUR,
) {
  const listed = Object.entries(homes).map(([reference, number]) => ({
    home: sampleProperty({ brand, reference, maxGuests: 1 + (number % 7) }),
    number,
  }));
  await inventory.replaceCatalogue(
    brand,
    listed.map(({ home }) => home),
  );
  await inventory.saveCalendars(
    listed.map(({ home, number }) => {
      const calendar = emptyCalendar(TODAY, 60);
      for (let night = 0; night < 60; night++)
        calendar.available[night] = (night * (number + 3)) % 11 < 7 ? 1 : 0;
      return { property: home.id, calendar, readAt };
    }),
  );
}

async function setUp(t: TestContext) {
  const { inventory } = await temporaryStorage(t);
  return { inventory, file: createSnapshotInMemory() };
}

/** A start from the snapshot is a start from the store, only sooner. */
async function sameAsFromStore(
  inventory: InventoryStore,
  file: SnapshotFile,
  options: Parameters<typeof start>[2] = {},
) {
  const fromSnapshot = await start(inventory, file, options);
  const fromStore = await start(inventory, createSnapshotInMemory(), options);
  for (const what of ['homes', 'answers', 'status', 'rejections'] as const) {
    assert.deepEqual(fromSnapshot[what], fromStore[what], what);
  }
  return fromSnapshot;
}

describe('a start from a snapshot', () => {
  it('reads no calendar when the store is as it was', async (t) => {
    const { inventory, file } = await setUp(t);
    await store(inventory, 'sol', { a: 1, b: 2 });
    const first = await start(inventory, file);
    assert.deepEqual([first.snapshot, first.calendarsRead], ['none', 2]);
    await first.save();
    const second = await sameAsFromStore(inventory, file);
    assert.deepEqual([second.snapshot, second.calendarsRead], ['read', 0]);
  });

  it('puts what the store has otherwise, and removes what it has no longer', async (t) => {
    const { inventory, file } = await setUp(t);
    await store(inventory, 'sol', { a: 1, b: 2, c: 3, d: 4 });
    await store(inventory, 'mar', { x: 5 });
    await (await start(inventory, file)).save();
    await store(inventory, 'sol', { b: 2, c: 9, d: 11, e: 5 });
    const { calendarsRead, homes } = await sameAsFromStore(inventory, file);
    assert.deepEqual(homes, ['mar:x', 'sol:b', 'sol:c', 'sol:d', 'sol:e']);
    // The home c has another calendar and d (11 and 4 are alike by 7) too, e is new.
    assert.equal(calendarsRead, 3);
  });

  it('takes the store for right where the snapshot is ahead of it', async (t) => {
    const { inventory, file } = await setUp(t);
    await store(inventory, 'sol', { a: 1, b: 2 });
    const first = await start(inventory, file);
    const calendar = allFree(['a'], { from: TODAY, nights: 60 }).get('a');
    assert.ok(calendar?.kind === 'valid');
    first.index.put(sampleProperty({ brand: 'sol', reference: 'a' }), calendar.value, {
      listing: 1,
      calendar: 2,
    });
    first.index.put(sampleProperty({ brand: 'sol', reference: 'z' }), calendar.value, {
      listing: 3,
      calendar: 4,
    });
    await first.save();
    assert.equal((await sameAsFromStore(inventory, file)).calendarsRead, 1);
  });

  it('is the same as one from the store, whatever was stored, saved and forgotten before', {
    timeout: 120_000,
  }, async (t) => {
    const { inventory } = await setUp(t);
    const homes = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      fc.integer({ min: 0, max: 12 }),
    );
    const step = fc.record({
      brand: fc.constantFrom('sol', 'mar'),
      homes,
      isSaved: fc.boolean(),
      ageHours: fc.integer({ min: 0, max: 30 }),
    });
    const starts = fc.record({
      brands: fc.constantFrom(['sol', 'mar'], ['mar'], ['mar', 'sol', 'luna']),
      daysLater: fc.integer({ min: 0, max: 1 }),
      listings: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), starts, async (steps, last) => {
        const file = createSnapshotInMemory();
        for (const { brand, homes: some, isSaved, ageHours } of steps) {
          await store(inventory, brand, some, NOW - ageHours * HOUR);
          if (isSaved) await (await start(inventory, file)).save();
        }
        const { brands, daysLater, listings } = last;
        const now = NOW + daysLater * 24 * HOUR;
        await sameAsFromStore(inventory, file, { brands, now, budget: { ...NO_BUDGET, listings } });
      }),
    );
  });
});
