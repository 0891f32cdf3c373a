import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { AccessList } from './access/access-list.ts';
import { createThreadCounts } from './activity/thread-counts.ts';
import { createAuditRecorder } from './audit/audit-recorder.ts';
import { systemClock } from './clock.ts';
import { createDesk } from './desk.ts';
import type { DeskThreadData, MarketFacts } from './desk-threads.ts';
import { openSharedIndex } from './inventory/availability-index/shared-index.ts';
import { createLog } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { createFindSession } from './operations/find-session.ts';
import type { OperationAnswer, ServeOperation } from './operations/serve-operation.ts';
import { systemRandom } from './random.ts';
import type { SessionId } from './sessions/session.ts';
import { SHARED_SESSIONS } from './storage/stores.ts';
import { createPeers } from './workers/peers.ts';
import { createPortCalls } from './workers/port-calls.ts';
import { createRemoteSearch } from './workers/remote-search.ts';
import { createRouteOperations, type SentRequest } from './workers/route-operations.ts';
import { homeOf, type WorkerNumber } from './workers/session-home.ts';
import { createSharedMarks } from './workers/shared-marks.ts';
import { createSharedNonces } from './workers/shared-nonces.ts';
import { createSharedOpenings } from './workers/shared-openings.ts';
import { createSharedRateWindows } from './workers/shared-rate-windows.ts';

/** One of the threads that answer callers. The homes and the operators are in the thread that started it. */
if (!parentPort) throw new Error('this is the program of a thread');
const {
  number,
  workers,
  node,
  settings,
  networkSettings,
  identity,
  index,
  tables,
  isAudited,
  isCounted,
  listen,
}: DeskThreadData = workerData;
let facts: MarketFacts = workerData.facts;
let accessList: AccessList = workerData.accessList;
let serveHere: ServeOperation | undefined;

const log = createLog({ level: settings.logLevel, clock: systemClock, node });
const metrics = createMetrics({ node });
const peers = createPeers(
  {
    serve: async (request: SentRequest, client) => serveHere?.({ ...request, client }),
  },
  systemClock,
);
const main = createPortCalls(parentPort, {
  peer: ({ number: other, port }: { readonly number: WorkerNumber; readonly port: MessagePort }) =>
    peers.add(other, port),
  facts(latest: MarketFacts) {
    facts = latest;
  },
  accessList(latest: AccessList) {
    accessList = latest;
  },
  /** Routed like a request that has come in here. */
  serve: (request: SentRequest, client) => desk.serveOperation({ ...request, client }),
  forgetSessions: (ids: readonly SessionId[]) => storage.forget(ids),
  collectMetrics: () => metrics.collect(),
  async flushActivity() {
    await desk.flushActivity();
    counts.flush();
  },
  async closeDoors() {
    await desk.close();
    recorder.close();
    counts.stop();
  },
  closeStore: () => storage.close(),
});

const recorder = createAuditRecorder({
  clock: systemClock,
  send: (records) => main.tell('audit', records),
});
const counts = createThreadCounts({
  clock: systemClock,
  send: (sums) => main.tell('activity', sums),
});
const openSessions = SHARED_SESSIONS[settings.store];
if (!openSessions) throw new Error(`threads cannot share the sessions of ${settings.store}`);
const storage = openSessions({
  directory: settings.dataDirectory,
  marks: createSharedMarks(tables.marks),
  connect: () => main.call('connectStore', null) as Promise<MessagePort>,
});
metrics.watch({ storeQueue: () => storage.waiting() });
const rateRule = { limit: settings.rateLimit, windowMs: settings.rateWindowSeconds * 1000 };
const desk = createDesk({
  settings,
  networkSettings,
  accessList: () => accessList,
  identity,
  market: {
    index: openSharedIndex(networkSettings.network, index, systemClock.now()),
    completeSearch: createRemoteSearch(main, () => storage.checkWrites()),
    unreadBrands: () => facts.unread,
    readiness: () => facts.readiness,
  },
  sessions: storage.sessions,
  rateWindows: createSharedRateWindows(rateRule, tables.rates, number + 1),
  storeFault: () => storage.writeFault(),
  clock: systemClock,
  random: systemRandom,
  log,
  metrics,
  ...(isAudited && { audit: recorder.record }),
  ...(isCounted && { count: counts.count }),
  onCountsLost: (lost) => main.tell('activity', { counts: [], lost }),
  openingsOfCalls: createSharedOpenings(main),
  usedNonces: createSharedNonces(main),
  isOurs: (token) => homeOf(token, workers) === number,
  route(serve, requestLimits) {
    serveHere = serve;
    return createRouteOperations({
      self: number,
      workers,
      serveHere: serve,
      findSession: createFindSession(storage.sessions, { forget: () => undefined }),
      serveElsewhere: async (home, request, client) =>
        (await peers.of(home)).call('serve', request, client) as Promise<OperationAnswer>,
      requestLimits,
      clock: systemClock,
    });
  },
});

// Fastify hands everything on to Node, but does not know all of it.
const address = { ...listen, reusePort: true };
try {
  main.tell('up', await desk.app.listen(address));
} catch (fault) {
  main.tell('cannotStart', fault instanceof Error ? fault.message : String(fault));
}
