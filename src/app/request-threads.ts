import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { AccessList } from '../access/access-list.ts';
import { createNoncesInMemory } from '../access/web-bot-auth/used-nonces.ts';
import { createActivityRecorder } from '../analytics/activity-recorder.ts';
import type { ActivityStore } from '../analytics/activity-store.ts';
import type { ThreadSums } from '../analytics/sums.ts';
import type { SharedIndex } from '../availability/shared-index.ts';
import type { UnsearchableBrand } from '../catalogue/catalogue.ts';
import type { Readiness } from '../http/public-pages.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import type { OwnIdentity } from '../outbound/own-identity.ts';
import { workerBeside } from '../parsing/owned-memory.ts';
import type { OperationAnswer } from '../requests/serve-operation.ts';
import { createFindExampleStay } from '../search/example-stay.ts';
import { createLimitsOf } from '../sessions/assistant-limits.ts';
import { startDeletingExpired } from '../sessions/expiry.ts';
import type { Storage } from '../storage/storage.ts';
import { SHARED_SESSIONS } from '../storage/stores.ts';
import type { AuditRecord } from '../telemetry/audit/audit-record.ts';
import type { CollectedMetrics } from '../telemetry/metrics.ts';
import { createActivityObserver } from '../telemetry/observers.ts';
import { completeSearchFor, nonceHandlers } from '../threads/calls-to-main.ts';
import type { WorkerNumber } from '../threads/route-operations.ts';
import { canSharePorts, freeAddress } from '../threads/shareable-port.ts';
import {
  changeAllMarks,
  type MarkTable,
  newMarkTable,
  newRateTable,
  type RateTable,
  releaseRateTable,
} from '../threads/shared-tables.ts';
import { createWorkerPool } from '../threads/worker-pool.ts';
import type { RequestHandlerSettings } from './request-handler.ts';
import {
  createSearchEngine,
  type SearchEngineDependencies,
  type SearchEngineSettings,
} from './search-engine.ts';
import type { RunningService } from './service.ts';
import type { Settings } from './settings.ts';
import { createOpeningsOfThreads } from './shared-openings.ts';

/** What an answering thread gets when it starts: plain data, because it crosses threads. */
export type RequestThreadData = {
  readonly number: WorkerNumber;
  readonly workers: number;
  readonly node: string;
  readonly settings: ThreadSettings;
  readonly networkSettings: Pick<NetworkSettings, 'network' | 'name' | 'contact'>;
  readonly accessList: AccessList;
  readonly identity: OwnIdentity | null;
  readonly index: SharedIndex;
  readonly tables: SharedTables;
  readonly isAudited: boolean;
  readonly isCounted: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  readonly facts: SearchEngineFacts;
};

/** Memory in which all threads count and mark the same sessions. */
type SharedTables = { readonly rates: RateTable; readonly marks: MarkTable };

type ThreadSettings = RequestHandlerSettings & Pick<Settings, 'store' | 'dataDirectory' | 'logLevel'>;

/** Facts of the search engine, sent to the threads whenever they change. */
export type SearchEngineFacts = {
  readonly readiness: Readiness;
  readonly unsearchable: readonly UnsearchableBrand[];
};

const WORKER_FILE = workerBeside(import.meta.url, 'request-handler');
/** Beyond the deadline of prices. */
const CLOSING_GRACE_MS = 8000;
/** How often the facts are compared with those sent last. */
const FACTS_EVERY_MS = 100;

/** The service with several answering threads. This thread owns the search engine and has opened the store. */
export function createServiceOfThreads({
  workers,
  node,
  settings,
  accessList,
  storage,
  audit,
  activity,
  onStarted = () => {},
  ...shared
}: Omit<SearchEngineDependencies, 'inventory' | 'nodes' | 'checkWrites' | 'limitsOf' | 'count'> & {
  readonly workers: number;
  /** What the threads call themselves in log and metrics. */
  readonly node: string;
  readonly settings: ThreadSettings & SearchEngineSettings;
  readonly accessList: () => AccessList;
  readonly storage: Storage;
  /** Receives the audit records of the threads; left out where no audit log is written. */
  readonly audit?: ((records: readonly AuditRecord[]) => void) | undefined;
  /** Stores the counts for the owner's console; left out where nothing is counted. */
  readonly activity?: Pick<ActivityStore, 'add'> | undefined;
  /** Tests end some of them. */
  readonly onStarted?: (worker: Worker, number: WorkerNumber) => void;
}): RunningService {
  const { clock, log, metrics } = shared;
  const { network, name, contact } = shared.networkSettings;
  const { sharing } = storage;
  if (!sharing) throw new Error('threads cannot share the sessions of this store');
  const recorder =
    activity && createActivityRecorder({ store: activity, ...shared, ...createActivityObserver(shared) });
  const searchEngine = createSearchEngine({
    ...shared,
    settings,
    count: recorder?.count,
    inventory: storage.inventory,
    nodes: storage,
    operatorLimits: storage.operatorLimits,
    searchPlaces: storage.searchPlaces,
    limitsOf: createLimitsOf(() => accessList().assistants),
    checkWrites: () => storage.checkWrites(),
    threads: workers + 1,
  });
  const findExampleStay = createFindExampleStay(network, searchEngine.index);
  const openings = createOpeningsOfThreads(clock.elapsed);
  const claimNonces = nonceHandlers(storage.usedNonces ?? createNoncesInMemory(clock));
  const tables: SharedTables = { rates: newRateTable(shared.random), marks: newMarkTable() };
  let listen = { host: '', port: 0 };
  let sentFacts = JSON.stringify(factsNow());
  let sentList = accessList();
  let stopTelling = () => {};
  let isClosing = false;
  let cleanup = { stop: async () => {} };

  const pool = createWorkerPool({
    count: workers,
    startWorker(number) {
      const worker = new Worker(WORKER_FILE, {
        workerData: {
          number,
          workers,
          node,
          settings: threadSettings(settings, workers),
          networkSettings: { network, name, contact },
          accessList: accessList(),
          identity: shared.identity ?? null,
          index: searchEngine.shareIndex(number + 1),
          tables,
          isAudited: audit !== undefined,
          isCounted: recorder !== undefined,
          listen,
          facts: factsNow(),
        } satisfies RequestThreadData,
      });
      onStarted(worker, number);
      return worker;
    },
    handlersFor: (number) => ({
      ...openings.handlersFor(number),
      ...claimNonces,
      completeSearch: completeSearchFor(searchEngine.completeSearch),
      connectStore: () => sharing.connect(),
      audit: (records: readonly AuditRecord[]) => audit?.(records),
      activity: (sums: ThreadSums) => recorder?.take(sums),
    }),
    onEnded(number, cause) {
      log.error({ worker: number, err: cause }, 'a thread that answers has ended, and is replaced');
      audit?.([{ at: clock.now(), kind: 'thread_ended', thread: number }]);
      openings.threadEnded(number);
      searchEngine.releaseIndex(number + 1);
      releaseRateTable(tables.rates, number + 1);
      changeAllMarks(tables.marks);
    },
    clock,
    // Longer than a request handler waits for requests in flight.
    maxClosingMs: settings.quoteDeadlineMs + CLOSING_GRACE_MS,
  });

  function factsNow(): SearchEngineFacts {
    return { readiness: searchEngine.readiness(), unsearchable: searchEngine.unsearchableBrands() };
  }

  function sendFacts(): void {
    const facts = factsNow();
    const text = JSON.stringify(facts);
    if (text !== sentFacts) pool.tellAll('facts', facts);
    sentFacts = text;
    sendAccessList();
    if (!isClosing) stopTelling = clock.after(FACTS_EVERY_MS, sendFacts);
  }

  /** Resolves after all threads have the new facts, so that none uses the old ones. */
  async function thenSendFacts<Outcome>(change: Promise<Outcome>): Promise<Outcome> {
    const outcome = await change;
    const facts = factsNow();
    sentFacts = JSON.stringify(facts);
    await pool.callAll('facts', facts);
    return outcome;
  }

  /** Sends the access list if it was replaced; a list itself never changes. A starting thread gets the current one. */
  function sendAccessList(): void {
    const list = accessList();
    if (list === sentList) return;
    sentList = list;
    pool.tellAll('accessList', list);
  }

  return {
    async listen(address) {
      listen = await freeAddress(address);
      const origin = isClosing ? '' : await pool.start();
      sendFacts();
      return String(origin);
    },
    serveOperation: ({ client, ...request }) =>
      pool.callAny('serve', request, client) as Promise<OperationAnswer>,
    exampleStay: () => findExampleStay(clock.now(), null),
    sessionsDeleted: (ids) => pool.tellAll('forgetSessions', ids),
    operators: {
      ...searchEngine.operators,
      pause: (brand) => thenSendFacts(searchEngine.operators.pause(brand)),
      resume: (brand) => thenSendFacts(searchEngine.operators.resume(brand)),
    },
    renderMetrics: async () =>
      metrics.render((await pool.callAll('collectMetrics', null)) as CollectedMetrics[]),
    async flushActivity() {
      await pool.callAll('flushActivity', null);
      await recorder?.flush();
    },
    async start() {
      if (isClosing) return;
      cleanup = startDeletingExpired({
        sessions: storage.sessions,
        clock,
        onFailure: (failure) => log.error({ err: failure }, 'expired sessions could not be deleted'),
      });
      await searchEngine.start();
      // The service reports that it is up only when it is ready.
      await pool.callAll('facts', factsNow());
    },
    async close() {
      isClosing = true;
      stopTelling();
      await pool.close('closeTransports', 'closeStore');
      await cleanup.stop();
      await searchEngine.close();
      await recorder?.stop();
    },
  };
}

/** Each thread has its part of the connections. */
function threadSettings(settings: ThreadSettings, workers: number): ThreadSettings {
  return { ...settings, maxConnections: Math.max(4, Math.ceil(settings.maxConnections / workers)) };
}

/** How many threads answer: as many as were asked for, otherwise one for each processor. One where several are not possible. */
export async function chooseWorkers(
  { workers, store }: Pick<Settings, 'workers' | 'store'>,
  {
    processors = availableParallelism(),
    canShare = canSharePorts,
    report,
  }: {
    readonly processors?: number;
    readonly canShare?: () => Promise<boolean>;
    /** Receives the reason when there are fewer threads than configured. */
    readonly report: (warning: string) => void;
  },
): Promise<number> {
  const wanted = workers ?? processors;
  if (wanted === 1) return 1;
  const obstacle = !SHARED_SESSIONS[store]
    ? `threads cannot share the sessions of STAYWIRE_STORE=${store}`
    : (await canShare())
      ? null
      : 'this system does not let threads share a port';
  if (obstacle === null) return wanted;
  if (workers !== null) report(`One thread answers instead of ${workers}: ${obstacle}.`);
  return 1;
}
