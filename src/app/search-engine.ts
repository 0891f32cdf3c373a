import { startCollectingOutcomes } from '../analytics/bookings/collect-outcomes.ts';
import type { CountActivity } from '../analytics/count.ts';
import { createOperatorRecorder } from '../analytics/recorders.ts';
import { createAvailabilityIndex } from '../availability/tiled-index.ts';
import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET } from '../catalogue/catalogue.ts';
import { createIntakeThreads } from '../connectors/shared/intake/intake-threads.ts';
import type { Readiness } from '../http/public-pages.ts';
import { createBreakerStates } from '../limits/circuit-breaker.ts';
import { openDeadline } from '../limits/deadline.ts';
import { createRequestSigner } from '../outbound/signing.ts';
import { candidatesWanted } from '../quotes/asking-order.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from '../quotes/collect-quotes.ts';
import { createLastingPrices } from '../quotes/price-memory.ts';
import { createCompleteSearch, limitSearches } from '../search/complete-search.ts';
import { createSearchPlaces, type LimitsOf } from '../sessions/assistant-limits.ts';
import { createIndexSnapshots, createWritePause } from '../sync/index-snapshots.ts';
import { createOperatorControls } from '../sync/operator-controls.ts';
import { createSynchroniser } from '../sync/synchroniser.ts';
import {
  createImplausibleObserver,
  createOutcomesObserver,
  createQuoteObserver,
  createSnapshotObserver,
  createSyncObserver,
} from '../telemetry/observers.ts';
import { connectNetwork } from './connect-network.ts';
import type { BookingStores, ServiceParts } from './service-parts.ts';

/** A file of 10,000 homes is read in some seconds. */
const MAX_PREPARING_MS = 60_000;
/** After the longest search and a call that began at its end: by then the search places of a dead process are freed. */
const SEARCH_GRACE_MS = 5000;

export type SearchEngine = ReturnType<typeof createSearchEngine>;

/** The index of homes, the booking systems that fill it, and the search that asks them for live prices. */
export function createSearchEngine(
  { settings, networkSettings, identity, storage, snapshot, bookings, ...parts }: ServiceParts,
  { count, limitsOf }: { readonly count: CountActivity; readonly limitsOf: LimitsOf },
) {
  const { clock, random, log, metrics, outside = {} } = parts;
  const { network, connections } = networkSettings;
  const { intake = createIntakeThreads({ places: network.places, clock }), lookUp } = outside;
  const { inventory, controls, operatorLimits } = storage;
  const recorder = createOperatorRecorder(count);
  const index = snapshot?.opened.index ?? createAvailabilityIndex(network, { now: clock.now() });
  const systems = connectNetwork({
    network,
    connections,
    store: inventory,
    shareAccount: operatorLimits?.account,
    operatorNetworks: settings.operatorNetworks,
    lookUp,
    sign: identity ? createRequestSigner(identity, { clock, random }) : undefined,
    maxDocumentAgeMs: settings.rateCardMaxAgeSeconds * 1000,
    onLastDocumentUsed: (source, failure) =>
      log.warn(
        { brand: source, kind: failure.kind },
        'the document of an operator cannot be read, its last one is used',
      ),
    onNightsLost: (source, reference, { lost, of, since }) =>
      log.warn(
        { brand: source, reference, lost, of, since: new Date(since).toISOString() },
        'a feed has lost most of its taken nights: they stay taken until a reading six hours later agrees, or the owner confirms it',
      ),
    intake,
    clock,
    random,
  });
  const pause = createWritePause(clock);
  const snapshots =
    snapshot && createIndexSnapshots({ ...snapshot, pause, clock, observe: createSnapshotObserver(log) });
  const synchroniser = createSynchroniser({
    systems,
    index,
    store: inventory,
    network,
    clock,
    random,
    refreshMs: networkSettings.refreshSeconds * 1000,
    horizonNights: HORIZON_NIGHTS,
    calendarMaxAgeMs: settings.calendarMaxAgeHours * 3_600_000,
    budgetOf: (brand) => connections.get(brand)?.budget ?? DEFAULT_BRAND_BUDGET,
    untilWritable: pause.over,
    controls,
    observe: createSyncObserver({ metrics, log, recorder }),
  });
  // Live prices, and the search that asks for them.
  const prices = createLastingPrices({
    store: inventory,
    clock,
    onFailure: (error) => log.error({ err: error }, 'learned prices could not be stored or read'),
  });
  const breakers = createBreakerStates(clock);
  const observeQuotes = createQuoteObserver({ metrics, log, clock, brands: systems.keys(), recorder });
  const collectQuotes = createCollectQuotes({
    systems,
    shared: operatorLimits ? { open: operatorLimits.operator, random } : null,
    prices,
    onImplausible: createImplausibleObserver({ metrics, log }),
    onPriced: recorder.priced,
    clock,
    limits: {
      ...DEFAULT_QUOTE_LIMITS,
      maxOptions: settings.maxOptions,
      maxQuotes: settings.maxQuotes,
      deadlineMs: settings.quoteDeadlineMs,
    },
    pauseSignal: synchroniser.pauseSignal,
    observe: {
      ...observeQuotes,
      breaker(brand, state) {
        breakers.note(brand, state);
        observeQuotes.breaker(brand, state);
      },
    },
  });
  const completeSearch = limitSearches(
    createCompleteSearch({
      index,
      listings: inventory.listings,
      network,
      collectQuotes,
      candidatesWanted: candidatesWanted(settings),
      propertyRefused(property, stay, reason) {
        recorder.refused(property, reason);
        synchroniser.propertyRefused(property, stay, reason);
      },
      rulesAgainst: synchroniser.rulesAgainst,
      inDoubt: synchroniser.inDoubt,
      unreadyBrands: synchroniser.unreadyBrands,
      checkWrites: () => storage.checkWrites(),
      maxOptions: settings.maxOptions,
      clock,
      random,
    }),
    {
      places: storage.searchPlaces ?? createSearchPlaces(),
      limitsOf,
      maxMs: 2 * settings.quoteDeadlineMs + SEARCH_GRACE_MS,
    },
  );
  metrics.watch({
    indexedProperties: () => index.propertyCount,
    indexBytes: () => index.usedBytes,
    indexAgeMs: () => synchroniser.ageMs(),
    brands: () => synchroniser.status(),
  });
  let starting: Promise<void> = Promise.resolve();
  const closing = new AbortController();
  let collecting: { stop(): Promise<void> } | undefined;

  return {
    index,
    completeSearch,
    unreadyBrands: synchroniser.unreadyBrands,
    operators: createOperatorControls({
      network,
      controls,
      synchroniser,
      store: inventory,
      systemOf: (brand) => connections.get(brand)?.kind ?? '',
      breakerOf: breakers.of,
      budgetOf: (brand) => systems.get(brand)?.budgetUse?.() ?? null,
      clock,
    }),
    readiness,
    start() {
      starting = startWork();
      return starting;
    },
    async close() {
      closing.abort();
      await collecting?.stop();
      await snapshots?.stop();
      await synchroniser.stop();
      await starting;
      await snapshots?.writeLast();
      await prices.stop();
      await Promise.all([...systems.values()].map((system) => system.close()));
      await intake.close();
    },
  };

  async function startWork(): Promise<void> {
    await prices.restore(network.brands.keys());
    await synchroniser.loadStored(preparePrices());
    index.open();
    // Closed while starting: do not start background work.
    if (closing.signal.aborted) return;
    snapshots?.start();
    synchroniser.start(storage);
    if (bookings) collecting = collectOutcomes(bookings);
    await synchroniser.untilReady();
  }

  /** A booking system that takes too long, or fails, is asked for prices all the same. */
  async function preparePrices(): Promise<void> {
    const deadline = openDeadline({ clock, timeoutMs: MAX_PREPARING_MS, parent: closing.signal });
    await Promise.allSettled(Array.from(systems.values(), (system) => system.prepare?.(deadline.signal)));
    deadline.close();
  }

  function collectOutcomes(stores: BookingStores) {
    return startCollectingOutcomes({
      ...stores,
      everyMs: settings.bookingsSeconds * 1000,
      systems,
      mayAsk: (id) =>
        synchroniser
          .status()
          .some(({ brand, leads, pausedAt }) => brand === id && leads && pausedAt === null),
      clock,
      random,
      observe: createOutcomesObserver(log),
    });
  }

  /**
   * Ready once every brand has been tried, because a search would miss brands that were not read yet, and once the recent
   * declines of operators have arrived, because the node would ask again for stays that were just declined.
   */
  function readiness(): Readiness {
    if (synchroniser.wasClockSet()) return { status: 'unavailable', reason: 'clock_was_set' };
    if (!synchroniser.hasTriedEveryBrand()) return { status: 'starting', reason: 'brands_not_read' };
    if (!synchroniser.hasReceivedDeclines()) return { status: 'starting', reason: 'refusals_not_heard' };
    // Paused brands are not waited for.
    if (index.propertyCount === 0 && !synchroniser.missesOnlyPaused())
      return { status: 'starting', reason: 'nothing_to_search' };
    return { status: 'ready', reason: null };
  }
}
