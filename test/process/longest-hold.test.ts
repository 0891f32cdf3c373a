import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createAvailabilityIndex } from '../../src/availability/tiled-index.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { connectBookingSystem } from '../../src/connectors/connect.ts';
import { createFeedPace } from '../../src/connectors/icalendar/fetch-feed.ts';
import type { Intake } from '../../src/connectors/shared/intake/intake.ts';
import { createIntakeThreads } from '../../src/connectors/shared/intake/intake-threads.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import { systemRandom } from '../../src/random.ts';
import { createSynchroniser } from '../../src/sync/synchroniser.ts';
import { createTurnCounter, watched } from '../support/event-loop-turns.ts';
import { holdsLittle, inAttempts } from '../support/longest-hold.ts';
import { openLoopbackClient } from '../support/loopback-client.ts';
import { brandEntry, networkFile, TODAY } from '../support/network.ts';
import { temporaryStorage } from '../support/temporary-storage.ts';
import { noAccounts } from '../support/unused-accounts.ts';

const MAX_HOLD_MS = 50;
/** Looking at as many takes a few milliseconds. */
const MAX_LISTINGS_A_TURN = 2000;
/** Of a thousand homes each: enough to tell. `STAYWIRE_TEST_MARKET_PAGES=100` measures a hundred thousand. */
const MARKET_PAGES = Number(process.env.STAYWIRE_TEST_MARKET_PAGES ?? 5);
const patient = new AbortController().signal;
/** What is read may take longer on a busy machine than a live price may wait for it, which is not what is tested here. */
const unhurried: Clock = {
  ...systemClock,
  after: (milliseconds, action) => systemClock.after(milliseconds + 60_000, action),
};

/** One brand of the oversized operators, with all that reads it: threads, index, store, synchroniser. */
async function setUp(
  t: TestContext,
  origin: string,
  operator: string,
  withIntake = (intake: Intake): Intake => intake,
) {
  const url = `${origin}/${operator}`;
  const entry = { ...brandEntry('acme', url), budget: { listings: 100_000, megabytes: 1000 } };
  const booking_system: NetworkFile['brands'][number]['booking_system'] =
    operator === 'card' ? { kind: 'rate-card', url } : { kind: 'open', url, quote_batch: 20 };
  const reading = describeNetwork(networkFile([{ ...entry, booking_system }]), { env: {}, directory: '.' });
  assert.ok(reading.kind === 'valid');
  const { network, connections } = reading.value;
  const connection = connections.get('acme');
  assert.ok(connection);
  const { inventory } = await temporaryStorage(t);
  const intake = createIntakeThreads({ places: network.places, clock: unhurried });
  const system = connectBookingSystem(connection, {
    network,
    store: inventory,
    clock: systemClock,
    openClient: openLoopbackClient,
    openAccount: noAccounts,
    feedPace: createFeedPace({ clock: systemClock, random: systemRandom }),
    intake: withIntake(intake),
  });
  const index = createAvailabilityIndex(network, { now: systemClock.now() });
  const synchroniser = () =>
    createSynchroniser({
      systems: new Map([['acme', system]]),
      index,
      store: inventory,
      network,
      clock: systemClock,
      random: systemRandom,
      refreshMs: 900_000,
      horizonNights: 540,
      observe: {
        refreshed: () => undefined,
        failed: (_, kind, error) => t.diagnostic(`${kind}: ${error}`),
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
  t.after(async () => {
    await system.close();
    await intake.close();
  });
  return { system, index, synchroniser };
}

const holds = <T>(t: TestContext, what: string, work: () => Promise<T>) =>
  holdsLittle(t, { what, maxMs: MAX_HOLD_MS }, work);

function isListing(item: unknown): item is object {
  return typeof item === 'object' && item !== null && 'rating' in item;
}

describe('the event loop', () => {
  let operators: Worker;
  let origin = '';
  before(async () => {
    const workerData = { marketPages: MARKET_PAGES };
    operators = new Worker(new URL('../support/oversized-operator.worker.ts', import.meta.url), {
      workerData,
    });
    [origin] = await once(operators, 'message');
  });
  after(() => operators.terminate());

  it('is free while a catalogue is read that was made to be slow', (t) =>
    inAttempts(async () => {
      const { synchroniser } = await setUp(t, origin, 'hostile');
      await holds(t, 'reading the catalogue', () => synchroniser().refreshAll(patient));
    }));

  it('is free while homes with forty pictures each are read, stored, and loaded again', (t) =>
    inAttempts(async () => {
      const { index, synchroniser } = await setUp(t, origin, 'pictures');
      await holds(t, 'reading homes with pictures', () => synchroniser().refreshAll(patient));
      assert.equal(index.propertyCount, 500);
      await holds(t, 'loading them again', () => synchroniser().loadStored());
    }));

  it('is free while thousands of homes come and go', (t) =>
    inAttempts(async () => {
      const { index, synchroniser } = await setUp(t, origin, 'many');
      const brand = synchroniser();
      await brand.refreshAll(patient);
      const earlier = Array.from(index.homes(), ({ id }) => id);
      await holds(t, 'reading other homes', () => brand.refreshAll(patient));
      assert.deepEqual([earlier.length, index.propertyCount], [3000, 3000]);
      assert.deepEqual(
        earlier.filter((id) => index.has(id)),
        [],
      );
    }));

  it('is free while all homes of a market are described anew', { timeout: 600_000 }, (t) =>
    inAttempts(async () => {
      const turns = createTurnCounter();
      const { synchroniser } = await setUp(t, origin, 'market', (intake) => ({
        ...intake,
        run: (order) =>
          intake.run({
            ...order,
            take: (items, bytes) =>
              order.take(
                items.map((item) => (isListing(item) ? watched(item, turns.handled) : item)),
                bytes,
              ),
          }),
      }));
      const brand = synchroniser();
      /** The calendars that follow are read a few at a time anyway. */
      const readCatalogue = async () => {
        const controller = new AbortController();
        const result = await brand.refreshBrand('acme', {
          mode: 'full',
          signal: controller.signal,
          onProgress: ({ phase }) => phase === 'calendars' && controller.abort(),
        });
        assert.equal(result?.listings, MARKET_PAGES * 1000);
      };
      await readCatalogue();
      let most = 0;
      await holds(t, 'reading the catalogue', async () => {
        most = await turns.mostDuring(readCatalogue);
      });
      assert.ok(most > 0 && most <= MAX_LISTINGS_A_TURN, `${most} listings in a turn of the event loop`);
    }),
  );

  it('is free while prices with long labels are read', (t) =>
    inAttempts(async () => {
      const { system } = await setUp(t, origin, 'labels');
      const references = Array.from({ length: 50 }, (_, at) => `home-${at}`);
      const stay = { checkIn: TODAY + 10, checkOut: TODAY + 12, guests: 2, currency: 'EUR' };
      await holds(t, 'reading prices', async () => {
        const outcomes = await system.quote({ references, ...stay }, patient);
        assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['quoted']));
      });
    }));

  it('is free while short answers that were made to be slow come together', (t) =>
    inAttempts(async () => {
      const intake = createIntakeThreads({ places: new Map(), clock: systemClock });
      t.after(() => intake.close());
      const cancellationPolicy = [`x ${'/1 250 000 ſ'.repeat(180)} host@evil.example`];
      const title = '1 250 000 ﷺἀ'.repeat(10);
      const invoiceItems = Array.from({ length: 49 }, (_, at) => ({ title: at + title, amount: 1 }));
      const plan = { cancellationPolicy, money: { currency: 'EUR', invoiceItems } };
      const text = JSON.stringify({ rates: { ratePlans: [{ ratePlan: plan }] } });
      const read = (brand: string) =>
        intake.run({
          task: 'guesty_quote',
          lane: 'live',
          brand,
          document: new TextEncoder().encode(text),
          parameters: { status: 200, currency: 'EUR' },
          signal: patient,
          take: () => undefined,
        });
      assert.ok(new TextEncoder().encode(text).length < 12 * 1024, 'it may be read on the event loop');
      await holds(t, 'one answer', () => read('first'));
      await holds(t, 'six answers together', () =>
        Promise.all(['one', 'two', 'three', 'four', 'five', 'six'].map(read)),
      );
    }));

  it('is free while a rate card of six megabytes changes with each price', (t) =>
    inAttempts(async () => {
      const { system, synchroniser } = await setUp(t, origin, 'card');
      const references = Array.from({ length: 50 }, (_, at) => `home-${at}`);
      const stay = { checkIn: TODAY + 10, checkOut: TODAY + 12, guests: 2, currency: 'EUR' };
      await holds(t, 'reading the card', () => synchroniser().refreshAll(patient));
      await holds(t, 'reading prices from the card', async () => {
        for (let search = 0; search < 2; search += 1) {
          const outcomes = await system.quote({ references, ...stay }, patient);
          assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['quoted']));
        }
      });
    }));
});
