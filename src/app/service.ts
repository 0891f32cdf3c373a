import type { AccessList } from '../access/access-list.ts';
import type { Resolver } from '../access/reverse-dns.ts';
import type { UsedNonces } from '../access/web-bot-auth/used-nonces.ts';
import { createActivityRecorder } from '../analytics/activity-recorder.ts';
import type { ActivityStore } from '../analytics/activity-store.ts';
import type { EventLoopLag } from '../limits/event-loop.ts';
import { createLimitsOf } from '../sessions/assistant-limits.ts';
import { startDeletingExpired } from '../sessions/expiry.ts';
import type { RateWindows } from '../sessions/rate-windows.ts';
import type { NewOpenings } from '../sessions/recent-openings.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { StorageFailureKind } from '../sessions/storage-failure.ts';
import type { OperatorControls } from '../sync/operator-controls.ts';
import type { RecordAudit } from '../telemetry/audit/audit-record.ts';
import { createActivityObserver } from '../telemetry/observers.ts';
import { createRequestHandler, type RequestHandler, type RequestHandlerSettings } from './request-handler.ts';
import {
  createSearchEngine,
  type SearchEngineDependencies,
  type SearchEngineSettings,
} from './search-engine.ts';

/** The service as the program runs it. */
export type Service = Omit<RequestHandler, 'close'> & {
  /** Returns the origin of the service. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Loads the stored inventory and starts reading the operators. Resolves when every brand has been tried once, or takes too long. */
  start(): Promise<void>;
  /** Finishes requests in flight, then stops all background work. The stores stay open, because the caller owns them. */
  close(): Promise<void>;
  renderMetrics(): Promise<string>;
  /** Resolves once all counts so far are readable, or storing them has failed. */
  flushActivity(): Promise<void>;
  /** The state of each operator, and the owner's decisions about them. */
  readonly operators: OperatorControls;
};

export type ServiceSettings = RequestHandlerSettings & SearchEngineSettings;

/** The whole service: the search engine and the request handler. */
export function createService({
  settings,
  accessList,
  sessions,
  rateWindows,
  storeFault,
  newOpenings,
  usedNonces,
  resolver,
  audit,
  activity,
  eventLoopLag,
  ...shared
}: Omit<SearchEngineDependencies, 'limitsOf' | 'count'> & {
  readonly settings: ServiceSettings;
  readonly accessList: () => AccessList;
  readonly sessions: SessionStore;
  readonly rateWindows: RateWindows;
  /** Why the store takes no changes just now; null while it does. */
  readonly storeFault: () => StorageFailureKind | null;
  readonly newOpenings?: NewOpenings | undefined;
  /** Nonces of signatures, where nodes share them. */
  readonly usedNonces?: UsedNonces | undefined;
  /** Tests replace it, so that no name leaves the machine. */
  readonly resolver?: Resolver | undefined;
  readonly audit?: RecordAudit | undefined;
  /** Stores the counts for the owner's console; left out where nothing is counted. */
  readonly activity?: Pick<ActivityStore, 'add'> | undefined;
  /** Tests replace it to simulate load. */
  readonly eventLoopLag?: EventLoopLag;
}): Service {
  const { clock, log, metrics } = shared;
  const limitsOf = createLimitsOf(() => accessList().assistants);
  const recorder =
    activity && createActivityRecorder({ store: activity, ...shared, ...createActivityObserver(shared) });
  const searchEngine = createSearchEngine({ ...shared, settings, limitsOf, count: recorder?.count });
  const { close: closeHandler, ...requestHandler } = createRequestHandler({
    ...shared,
    settings,
    accessList,
    searchEngine,
    sessions,
    rateWindows,
    storeFault,
    newOpenings,
    usedNonces,
    resolver,
    audit,
    count: recorder?.count,
    onCountsLost: (lost) => recorder?.noteLost(lost),
    eventLoopLag,
  });
  let cleanup = { stop: async () => {} };
  let isClosing = false;

  return {
    ...requestHandler,
    listen: (address) => requestHandler.app.listen(address),
    renderMetrics: () => metrics.render(),
    async flushActivity() {
      await requestHandler.flushActivity();
      await recorder?.flush();
    },
    operators: searchEngine.operators,
    async start() {
      if (isClosing) return;
      cleanup = startDeletingExpired({
        sessions,
        clock,
        onFailure: (failure) => log.error({ err: failure }, 'expired sessions could not be deleted'),
      });
      await searchEngine.start();
    },
    async close() {
      isClosing = true;
      await closeHandler();
      await cleanup.stop();
      await searchEngine.close();
      await recorder?.stop();
    },
  };
}
