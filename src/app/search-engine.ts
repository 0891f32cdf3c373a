import type { BookingOutcomes, QuotesByIdentifier } from '../analytics/bookings/booking-outcomes.ts';
import { startCollectingOutcomes } from '../analytics/bookings/collect-outcomes.ts';
import { createOperatorRecorder } from '../analytics/recorders.ts';
import type { CountActivity } from '../analytics/sums.ts';
import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { OpenedIndex } from '../availability/snapshot/open-index.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import { createAvailabilityIndex } from '../availability/tiled-index.ts';
import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET, type UnreadyBrands } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Intake } from '../connectors/shared/intake/intake.ts';
import { createIntakeThreads } from '../connectors/shared/intake/intake-threads.ts';
import type { Readiness } from '../http/public-pages.ts';
import { openDeadline } from '../limits/deadline.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import type { ClientSurroundings } from '../outbound/operator-client.ts';
import { createRequestSigner, type OwnIdentity } from '../outbound/own-identity.ts';
import { candidatesWanted } from '../quotes/asking-order.ts';
import type { OperatorLimits } from '../quotes/call-entrance.ts';
import { createBreakerStates } from '../quotes/circuit-breaker.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from '../quotes/collect-quotes.ts';
import { createLastingPrices } from '../quotes/price-memory.ts';
import type { Random } from '../random.ts';
import { type CompleteSearch, createCompleteSearch, limitSearches } from '../search/complete-search.ts';
import { createSearchPlaces, type LimitsOf, type SearchPlaces } from '../sessions/assistant-limits.ts';
import type { StorageFailureKind } from '../sessions/storage-failure.ts';
import { type BrandControls, NO_CONTROLS } from '../sync/brand-controls.ts';
import { createIndexSnapshots, createWritePause } from '../sync/index-snapshots.ts';
import { createOperatorControls, type OperatorControls } from '../sync/operator-controls.ts';
import { createSynchroniser, type OtherNodes } from '../sync/synchroniser.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  alsoCountCalls,
  alsoCountReadings,
  createImplausibleObserver,
  createOutcomesObserver,
  createQuoteObserver,
  createSnapshotObserver,
  createSyncObserver,
} from '../telemetry/observers.ts';
import { connectNetwork } from './connect-network.ts';
import type { Settings } from './settings.ts';

/** The index of homes, and the calls to operators. */
export type SearchEngine = {
  readonly index: AvailabilityIndex;
  readonly completeSearch: CompleteSearch;
  readonly unreadyBrands: UnreadyBrands;
  readonly operators: OperatorControls;
  /** Whether there is something to search. */
  readonly readiness: () => Readiness;
  /** Loads the stored inventory and starts reading the operators. Resolves when every brand has been tried once, or takes too long. */
  start(): Promise<void>;
  close(): Promise<void>;
};

export type SearchEngineSettings = Pick<
  Settings,
  | 'maxOptions'
  | 'maxQuotes'
  | 'rateCardMaxAgeSeconds'
  | 'operatorNetworks'
  | 'calendarMaxAgeHours'
  | 'quoteDeadlineMs'
>;

export type SearchEngineDependencies = {
  readonly settings: SearchEngineSettings;
  readonly networkSettings: NetworkSettings;
  readonly inventory: InventoryStore;
  readonly nodes: OtherNodes;
  /** The owner's decisions about brands. Null, or left out, where the store cannot hold them: then none can be made. */
  readonly controls?: BrandControls | null;
  /** The index from the last snapshot, and the file for the next one. Without it, the index starts empty and no snapshot is written. */
  readonly kept?: { readonly opened: OpenedIndex; readonly file: SnapshotFile } | null;
  /** Null, or left out, where no other process asks the operators. */
  readonly operatorLimits?: OperatorLimits | null;
  /** Null, or left out, where no other process searches for the same assistants. */
  readonly searchPlaces?: SearchPlaces | null;
  readonly limitsOf: LimitsOf;
  /** Why the store takes no changes just now; null when it does. */
  readonly checkWrites: () => Promise<StorageFailureKind | null>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** For the owner's console; left out where nothing is counted. */
  readonly count?: CountActivity | undefined;
  /** Tests replace it to spare themselves the threads. */
  readonly intake?: Intake | undefined;
  /** Tests replace it, so that no name leaves the machine. */
  readonly lookUp?: ClientSurroundings['lookUp'] | undefined;
  /** Null, or left out, where requests to operators are not signed. */
  readonly identity?: OwnIdentity | null;
  /** Stores the bookings that operators report, with the ledger of the quotes that led to them. If left out, operators are not asked for bookings. */
  readonly booked?: BookedStays | undefined;
};

export type BookedStays = {
  readonly outcomes: BookingOutcomes;
  readonly ledger: QuotesByIdentifier;
  /** How often operators are asked. */
  readonly everyMs: number;
};

/** A file of 10,000 homes is read in some seconds. */
const MAX_PREPARING_MS = 60_000;

/** After the longest search and a call that began at its end: by then the search places of a dead process are freed. */
const SEARCH_GRACE_MS = 5000;

/** Builds the object graph. There is no logic here. */
export function createSearchEngine({
  settings,
  networkSettings,
  inventory,
  nodes,
  controls = null,
  kept,
  operatorLimits = null,
  searchPlaces,
  limitsOf,
  checkWrites,
  clock,
  random,
  log,
  metrics,
  count = () => {},
  intake = createIntakeThreads({ places: networkSettings.network.places, clock }),
  lookUp,
  identity,
  booked,
}: SearchEngineDependencies): SearchEngine {
  const { network, connections } = networkSettings;
  // The index of homes, and the booking systems that fill it.
  const index = kept?.opened.index ?? createAvailabilityIndex(network, { now: clock.now() });
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
  const recorder = createOperatorRecorder(count);
  const pause = createWritePause(clock);
  const snapshots =
    kept && createIndexSnapshots({ ...kept, pause, clock, observe: createSnapshotObserver(log) });
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
    observe: alsoCountReadings(createSyncObserver({ metrics, log, clock }), recorder),
  });
  // Live prices, and the search that asks for them.
  const prices = createLastingPrices({
    store: inventory,
    clock,
    onFailure: (error) => log.error({ err: error }, 'learned prices could not be stored or read'),
  });
  const breakers = createBreakerStates(clock);
  const observeQuotes = alsoCountCalls(
    createQuoteObserver({ metrics, log, clock, brands: systems.keys() }),
    recorder,
  );
  const collectQuotes = createCollectQuotes({
    systems,
    shared: operatorLimits && { open: operatorLimits.operator, random },
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
  const completeSearch = createCompleteSearch({
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
    checkWrites,
    maxOptions: settings.maxOptions,
    clock,
    random,
  });
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
    completeSearch: limitSearches(completeSearch, {
      places: searchPlaces ?? createSearchPlaces(),
      limitsOf,
      maxMs: 2 * settings.quoteDeadlineMs + SEARCH_GRACE_MS,
    }),
    unreadyBrands: synchroniser.unreadyBrands,
    operators: createOperatorControls({
      network,
      controls: controls ?? NO_CONTROLS,
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
    synchroniser.start(nodes);
    if (booked) collecting = collectOutcomes(booked);
    await synchroniser.untilReady();
  }

  /** A booking system that takes too long, or fails, is asked for prices all the same. */
  async function preparePrices(): Promise<void> {
    const deadline = openDeadline({ clock, timeoutMs: MAX_PREPARING_MS, parent: closing.signal });
    await Promise.allSettled(Array.from(systems.values(), (system) => system.prepare?.(deadline.signal)));
    deadline.close();
  }

  function collectOutcomes(stores: BookedStays) {
    return startCollectingOutcomes({
      ...stores,
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
