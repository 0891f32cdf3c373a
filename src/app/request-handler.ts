import type { FastifyInstance } from 'fastify';
import { createAccessGate } from '../access/access-gate.ts';
import type { AccessList } from '../access/access-list.ts';
import { createKeysAt } from '../access/access-list.ts';
import { createAddressedToUs } from '../access/addressed-to-us.ts';
import { createClientAddress } from '../access/client-address.ts';
import type { Resolver } from '../access/reverse-dns.ts';
import { createDnsResolver } from '../access/reverse-dns.ts';
import { originsOf } from '../access/web-bot-auth/signature-rules.ts';
import { createSignatureVerifier } from '../access/web-bot-auth/signature-verifier.ts';
import type { UsedNonces } from '../access/web-bot-auth/used-nonces.ts';
import { createNoncesInMemory } from '../access/web-bot-auth/used-nonces.ts';
import { createRecorders } from '../analytics/recorders.ts';
import type { CountActivity } from '../analytics/sums.ts';
import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { Clock } from '../clock.ts';
import { describeInterface } from '../contract/describe-interface.ts';
import { termsBody } from '../contract/reference-bodies.ts';
import { SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import type { ExampleStay } from '../contract/whole-stay.ts';
import { buildApp } from '../http/app.ts';
import { discoveryPages } from '../http/discovery/discovery-pages.ts';
import { securityContactOf } from '../http/discovery/well-known.ts';
import { createEntryPage } from '../http/entry/entry-page.ts';
import { healthPages, type Readiness } from '../http/public-pages.ts';
import { type EventLoopLag, watchEventLoopLag } from '../limits/event-loop.ts';
import { createLoadShedder } from '../limits/load-shedding.ts';
import { networkFacts } from '../mcp/interface-calls.ts';
import { createMcpTransport } from '../mcp/mcp-transport.ts';
import { createKeyedOpenings } from '../mcp/session-openings.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import { createKeyDirectory } from '../outbound/key-directory.ts';
import type { OwnIdentity } from '../outbound/own-identity.ts';
import { addressSetFrom } from '../parsing/ip-address.ts';
import type { Random } from '../random.ts';
import { createFindSession } from '../requests/find-session.ts';
import { createPerformOperation, publishedDocument } from '../requests/perform-operation.ts';
import { createServeOperation, type ServeOperation } from '../requests/serve-operation.ts';
import { createAnswerWriter } from '../search/answers/create-answer-writer.ts';
import { createLinks } from '../search/answers/links.ts';
import { createFindExampleStay, exampleStay } from '../search/example-stay.ts';
import { placeNamesOf } from '../search/names/find-place.ts';
import { createOpenSession } from '../search/open-session.ts';
import { createReadResult } from '../search/read-result.ts';
import { createTakeStep } from '../search/take-step.ts';
import { createLimitsOf, createQuotas } from '../sessions/assistant-limits.ts';
import { createRequestLimits, type RateWindows } from '../sessions/rate-windows.ts';
import { type NewOpenings, type Opening, openingsInMemory } from '../sessions/recent-openings.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { StorageFailureKind } from '../sessions/storage-failure.ts';
import type { RecordAudit } from '../telemetry/audit/audit-record.ts';
import { withRequestsRecorded } from '../telemetry/audit/audit-recorder.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { alsoCountRequests, createOperationObserver, createRequestObserver } from '../telemetry/observers.ts';
import type { SearchEngine } from './search-engine.ts';
import type { Settings } from './settings.ts';

/** Answers callers. */
export type RequestHandler = {
  readonly app: FastifyInstance;
  /** What every transport calls; `app` is the HTTP one. */
  readonly serveOperation: ServeOperation;
  /** For the greeting at the start. */
  readonly exampleStay: () => ExampleStay;
  /** Stores what was counted of sessions so far. */
  flushActivity(): Promise<void>;
  /** Finishes requests in flight. */
  close(): Promise<void>;
};

export type RequestHandlerSettings = Pick<
  Settings,
  | 'publicUrl'
  | 'hosts'
  | 'securityContact'
  | 'sessionMinutes'
  | 'maxOptions'
  | 'quoteDeadlineMs'
  | 'trustedProxies'
  | 'maxConnections'
  | 'rateLimit'
  | 'rateWindowSeconds'
  | 'maxSessions'
  | 'maxStoredMegabytes'
  | 'maxStoreMegabytes'
>;

/** High, because a search spends most of its time waiting for operators. */
const MAX_REQUESTS_IN_FLIGHT = 2000;
const MAX_LAG_MS = 250;
const DAYS_TO_SCHEMA_EXAMPLE = 180;
const CLOSING_GRACE_MS = 5000;

/** Builds the object graph. There is no logic here. */
export function createRequestHandler({
  settings,
  networkSettings: { network, name, contact },
  accessList,
  searchEngine: { index, completeSearch, unreadyBrands, readiness: engineReadiness },
  sessions,
  rateWindows,
  storeFault,
  clock,
  random,
  log,
  metrics,
  resolver = createDnsResolver({ clock }),
  usedNonces = createNoncesInMemory(clock),
  audit = () => {},
  count,
  onCountsLost = () => {},
  eventLoopLag = watchEventLoopLag(clock),
  newOpenings = openingsInMemory(clock),
  identity,
}: {
  readonly settings: RequestHandlerSettings;
  readonly networkSettings: Pick<NetworkSettings, 'network' | 'name' | 'contact'>;
  /** Who may call, as it is now. */
  readonly accessList: () => AccessList;
  readonly searchEngine: Pick<SearchEngine, 'index' | 'completeSearch' | 'unreadyBrands' | 'readiness'>;
  readonly sessions: SessionStore;
  readonly rateWindows: RateWindows;
  /** Why the store takes no changes just now; null while it does. */
  readonly storeFault: () => StorageFailureKind | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Nonces of signatures, where nodes share them. */
  readonly usedNonces?: UsedNonces | undefined;
  /** Tests replace it, so that no name leaves the machine. */
  readonly resolver?: Resolver | undefined;
  /** Who did what; left out where nothing is written down. */
  readonly audit?: RecordAudit | undefined;
  /** For the owner's console; left out where nothing is counted. */
  readonly count?: CountActivity | undefined;
  /** How many counts were left out before they could be counted. */
  readonly onCountsLost?: (counts: number) => void;
  /** Tests replace it to simulate load. */
  readonly eventLoopLag?: EventLoopLag | undefined;
  /** Where nodes share what was opened a moment ago. */
  readonly newOpenings?: NewOpenings | undefined;
  /** Null, or left out, where no key of ours is published. */
  readonly identity?: OwnIdentity | null;
}): RequestHandler {
  // Folding the names of a large network takes a while: do it now, not in the first search by name.
  placeNamesOf(network);
  const links = createLinks(settings.publicUrl);
  const findExampleStay = createFindExampleStay(network, index);
  const exampleNow = () => findExampleStay(clock.now(), null);
  const answers = createAnswerWriter({ links, network, findExampleStay });
  // What every request passes: counting, load shedding and limits.
  const recorder =
    count &&
    createRecorders({
      count,
      onLost: onCountsLost,
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
  const limitsOf = createLimitsOf(() => accessList().assistants);
  const requestLimits = createRequestLimits({ rateWindows, limitsOf });
  // The operations of the interface, and the pipeline in front of them.
  const openings = newOpenings<Opening>('sessions');
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
      unreadyBrands,
      completeSearch,
      readResult,
      answers,
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
      nonces: usedNonces,
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
    flushActivity: async () => recorder?.flush(),
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
    const ofEngine = engineReadiness();
    const fault = storeFault();
    // If a server of the store goes down, all nodes stay ready, or no caller would get a clear answer. A server that was never
    // reached makes this node not ready: its address or password may be wrong, and an update must not give them to all nodes.
    if (ofEngine.status !== 'ready' || fault === null || fault === 'unreachable') return ofEngine;
    return { status: 'unavailable', reason: `store_${fault === 'corrupt' ? 'damaged' : fault}` };
  }
}
