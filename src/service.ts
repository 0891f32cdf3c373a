import type { FastifyInstance } from 'fastify';
import { createAccessGate } from './access/access-gate.ts';
import type { AssistantRegistry } from './access/assistant-registry.ts';
import { createDnsResolver } from './access/dns-resolver.ts';
import { createLinks } from './answers/links.ts';
import { createWrittenAnswers } from './answers/written-answers.ts';
import type { Clock } from './clock.ts';
import { describeInterface } from './contract/describe-interface.ts';
import { termsBody } from './contract/terms-body.ts';
import { buildApp } from './http/app.ts';
import { createCachedDocument } from './http/cached-document.ts';
import { createEntryPage } from './http/entry/entry-page.ts';
import { type EventLoopLag, watchEventLoopLag } from './http/event-loop-lag.ts';
import { createHandlers } from './http/handlers.ts';
import { healthPages } from './http/health-pages.ts';
import { createLoadShedder } from './http/load-shedding.ts';
import { createServeOperation } from './http/serve-operation.ts';
import { createAvailabilityIndex } from './inventory/availability-index/memory-index.ts';
import { HORIZON_NIGHTS } from './inventory/calendar.ts';
import type { InventoryStore } from './inventory/inventory-store.ts';
import type { NetworkSettings } from './network/read-network.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { createQuoteObserver, createRequestObserver, createSyncObserver } from './observe/observers.ts';
import { connectBookingSystem } from './operators/connect.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from './quotes/collect-quotes.ts';
import type { Random } from './random.ts';
import { createCompleteSearch } from './search/complete-search.ts';
import { createOpenSession } from './search/open-session.ts';
import { createReadResult } from './search/read-result.ts';
import { createTakeStep } from './search/take-step.ts';
import { createFindSession } from './sessions/find-session.ts';
import { startForgettingExpired } from './sessions/forget-expired.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { Settings } from './settings.ts';
import { createMemoryRateWindows } from './storage/memory/rate-windows.ts';
import { createSynchroniser } from './sync/synchroniser.ts';

export type Service = {
  readonly app: FastifyInstance;
  /** Offers what was stored and starts reading the operators; resolves when every brand has been tried once. */
  start(): Promise<void>;
  /** Finishes the requests in flight, then stops all background work. The stores stay open: the caller owns them. */
  close(): Promise<void>;
};

/** Searches wait for operators, so many of them can be under way on little work. */
const MAX_SEARCHES_IN_FLIGHT = 2000;
const MAX_LAG_MS = 250;
const CLOSING_GRACE_MS = 5000;

/** The object graph: which room gets which. Nothing here decides anything. */
export function createService({
  settings,
  networkSettings,
  registry,
  sessions,
  inventory,
  clock,
  random,
  log,
  metrics,
  eventLoopLag = watchEventLoopLag(clock),
}: {
  readonly settings: ServiceSettings;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
  readonly sessions: SessionStore;
  readonly inventory: InventoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** How busy the process is; a test decides it. */
  readonly eventLoopLag?: EventLoopLag;
}): Service {
  const { network, connections } = networkSettings;
  const links = createLinks(settings.publicUrl);
  const answers = createWrittenAnswers({ links, network });
  const index = createAvailabilityIndex(network);
  const systems = new Map(
    [...connections].map(([brand, connection]) => [
      brand,
      connectBookingSystem(connection, {
        network,
        store: inventory,
        clock,
        onOutOfReach: (source, failure) =>
          log.warn({ brand: source, kind: failure.kind }, 'rate card out of reach'),
      }),
    ]),
  );
  const synchroniser = createSynchroniser({
    systems,
    index,
    store: inventory,
    network,
    clock,
    random,
    refreshMs: networkSettings.refreshSeconds * 1000,
    horizonNights: HORIZON_NIGHTS,
    observe: createSyncObserver({ metrics, log, clock }),
  });
  const collectQuotes = createCollectQuotes({
    systems,
    clock,
    limits: {
      ...DEFAULT_QUOTE_LIMITS,
      maxOptions: settings.maxOptions,
      deadlineMs: settings.quoteDeadlineMs,
    },
    concurrencyOf: (brand) => openConnectionOf(brand)?.concurrency,
    timeoutOf: (brand) => openConnectionOf(brand)?.quoteTimeoutMs,
    observe: createQuoteObserver({ metrics, log }),
  });
  const completeSearch = createCompleteSearch({
    index,
    network,
    collectQuotes,
    propertyRefused: (property, from, to) => synchroniser.propertyRefused(property, from, to),
    clock,
    random,
  });
  const rateWindows = createMemoryRateWindows({
    limit: settings.rateLimit,
    windowMs: settings.rateWindowSeconds * 1000,
  });
  const loadShedder = createLoadShedder({
    maxInFlight: MAX_SEARCHES_IN_FLIGHT,
    maxLagMs: MAX_LAG_MS,
    lag: () => eventLoopLag.milliseconds(),
    onRefused: (kind) => metrics.shed(kind),
  });
  const handlers = createHandlers({
    openSession: createOpenSession({
      sessions,
      network,
      answers,
      clock,
      random,
      sessionMinutes: settings.sessionMinutes,
    }),
    takeStep: createTakeStep({ sessions, index, network, completeSearch, answers, clock }),
    readResult: createReadResult({ sessions, index, network, clock }),
    links,
    sources: [...network.brands.keys()],
    schemaDocument: createCachedDocument(
      describeInterface({
        rateLimit: settings.rateLimit,
        rateWindowSeconds: settings.rateWindowSeconds,
        sessionMinutes: settings.sessionMinutes,
        maxOptions: settings.maxOptions,
        horizonNights: HORIZON_NIGHTS,
      }),
    ),
    termsDocument: createCachedDocument(termsBody(networkSettings.contact)),
  });
  const app = buildApp({
    gate: createAccessGate({
      registry,
      trustedProxies: settings.trustedProxies,
      resolver: createDnsResolver(),
      clock,
    }),
    serveOperation: createServeOperation({
      handlers,
      findSession: createFindSession(sessions),
      rateWindows,
      loadShedder,
      clock,
    }),
    openPages: [
      createEntryPage({
        network: networkSettings.name,
        brands: network.brands.values(),
        publicUrl: settings.publicUrl,
      }),
      ...healthPages(isReady),
    ],
    rateWindows,
    clock,
    random,
    observe: createRequestObserver({ metrics, log }),
  });
  metrics.watch({
    requestsInFlight: () => loadShedder.inFlight,
    indexedProperties: () => index.propertyCount,
  });
  const closing = new AbortController();
  let forgetting = { stop: async () => {} };
  let starting: Promise<void> = Promise.resolve();

  return {
    app,
    start() {
      starting = startWork();
      return starting;
    },
    async close() {
      closing.abort();
      // Long enough for every search in flight; a client that never reads its answer does not hold up the end for ever.
      const cutOff = clock.after(settings.quoteDeadlineMs + CLOSING_GRACE_MS, () =>
        app.server.closeAllConnections(),
      );
      await app.close();
      cutOff();
      eventLoopLag.stop();
      await synchroniser.stop();
      await starting;
      await forgetting.stop();
      await Promise.all([...systems.values()].map((system) => system.close()));
    },
  };

  async function startWork(): Promise<void> {
    await synchroniser.loadStored();
    // Closed while starting: no background work may begin now.
    if (closing.signal.aborted) return;
    synchroniser.start();
    forgetting = startForgettingExpired({
      sessions,
      clock,
      onFailure: (failure) => log.error({ err: failure }, 'expired sessions could not be forgotten'),
    });
    // Joins the reads that `start` has begun.
    if (!synchroniser.hasTriedEveryBrand()) await synchroniser.refreshAll(closing.signal);
  }

  /** A session that opens before its brand has been read would not be offered that brand. */
  function isReady(): boolean {
    return synchroniser.hasTriedEveryBrand() && index.propertyCount > 0;
  }

  function openConnectionOf(brand: string) {
    const connection = connections.get(brand);
    return connection?.kind === 'open' ? connection : undefined;
  }
}

export type ServiceSettings = Pick<
  Settings,
  | 'publicUrl'
  | 'sessionMinutes'
  | 'maxOptions'
  | 'quoteDeadlineMs'
  | 'trustedProxies'
  | 'rateLimit'
  | 'rateWindowSeconds'
>;
