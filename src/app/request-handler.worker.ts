import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { AccessList } from '../access/access-list.ts';
import { createThreadCounts } from '../analytics/sums.ts';
import { openSharedIndex } from '../availability/shared-index.ts';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { createFindSession } from '../requests/find-session.ts';
import type { OperationAnswer, ServeOperation } from '../requests/serve-operation.ts';
import type { SessionId } from '../sessions/session.ts';
import { SHARED_SESSIONS } from '../storage/stores.ts';
import { createAuditRecorder } from '../telemetry/audit/audit-recorder.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createRemoteSearch, createSharedNonces } from '../threads/calls-to-main.ts';
import { createPortCalls } from '../threads/port-calls.ts';
import {
  createRouteOperations,
  homeOf,
  type SentRequest,
  type WorkerNumber,
} from '../threads/route-operations.ts';
import { createSharedMarks, createSharedRateWindows } from '../threads/shared-tables.ts';
import { createPeers } from '../threads/worker-pool.ts';
import { createRequestHandler } from './request-handler.ts';
import type { RequestThreadData, SearchEngineFacts } from './request-threads.ts';
import { createSharedOpenings } from './shared-openings.ts';

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
}: RequestThreadData = workerData;
let facts: SearchEngineFacts = workerData.facts;
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
  facts(latest: SearchEngineFacts) {
    facts = latest;
  },
  accessList(latest: AccessList) {
    accessList = latest;
  },
  /** Routed like a request that has come in here. */
  serve: (request: SentRequest, client) => requestHandler.serveOperation({ ...request, client }),
  forgetSessions: (ids: readonly SessionId[]) => storage.forget(ids),
  collectMetrics: () => metrics.collect(),
  async flushActivity() {
    await requestHandler.flushActivity();
    counts.flush();
  },
  async closeTransports() {
    await requestHandler.close();
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
const requestHandler = createRequestHandler({
  settings,
  networkSettings,
  accessList: () => accessList,
  identity,
  searchEngine: {
    index: openSharedIndex(networkSettings.network, index, systemClock.now()),
    completeSearch: createRemoteSearch(main, () => storage.checkWrites()),
    unsearchableBrands: () => facts.unsearchable,
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
  main.tell('up', await requestHandler.app.listen(address));
} catch (fault) {
  main.tell('cannotStart', fault instanceof Error ? fault.message : String(fault));
}
