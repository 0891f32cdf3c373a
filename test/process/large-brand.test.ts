import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { AvailabilityWriter, IndexedHome } from '../../src/availability/availability-index.ts';
import { createAvailabilityIndex } from '../../src/availability/tiled-index.ts';
import { type Calendar, emptyCalendar, HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Network, PropertyId } from '../../src/catalogue/catalogue.ts';
import { ANY_STAY } from '../../src/catalogue/stay-criteria.ts';
import { systemClock } from '../../src/clock.ts';
import { valid } from '../../src/parsing/reading.ts';
import type { BookingSystem, CalendarReadings } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { createSynchroniser } from '../../src/sync/synchroniser.ts';
import { holdsLittle, inAttempts } from '../support/longest-hold.ts';
import { sampleNetwork } from '../support/sample-network.ts';
import { sampleProperty } from '../support/sample-property.ts';
import { temporaryStorage } from '../support/temporary-storage.ts';

const MAX_HOLD_MS = 50;
/** Of reading, storing and loading, without what the index does. */
const MAX_HOLD_WITHOUT_INDEX_MS = 50;
const HOMES = 10_000;
const signal = new AbortController().signal;

/** Answers at once, so that all of the time is the service's own. A test can describe its homes anew. */
function createLargeBrand() {
  const calendars = new Map<number, Calendar>();
  const describeHomes = (maxGuests: number) =>
    Array.from({ length: HOMES }, (_, at) =>
      sampleProperty({ brand: 'sol', reference: `home-${at}`, maxGuests }),
    );
  const brand = { properties: describeHomes(4), describeHomes, calendarCalls: 0 };
  const system: BookingSystem = {
    brand: 'sol',
    limits: { batchSize: 50, concurrency: 8, timeoutMs: 4000 },
    catalogue: async () => ({ properties: brand.properties, rejections: [] }),
    async calendars(asked, { from, nights }): Promise<CalendarReadings> {
      brand.calendarCalls += 1;
      // A few that differ, made once: making them is an operator's work.
      return new Map(asked.map((reference, at) => [reference, valid(calendarOf(at % 7, from, nights))]));
    },
    quote: async () => [],
    close: async () => {},
  };
  function calendarOf(pattern: number, from: number, nights: number): Calendar {
    let calendar = calendars.get(pattern);
    if (!calendar) {
      calendar = emptyCalendar(from, nights);
      for (let night = 0; night < nights; night += 1) {
        calendar.available[night] = (night + pattern) % 9 < 6 ? 1 : 0;
        calendar.price[night] = 10_000 + pattern;
      }
      calendars.set(pattern, calendar);
    }
    return calendar;
  }
  return { brand, system };
}

async function setUp<Index extends AvailabilityWriter>(
  t: TestContext,
  newIndex: (network: Network) => Index,
) {
  const { brand, system } = createLargeBrand();
  const { inventory } = await temporaryStorage(t);
  const network = sampleNetwork(['sol']);
  const start = () => {
    const index = newIndex(network);
    const synchroniser = createSynchroniser({
      systems: new Map([['sol', system]]),
      index,
      store: inventory,
      network,
      clock: systemClock,
      random: systemRandom,
      refreshMs: 900_000,
      horizonNights: HORIZON_NIGHTS,
      observe: {
        refreshed: () => undefined,
        failed: (_, kind, error) => assert.fail(`${kind}: ${error}`),
        paused: () => undefined,
        withdrawn: () => undefined,
        indexFull: () => undefined,
        clockWasSet: () => undefined,
        dateNotFollowed: () => undefined,
        loaded: () => undefined,
        storedRejections: () => undefined,
        storeFailed: (error) => assert.fail(String(error)),
        controlsNotRead: () => undefined,
      },
    });
    return { index, synchroniser };
  };
  return { brand, start };
}

describe('a brand of ten thousand homes', () => {
  it(
    'is read, loaded again after a restart and read on without holding the event loop',
    {
      timeout: 300_000,
    },
    (t) =>
      inAttempts(async () => {
        const { brand, start } = await setUp(t, (network) =>
          createAvailabilityIndex(network, { now: systemClock.now() }),
        );
        const holds = <T>(what: string, work: () => Promise<T>) =>
          holdsLittle(t, { what, maxMs: MAX_HOLD_MS }, work);
        const first = start();
        const full = await holds('a full round', () =>
          first.synchroniser.refreshBrand('sol', { mode: 'full', signal }),
        );
        assert.deepEqual([full?.outcome, full?.calendarsRead], ['complete', HOMES]);
        assert.equal(first.index.propertyCount, HOMES);
        assert.equal(brand.calendarCalls, HOMES / 50);

        const second = start();
        await holds('a restart', () => second.synchroniser.loadStored());
        assert.equal(second.index.propertyCount, HOMES);

        const nothing = await holds('an incremental run with nothing to read', () =>
          second.synchroniser.refreshBrand('sol', { mode: 'incremental', signal }),
        );
        assert.deepEqual([nothing?.outcome, nothing?.calendarsRead], ['complete', 0]);

        brand.properties = brand.describeHomes(6);
        const changed = await holds('a run in which every listing has changed', () =>
          second.synchroniser.refreshBrand('sol', { mode: 'incremental', signal }),
        );
        assert.equal(changed?.calendarsRead, HOMES);
        assert.equal(second.index.largestParty(ANY_STAY, systemClock.now()), 6);
      }),
  );

  it('costs the event loop little besides its index', { timeout: 300_000 }, (t) =>
    inAttempts(async () => {
      const { brand, start } = await setUp(t, createUnsearchableIndex);
      const holds = <T>(what: string, work: () => Promise<T>) =>
        holdsLittle(t, { what, maxMs: MAX_HOLD_WITHOUT_INDEX_MS }, work);
      const first = start();
      await first.synchroniser.refreshBrand('sol', { mode: 'full', signal });
      const second = start();
      await holds('a restart', () => second.synchroniser.loadStored());
      assert.equal(second.index.propertyCount, HOMES);
      brand.properties = brand.describeHomes(6);
      const changed = await holds('a run in which every listing has changed', () =>
        second.synchroniser.refreshBrand('sol', { mode: 'incremental', signal }),
      );
      assert.equal(changed?.calendarsRead, HOMES);
      assert.equal(second.index.maxGuestsOf('sol:home-7'), 6);
    }),
  );
});

/** Keeps a number of each home, and nothing of its calendar. */
function createUnsearchableIndex() {
  const maxGuests = new Map<PropertyId, number>();
  return {
    put: (home: IndexedHome) => void maxGuests.set(home.id, home.maxGuests),
    remove: (id: PropertyId) => void maxGuests.delete(id),
    removeAll(ids: readonly PropertyId[]) {
      for (const id of ids) maxGuests.delete(id);
    },
    hideBrand: () => undefined,
    withdraw: () => undefined,
    holds: () => false,
    homes: () => [],
    maxGuestsOf: (id: PropertyId) => maxGuests.get(id),
    followDate: () => false,
    daysLost: () => 0,
    rewind: () => undefined,
    get propertyCount() {
      return maxGuests.size;
    },
  };
}
