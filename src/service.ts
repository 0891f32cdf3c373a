import type { FastifyInstance } from 'fastify';
import { createAccessGate } from './access/access-gate.ts';
import type { AssistantRegistry } from './access/assistant-registry.ts';
import { createDnsResolver } from './access/dns-resolver.ts';
import { createAnswerWriter } from './answers/create-answer-writer.ts';
import { createLinks } from './answers/links.ts';
import type { Clock } from './clock.ts';
import { connectNetwork } from './connect-network.ts';
import { describeInterface } from './contract/describe-interface.ts';
import { SOFTWARE_VERSION } from './contract/software-version.ts';
import { termsBody } from './contract/terms-body.ts';
import { createAddressedToUs } from './http/addressed-to-us.ts';
import { buildApp } from './http/app.ts';
import { discoveryPages } from './http/discovery/discovery-pages.ts';
import { securityContactOf } from './http/discovery/security-text.ts';
import { createEntryPage } from './http/entry/entry-page.ts';
import { healthPages, type Readiness } from './http/public-pages.ts';
import type { OpenedIndex } from './inventory/availability-index/snapshot/open-index.ts';
import type { SnapshotFile } from './inventory/availability-index/snapshot/snapshot-file.ts';
import { createAvailabilityIndex } from './inventory/availability-index/tiled-index.ts';
import { DEFAULT_BRAND_BUDGET } from './inventory/brand-budget.ts';
import { HORIZON_NIGHTS } from './inventory/calendar.ts';
import { createFindExampleStay, type ExampleStay, exampleStay } from './inventory/example-stay.ts';
import type { InventoryStore } from './inventory/inventory-store.ts';
import { createMcpDoor } from './mcp/mcp-door.ts';
import { networkFacts } from './mcp/network-facts.ts';
import type { NetworkSettings } from './network/read-network.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import {
  createImplausibleObserver,
  createOperationObserver,
  createQuoteObserver,
  createRequestObserver,
  createSnapshotObserver,
  createSyncObserver,
} from './observe/observers.ts';
import { type EventLoopLag, watchEventLoopLag } from './operations/event-loop-lag.ts';
import { createFindSession } from './operations/find-session.ts';
import { createLoadShedder } from './operations/load-shedding.ts';
import { createPerformOperation } from './operations/perform-operation.ts';
import { publishedDocument } from './operations/published-documents.ts';
import { createServeOperation, type ServeOperation } from './operations/serve-operation.ts';
import type { ClientSurroundings } from './operators/http/operator-client.ts';
import type { Intake } from './operators/intake/intake.ts';
import { createIntakeThreads } from './operators/intake/intake-threads.ts';
import { candidatesWanted } from './quotes/asking-order.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from './quotes/collect-quotes.ts';
import { createLastingPrices } from './quotes/lasting-prices.ts';
import type { Random } from './random.ts';
import { createCompleteSearch } from './search/complete-search.ts';
import { placeNamesOf } from './search/names/place-names.ts';
import { createOpenSession } from './search/open-session.ts';
import { createReadResult } from './search/read-result.ts';
import { createTakeStep } from './search/take-step.ts';
import { startDeletingExpired } from './sessions/delete-expired.ts';
import type { RateWindows } from './sessions/rate-windows.ts';
import { createRecentOpenings } from './sessions/recent-openings.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { StorageFailureKind } from './sessions/storage-failure.ts';
import { createQuotas } from './sessions/storage-quota.ts';
import type { Settings } from './settings.ts';
import { createIndexSnapshots } from './sync/index-snapshots.ts';
import { createSynchroniser } from './sync/synchroniser.ts';
import { createWritePause } from './sync/write-pause.ts';

export type Service = {
  readonly app: FastifyInstance;
  /** What every transport calls; `app` is the HTTP one. */
  readonly serveOperation: ServeOperation;
  /** For those who greet the owner. */
  readonly exampleStay: () => ExampleStay;
  /** Loads the stored inventory and starts reading the operators. Resolves when every brand has been tried once, or takes too long. */
  start(): Promise<void>;
  /** Finishes requests in flight, then stops all background work. The stores stay open, because the caller owns them. */
  close(): Promise<void>;
};

/** High, because a search spends most of its time waiting for operators. */
const MAX_REQUESTS_IN_FLIGHT = 2000;
const MAX_LAG_MS = 250;
const DAYS_TO_SCHEMA_EXAMPLE = 180;
const CLOSING_GRACE_MS = 5000;

/** Builds the object graph. There is no logic here. */
export function createService({
  settings,
  networkSettings,
  registry,
  sessions,
  inventory,
  rateWindows,
  kept,
  storeFault,
  clock,
  random,
  log,
  metrics,
  eventLoopLag = watchEventLoopLag(clock),
  intake = createIntakeThreads({ places: networkSettings.network.places, clock }),
  lookUp,
}: {
  readonly settings: ServiceSettings;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
  readonly sessions: SessionStore;
  readonly inventory: InventoryStore;
  readonly rateWindows: RateWindows;
  /** The index of the last snapshot, and where the next is kept. Without it, the index begins empty and no snapshot is written. */
  readonly kept?: { readonly opened: OpenedIndex; readonly file: SnapshotFile } | null;
  /** Why the store takes no changes just now; null while it does. */
  readonly storeFault: () => StorageFailureKind | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Tests replace it to simulate load. */
  readonly eventLoopLag?: EventLoopLag;
  /** Tests replace it to spare themselves the threads. */
  readonly intake?: Intake;
  /** Tests replace it, so that no name leaves the machine. */
  readonly lookUp?: ClientSurroundings['lookUp'];
}): Service {
  const { network, connections } = networkSettings;
  // Folding the names of a large network takes a while: better now than in the first search by name.
  placeNamesOf(network);
  const links = createLinks(settings.publicUrl);
  const index = kept?.opened.index ?? createAvailabilityIndex(network, { now: clock.now() });
  const findExampleStay = createFindExampleStay(network, index);
  const exampleNow = () => findExampleStay(clock.now(), null);
  const answers = createAnswerWriter({ links, network, findExampleStay });
  const systems = connectNetwork({
    network,
    connections,
    store: inventory,
    operatorNetworks: settings.operatorNetworks,
    lookUp,
    maxDocumentAgeMs: settings.rateCardMaxAgeSeconds * 1000,
    onLastDocumentUsed: (source, failure) =>
      log.warn(
        { brand: source, kind: failure.kind },
        'the document of an operator cannot be read, its last one is used',
      ),
    intake,
    clock,
    random,
  });
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
    observe: createSyncObserver({ metrics, log, clock }),
  });
  const prices = createLastingPrices({
    store: inventory,
    clock,
    onFailure: (error) => log.error({ err: error }, 'learned prices could not be stored or read'),
  });
  const collectQuotes = createCollectQuotes({
    systems,
    prices,
    onImplausible: createImplausibleObserver({ metrics, log }),
    clock,
    limits: {
      ...DEFAULT_QUOTE_LIMITS,
      maxOptions: settings.maxOptions,
      maxQuotes: settings.maxQuotes,
      deadlineMs: settings.quoteDeadlineMs,
    },
    observe: createQuoteObserver({ metrics, log, clock, brands: systems.keys() }),
  });
  const completeSearch = createCompleteSearch({
    index,
    listings: inventory.listings,
    network,
    collectQuotes,
    candidatesWanted: candidatesWanted(settings),
    propertyRefused: synchroniser.propertyRefused,
    rulesAgainst: synchroniser.rulesAgainst,
    inDoubt: synchroniser.inDoubt,
    unreadBrands: synchroniser.unread,
    storeFault,
    maxOptions: settings.maxOptions,
    clock,
    random,
  });
  const loadShedder = createLoadShedder({
    maxInFlight: MAX_REQUESTS_IN_FLIGHT,
    maxLagMs: MAX_LAG_MS,
    lag: () => eventLoopLag.milliseconds(),
    onShed: (kind) => metrics.shed(kind),
  });
  const openings = createRecentOpenings(clock);
  const readResult = createReadResult({ sessions, answers, index, network, clock });
  const sources = [...network.brands.keys()];
  const perform = createPerformOperation({
    openSession: createOpenSession({
      sessions,
      openings,
      network,
      answers,
      clock,
      random,
      sessionMinutes: settings.sessionMinutes,
      quotaOf: createQuotas({
        sessions: settings.maxSessions,
        megabytes: settings.maxStoredMegabytes,
        totalMegabytes: settings.maxStoreMegabytes,
        assistants: registry.assistants,
      }),
    }),
    takeStep: createTakeStep({
      sessions,
      index,
      network,
      unreadBrands: synchroniser.unread,
      completeSearch,
      readResult,
      answers,
      clock,
    }),
    readResult,
    links,
    sources,
    schemaDocument: publishedDocument(
      describeInterface({
        rateLimit: settings.rateLimit,
        rateWindowSeconds: settings.rateWindowSeconds,
        sessionMinutes: settings.sessionMinutes,
        maxOptions: settings.maxOptions,
        horizonNights: HORIZON_NIGHTS,
        // Written once, so the example must not be over before the next start.
        exampleStay: exampleStay(network, clock.now(), DAYS_TO_SCHEMA_EXAMPLE),
      }),
    ),
    termsDocument: publishedDocument(termsBody(networkSettings.contact)),
  });
  const serveOperation = createServeOperation({
    perform,
    findSession: createFindSession(sessions, openings),
    rateWindows,
    loadShedder,
    links,
    sources,
    clock,
    observe: createOperationObserver({ metrics, log }),
  });
  const gate = createAccessGate({
    registry,
    trustedProxies: settings.trustedProxies,
    resolver: createDnsResolver(),
    clock,
  });
  const observeRequests = createRequestObserver({ metrics, log });
  const mcp = createMcpDoor({
    serveOperation,
    network: networkFacts(networkSettings.name, network.brands.values()),
    placeName: (place) => network.places.get(place)?.name,
    version: SOFTWARE_VERSION,
    clock,
    fault: observeRequests.fault,
  });
  const app = buildApp({
    gate,
    addressedToUs: createAddressedToUs(settings),
    serveOperation,
    publicPages: [
      createEntryPage({
        network: networkSettings.name,
        brands: network.brands.values(),
        publicUrl: settings.publicUrl,
        exampleStay: exampleNow,
      }),
      ...discoveryPages({
        network: networkSettings.name,
        publicUrl: settings.publicUrl,
        securityContact: securityContactOf(settings.securityContact, networkSettings.contact),
        now: clock.now,
      }),
      ...healthPages(readiness),
    ],
    mountedDoors: [mcp],
    links,
    rateWindows,
    clock,
    random,
    observe: observeRequests,
    maxConnections: settings.maxConnections,
    maxAnswerMs: settings.quoteDeadlineMs,
  });
  metrics.watch({
    requestsInFlight: () => loadShedder.inFlight,
    indexedProperties: () => index.propertyCount,
    brands: () => synchroniser.status(),
  });
  const closing = new AbortController();
  let cleanup = { stop: async () => {} };
  let starting: Promise<void> = Promise.resolve();

  return {
    app,
    serveOperation,
    exampleStay: exampleNow,
    start() {
      starting = startWork();
      return starting;
    },
    async close() {
      closing.abort();
      // Long enough for every search in flight. A client that never reads its answer must not block the shutdown.
      const cutOff = clock.after(settings.quoteDeadlineMs + CLOSING_GRACE_MS, () =>
        app.server.closeAllConnections(),
      );
      await app.close();
      cutOff();
      await mcp.close();
      eventLoopLag.stop();
      await snapshots?.stop();
      await synchroniser.stop();
      await starting;
      await snapshots?.writeLast();
      await cleanup.stop();
      await prices.stop();
      await Promise.all([...systems.values()].map((system) => system.close()));
      await intake.close();
    },
  };

  async function startWork(): Promise<void> {
    await prices.restore(network.brands.keys());
    await synchroniser.loadStored();
    index.open();
    // Closed while starting: do not start background work.
    if (closing.signal.aborted) return;
    snapshots?.start();
    synchroniser.start();
    cleanup = startDeletingExpired({
      sessions,
      clock,
      onFailure: (failure) => log.error({ err: failure }, 'expired sessions could not be deleted'),
    });
    await synchroniser.untilEveryBrandTried();
  }

  /** Not before every brand has been tried: until then a search would miss brands that were not read yet. */
  function readiness(): Readiness {
    if (!synchroniser.hasTriedEveryBrand()) return { status: 'starting', reason: 'brands_not_read' };
    if (index.propertyCount === 0) return { status: 'starting', reason: 'nothing_to_search' };
    const fault = storeFault();
    return fault === null
      ? { status: 'ready', reason: null }
      : { status: 'unavailable', reason: `store_${fault === 'corrupt' ? 'damaged' : fault}` };
  }
}

export type ServiceSettings = Pick<
  Settings,
  | 'publicUrl'
  | 'hosts'
  | 'securityContact'
  | 'sessionMinutes'
  | 'maxOptions'
  | 'maxQuotes'
  | 'rateCardMaxAgeSeconds'
  | 'operatorNetworks'
  | 'calendarMaxAgeHours'
  | 'quoteDeadlineMs'
  | 'trustedProxies'
  | 'maxConnections'
  | 'rateLimit'
  | 'rateWindowSeconds'
  | 'maxSessions'
  | 'maxStoredMegabytes'
  | 'maxStoreMegabytes'
>;
