import { createAccessGate } from '../access/access-gate.ts';
import { createKeysAt } from '../access/access-list.ts';
import { createAddressedToUs, createClientAddress } from '../access/caller-facts.ts';
import { createDnsResolver } from '../access/reverse-dns.ts';
import { originsOf } from '../access/web-bot-auth/signature-rules.ts';
import { createSignatureVerifier } from '../access/web-bot-auth/signature-verifier.ts';
import { createNoncesInMemory } from '../access/web-bot-auth/used-nonces.ts';
import { type ActivityRecorder, createActivityRecorder } from '../analytics/activity-recorder.ts';
import { createRequestRecorder, createSearchRecorder } from '../analytics/recorders.ts';
import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import { describeInterface } from '../contract/describe-interface.ts';
import { termsBody } from '../contract/reference-bodies.ts';
import { SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import type { ExampleStay } from '../contract/whole-stay.ts';
import { discoveryPages } from '../http/discovery/discovery-pages.ts';
import { createEntryPage } from '../http/discovery/entry-page.ts';
import { securityContactOf } from '../http/discovery/well-known.ts';
import { healthPages, type Readiness } from '../http/public-pages.ts';
import { type App, buildApp } from '../http/server.ts';
import { watchEventLoopLag } from '../limits/event-loop.ts';
import { createLoadShedder } from '../limits/load-shedding.ts';
import { networkFacts, type OpeningBody } from '../mcp/interface-calls.ts';
import { createMcpTransport } from '../mcp/mcp-transport.ts';
import { createKeyDirectory } from '../outbound/signing.ts';
import { addressSetFrom } from '../parsing/ip-address.ts';
import { createPerformOperation, publishedDocument } from '../requests/perform-operation.ts';
import { createFindSession, createServeOperation, type ServeOperation } from '../requests/serve-operation.ts';
import { createLinks } from '../search/answers/links.ts';
import { createFindExampleStay, exampleStay } from '../search/example-stay.ts';
import { placeNamesOf } from '../search/names/find-place.ts';
import { createOpenSession } from '../search/open-session.ts';
import { createReadResult } from '../search/read-result.ts';
import { createTakeStep } from '../search/take-step.ts';
import { createLimitsOf, createQuotas, type LimitsOf } from '../sessions/assistant-limits.ts';
import { startDeletingExpired } from '../sessions/expiry.ts';
import { createRequestLimits } from '../sessions/rate-windows.ts';
import { type Opening, openingsInMemory } from '../sessions/recent-openings.ts';
import type { OperatorControls } from '../sync/operator-controls.ts';
import {
  createActivityObserver,
  createOperationObserver,
  createRequestObserver,
} from '../telemetry/observers.ts';
import { createSearchEngine, type SearchEngine } from './search-engine.ts';
import type { ServiceParts } from './service-parts.ts';

/** The whole service, as the program, tests and the benchmark run it. */
export type Service = {
  readonly app: App;
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

/** High, because a search spends most of its time waiting for operators. */
const MAX_REQUESTS_IN_FLIGHT = 2000;
const MAX_LAG_MS = 250;
const DAYS_TO_SCHEMA_EXAMPLE = 180;
const CLOSING_GRACE_MS = 5000;
/** Builds the object graph. */
export function composeService(parts: ServiceParts): Service {
  const { activity, storage, clock, random, log, metrics } = parts;
  const counts =
    activity &&
    createActivityRecorder({
      store: activity,
      clock,
      random,
      ...createActivityObserver({ metrics, log }),
    });
  const limitsOf = createLimitsOf(() => parts.accessList().assistants);
  const engine = createSearchEngine(parts, { count: counts?.count ?? (() => {}), limitsOf });
  const { app, serveOperation, exampleStay, close } = composeRequests(parts, {
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

/** Everything between a connection and the search: who may call, limits, the operations, HTTP and MCP. */
function composeRequests(
  { settings, networkSettings, identity, accessList, storage, audit, ...parts }: ServiceParts,
  {
    engine,
    counts,
    limitsOf,
  }: {
    readonly engine: SearchEngine;
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
  const searches =
    counts &&
    createSearchRecorder({
      count: counts.count,
      network,
      clock,
      onFault: (fault) => log.error({ err: fault }, 'a request could not be counted'),
    });
  const loadShedder = createLoadShedder({
    maxInFlight: MAX_REQUESTS_IN_FLIGHT,
    maxLagMs: MAX_LAG_MS,
    lag: eventLoopLag.milliseconds,
    onShed(kind) {
      metrics.count('shed', { kind });
      counts?.count('shed', { reason: kind });
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
      observe: searches ?? undefined,
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
      observe: searches ?? undefined,
      onContended: (outcome) => metrics.count('sessionContention', { outcome }),
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
      keysAt: createKeysAt(accessList, clock),
      origins: originsOf(settings),
      nonces: storage.usedNonces ?? createNoncesInMemory(clock),
      clock,
    }),
    resolver,
    clock,
  });
  const observeRequests = createRequestObserver({
    metrics,
    log,
    audit,
    count: counts ? createRequestRecorder(counts.count) : undefined,
  });
  const mcp = createMcpTransport({
    serveOperation,
    network: networkFacts(name, network.brands.values()),
    placeName: (place) => network.places.get(place)?.name,
    publicUrl: settings.publicUrl,
    version: SOFTWARE_VERSION,
    clock,
    openings: newOpenings<OpeningBody>('calls'),
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
    async close() {
      // Long enough for every search in flight. A client that never reads its answer must not block the shutdown.
      const cutOff = clock.after(settings.quoteDeadlineMs + CLOSING_GRACE_MS, () =>
        app.server.closeAllConnections(),
      );
      await app.close();
      cutOff();
      await mcp.close();
      eventLoopLag.stop();
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
