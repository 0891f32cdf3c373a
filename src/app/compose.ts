import type { FastifyInstance } from 'fastify';
import { createAccessGate } from '../access/access-gate.ts';
import { type AccessList, createKeysAt } from '../access/access-list.ts';
import { createAddressedToUs } from '../access/addressed-to-us.ts';
import { createClientAddress } from '../access/client-address.ts';
import { createDnsResolver, type Resolver } from '../access/reverse-dns.ts';
import { originsOf } from '../access/web-bot-auth/signature-rules.ts';
import { createSignatureVerifier } from '../access/web-bot-auth/signature-verifier.ts';
import { createNoncesInMemory } from '../access/web-bot-auth/used-nonces.ts';
import type { ActivityRecorder } from '../analytics/activity-recorder.ts';
import { createActivityRecorder } from '../analytics/activity-recorder.ts';
import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes, QuotesByIdentifier } from '../analytics/bookings/booking-outcomes.ts';
import { startCollectingOutcomes } from '../analytics/bookings/collect-outcomes.ts';
import { createOperatorRecorder, createRecorders } from '../analytics/recorders.ts';
import type { CountActivity } from '../analytics/sums.ts';
import type { OpenedIndex } from '../availability/snapshot/open-index.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import { createAvailabilityIndex } from '../availability/tiled-index.ts';
import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Intake } from '../connectors/shared/intake/intake.ts';
import { createIntakeThreads } from '../connectors/shared/intake/intake-threads.ts';
import { describeInterface } from '../contract/describe-interface.ts';
import { termsBody } from '../contract/reference-bodies.ts';
import { SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import type { ExampleStay } from '../contract/whole-stay.ts';
import { buildApp } from '../http/app.ts';
import { discoveryPages } from '../http/discovery/discovery-pages.ts';
import { securityContactOf } from '../http/discovery/well-known.ts';
import { createEntryPage } from '../http/entry/entry-page.ts';
import { healthPages, type Readiness } from '../http/public-pages.ts';
import { openDeadline } from '../limits/deadline.ts';
import { type EventLoopLag, watchEventLoopLag } from '../limits/event-loop.ts';
import { createLoadShedder } from '../limits/load-shedding.ts';
import { networkFacts } from '../mcp/interface-calls.ts';
import { createMcpTransport } from '../mcp/mcp-transport.ts';
import { createKeyedOpenings } from '../mcp/session-openings.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import { createKeyDirectory } from '../outbound/key-directory.ts';
import type { ClientSurroundings } from '../outbound/operator-client.ts';
import { createRequestSigner, type OwnIdentity } from '../outbound/own-identity.ts';
import { addressSetFrom } from '../parsing/ip-address.ts';
import { candidatesWanted } from '../quotes/asking-order.ts';
import { createBreakerStates } from '../quotes/circuit-breaker.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from '../quotes/collect-quotes.ts';
import { createLastingPrices } from '../quotes/price-memory.ts';
import type { Random } from '../random.ts';
import { createPerformOperation, publishedDocument } from '../requests/perform-operation.ts';
import { createFindSession, createServeOperation, type ServeOperation } from '../requests/serve-operation.ts';
import { createLinks } from '../search/answers/links.ts';
import { createCompleteSearch, limitSearches } from '../search/complete-search.ts';
import { createFindExampleStay, exampleStay } from '../search/example-stay.ts';
import { placeNamesOf } from '../search/names/find-place.ts';
import { createOpenSession } from '../search/open-session.ts';
import { createReadResult } from '../search/read-result.ts';
import { createTakeStep } from '../search/take-step.ts';
import {
  createLimitsOf,
  createQuotas,
  createSearchPlaces,
  type LimitsOf,
} from '../sessions/assistant-limits.ts';
import { startDeletingExpired } from '../sessions/expiry.ts';
import { createRequestLimits } from '../sessions/rate-windows.ts';
import { type Opening, openingsInMemory } from '../sessions/recent-openings.ts';
import type { Storage } from '../storage/storage.ts';
import { createIndexSnapshots, createWritePause } from '../sync/index-snapshots.ts';
import { createOperatorControls, type OperatorControls } from '../sync/operator-controls.ts';
import { createSynchroniser } from '../sync/synchroniser.ts';
import type { RecordAudit } from '../telemetry/audit/audit-record.ts';
import { withRequestsRecorded } from '../telemetry/audit/audit-recorder.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  alsoCountCalls,
  alsoCountReadings,
  alsoCountRequests,
  createActivityObserver,
  createImplausibleObserver,
  createOperationObserver,
  createOutcomesObserver,
  createQuoteObserver,
  createRequestObserver,
  createSnapshotObserver,
  createSyncObserver,
} from '../telemetry/observers.ts';
import { connectNetwork } from './connect-network.ts';
import type { Settings } from './settings.ts';

/** The whole service, as the program, tests and the benchmark run it. */
export type Service = {
  readonly app: FastifyInstance;
  /** What every transport calls; the console uses it for the owner's trial searches. */
  readonly serveOperation: ServeOperation;
  /** For the greeting at the start. */
  readonly exampleStay: () => ExampleStay;
  /** The state of each operator, and the owner's decisions about them. */
  readonly operators: OperatorControls;
  /** Resolves once all counts so far are readable, or storing them has failed. */
  flushActivity(): Promise<void>;
  /** Loads the stored inventory and starts reading the operators. Resolves when every brand has been tried once, or takes too long. */
  start(): Promise<void>;
  /** Finishes requests in flight, then stops all background work. The stores stay open, because the caller owns them. */
  close(): Promise<void>;
};

export type ServiceParts = {
  readonly settings: Settings;
  readonly networkSettings: NetworkSettings;
  /** Signs requests to operators; null where they are not signed. */
  readonly identity: OwnIdentity | null;
  /** Who may call, as it is now. */
  readonly accessList: () => AccessList;
  readonly storage: Storage;
  /** The index from the last snapshot, and the file for the next one. Null: the index starts empty and no snapshot is written. */
  readonly snapshot: { readonly opened: OpenedIndex; readonly file: SnapshotFile } | null;
  /** Stores the counts for the owner's console; null: nothing is counted. */
  readonly activity: Pick<ActivityStore, 'add'> | null;
  /** Stores the bookings that operators report; null: operators are not asked for bookings. */
  readonly bookings: BookingStores | null;
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Tests replace these, to stay on the machine, without threads, and to simulate load. */
  readonly outside?: Partial<Outside>;
};

export type BookingStores = { readonly outcomes: BookingOutcomes; readonly ledger: QuotesByIdentifier };

type Outside = {
  readonly intake: Intake;
  readonly lookUp: ClientSurroundings['lookUp'] | undefined;
  readonly resolver: Resolver;
  readonly eventLoopLag: EventLoopLag;
};

/** High, because a search spends most of its time waiting for operators. */
const MAX_REQUESTS_IN_FLIGHT = 2000;
const MAX_LAG_MS = 250;
const DAYS_TO_SCHEMA_EXAMPLE = 180;
const CLOSING_GRACE_MS = 5000;
/** A file of 10,000 homes is read in some seconds. */
const MAX_PREPARING_MS = 60_000;
/** After the longest search and a call that began at its end: by then the search places of a dead process are freed. */
const SEARCH_GRACE_MS = 5000;

/** Builds the object graph. */
export function composeService(parts: ServiceParts): Service {
  const { activity, storage, clock, random, log, metrics } = parts;
  const counts =
    activity &&
    createActivityRecorder({ store: activity, clock, random, ...createActivityObserver({ metrics, log }) });
  const limitsOf = createLimitsOf(() => parts.accessList().assistants);
  const engine = composeSearchEngine(parts, { count: counts?.count ?? (() => {}), limitsOf });
  const { app, serveOperation, exampleStay, recorder, close } = composeRequests(parts, {
    engine,
    counts,
    limitsOf,
  });
  let cleanup = { stop: async () => {} };
  let isClosing = false;

  return {
    app,
    serveOperation,
    exampleStay,
    operators: engine.operators,
    async flushActivity() {
      await recorder?.flush();
      await counts?.flush();
    },
    async start() {
      if (isClosing) return;
      cleanup = startDeletingExpired({
        sessions: storage.sessions,
        clock,
        onFailure: (failure) => log.error({ err: failure }, 'expired sessions could not be deleted'),
      });
      await engine.start();
    },
    async close() {
      isClosing = true;
      await close();
      await cleanup.stop();
      await engine.close();
      await counts?.stop();
    },
  };
}

/** The index of homes, the booking systems that fill it, and the search that asks them for live prices. */
function composeSearchEngine(
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

/** Everything between a connection and the search: who may call, limits, the operations, HTTP and MCP. */
function composeRequests(
  { settings, networkSettings, identity, accessList, storage, audit, ...parts }: ServiceParts,
  {
    engine,
    counts,
    limitsOf,
  }: {
    readonly engine: ReturnType<typeof composeSearchEngine>;
    readonly counts: ActivityRecorder | null;
    readonly limitsOf: LimitsOf;
  },
) {
  const { clock, random, log, metrics, outside = {} } = parts;
  const { network, name, contact } = networkSettings;
  const { resolver = createDnsResolver({ clock }), eventLoopLag = watchEventLoopLag(clock) } = outside;
  const { sessions } = storage;
  const { index } = engine;
  const newOpenings = storage.openings ?? openingsInMemory(clock);
  // Folding the names of a large network takes a while: do it now, not in the first search by name.
  placeNamesOf(network);
  const links = createLinks(settings.publicUrl);
  const findExampleStay = createFindExampleStay(network, index);
  const exampleNow = () => findExampleStay(clock.now(), null);
  // What every request passes: counting, load shedding and limits.
  const recorder =
    counts &&
    createRecorders({
      count: counts.count,
      onLost: counts.noteLost,
      sessions,
      network,
      clock,
      onFault: (fault) => log.error({ err: fault }, 'a request could not be counted'),
    });
  const loadShedder = createLoadShedder({
    maxInFlight: MAX_REQUESTS_IN_FLIGHT,
    maxLagMs: MAX_LAG_MS,
    lag: () => eventLoopLag.milliseconds(),
    onShed(kind) {
      metrics.shed(kind);
      recorder?.shed(kind);
    },
  });
  const requestLimits = createRequestLimits({ rateWindows: storage.rateWindows, limitsOf });
  // The operations of the interface, and the pipeline in front of them.
  const openings = newOpenings<Opening>('sessions');
  const readResult = createReadResult({ sessions, index, network, clock });
  const sources = [...network.brands.keys()];
  const perform = createPerformOperation({
    openSession: createOpenSession({
      sessions,
      openings,
      network,
      links,
      findExampleStay,
      clock,
      random,
      sessionMinutes: settings.sessionMinutes,
      observe: recorder?.searches,
      quotaOf: createQuotas({
        sessions: settings.maxSessions,
        megabytes: settings.maxStoredMegabytes,
        totalMegabytes: settings.maxStoreMegabytes,
        limitsOf,
        countAssistants: () => accessList().assistants.length,
      }),
    }),
    takeStep: createTakeStep({
      sessions,
      index,
      network,
      unreadyBrands: engine.unreadyBrands,
      completeSearch: engine.completeSearch,
      readResult,
      links,
      clock,
      quoteDeadlineMs: settings.quoteDeadlineMs,
      observe: recorder?.searches,
      onContended: (outcome) => metrics.sessionContended(outcome),
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
    termsDocument: publishedDocument(termsBody(contact)),
  });
  const serveOperation = createServeOperation({
    perform,
    findSession: createFindSession(sessions, openings),
    requestLimits,
    loadShedder,
    links,
    sources,
    clock,
    observe: createOperationObserver({ metrics, log }),
  });
  // The transports: who may call, then MCP and HTTP.
  const gate = createAccessGate({
    accessList,
    trustedProxies: settings.trustedProxies,
    signatureVerifier: createSignatureVerifier({
      keysAt: createKeysAt(accessList),
      origins: originsOf(settings),
      nonces: storage.usedNonces ?? createNoncesInMemory(clock),
      clock,
    }),
    resolver,
    clock,
  });
  const recorded = withRequestsRecorded(createRequestObserver({ metrics, log }), audit, clock);
  const observeRequests = recorder ? alsoCountRequests(recorded, recorder.finished) : recorded;
  const mcp = createMcpTransport({
    serveOperation,
    network: networkFacts(name, network.brands.values()),
    placeName: (place) => network.places.get(place)?.name,
    publicUrl: settings.publicUrl,
    version: SOFTWARE_VERSION,
    clock,
    openings: createKeyedOpenings(newOpenings('calls')),
    fault: observeRequests.fault,
  });
  const app = buildApp({
    gate,
    addressedToUs: createAddressedToUs(settings),
    clientAddress: createClientAddress(addressSetFrom(settings.trustedProxies)),
    serveOperation,
    publicPages: [
      createEntryPage({
        network: name,
        brands: network.brands,
        places: network.places,
        publicUrl: settings.publicUrl,
        exampleStay: exampleNow,
      }),
      ...discoveryPages({
        network: name,
        publicUrl: settings.publicUrl,
        hosts: settings.hosts,
        contact,
        securityContact: securityContactOf(settings.securityContact, contact),
        keyDirectory: identity ? createKeyDirectory(identity, { clock }) : null,
        now: clock.now,
      }),
      ...healthPages(readiness),
    ],
    mountedTransports: [mcp],
    links,
    requestLimits,
    clock,
    random,
    observe: observeRequests,
    maxConnections: settings.maxConnections,
    maxAnswerMs: settings.quoteDeadlineMs,
  });
  metrics.watch({ requestsInFlight: () => loadShedder.inFlight });

  return {
    app,
    serveOperation,
    exampleStay: exampleNow,
    recorder,
    async close() {
      // Long enough for every search in flight. A client that never reads its answer must not block the shutdown.
      const cutOff = clock.after(settings.quoteDeadlineMs + CLOSING_GRACE_MS, () =>
        app.server.closeAllConnections(),
      );
      await app.close();
      cutOff();
      await mcp.close();
      eventLoopLag.stop();
      await recorder?.stop();
    },
  };

  function readiness(): Readiness {
    const ofEngine = engine.readiness();
    const fault = storage.writeFault();
    // If a server of the store goes down, all nodes stay ready, or no caller would get a clear answer. A server that was never
    // reached makes this node not ready: its address or password may be wrong, and an update must not give them to all nodes.
    if (ofEngine.status !== 'ready' || fault === null || fault === 'unreachable') return ofEngine;
    return { status: 'unavailable', reason: `store_${fault === 'corrupt' ? 'damaged' : fault}` };
  }
}
