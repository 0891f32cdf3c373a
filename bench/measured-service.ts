import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registryFor } from '../src/access/registry/assistant-registry.ts';
import { composeService } from '../src/app/compose.ts';
import { systemClock } from '../src/clock.ts';
import type { NetworkSettings } from '../src/network/read-network.ts';
import { LOOPBACK_NETWORKS } from '../src/parsing/ip-address.ts';
import { systemRandom } from '../src/random.ts';
import type { StoreServer } from '../src/sessions/storage-failure.ts';
import { openClusterStorage } from '../src/storage/cluster/storage.ts';
import { openSqliteStorage } from '../src/storage/sqlite/storage.ts';
import type { ServerAddresses, StorageOptions } from '../src/storage/storage.ts';
import { NO_CONTROLS } from '../src/sync/brand-controls.ts';
import { createLog } from '../src/telemetry/log.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { accessListOf } from '../test/support/access-list-of.ts';
import { DEFAULT_SETTINGS } from '../test/support/default-settings.ts';

export type MeasuredService = {
  readonly origin: string;
  logLevel(level: string): void;
  /** Outcomes since the last call, with counts, so that unexpected answers under load are noticed. */
  answered(): Promise<Record<string, number>>;
  /** Processor time of the thread that answers, in microseconds. */
  mainThreadTime(): number;
  /** Commands and statements that the servers of the store have answered since the start. */
  commandsSent(): Readonly<Record<StoreServer, number>>;
  /** A metric without labels but the node's. */
  gauge(name: string): Promise<number>;
};

const NODE = 'bench';
const REQUESTS =
  /^staywire_http_requests_total\{operation="([^"]*)",status="([^"]*)",error="([^"]*)",node="[^"]*"\} (\d+)$/gm;

/**
 * The service as `main` builds it, on SQLite, or as a node on the servers of a cluster, except for a temporary
 * folder, no log and limits that are never reached.
 */
export async function startMeasuredService({
  networkSettings,
  maxQuotes,
  servers = null,
  sessionMinutes = 60,
  maxSessions = 20_000,
}: {
  readonly networkSettings: NetworkSettings;
  readonly maxQuotes: number;
  readonly servers?: ServerAddresses | null;
  readonly sessionMinutes?: number;
  readonly maxSessions?: number;
}): Promise<MeasuredService> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const rateRule = { limit: 1_000_000, windowMs: 60_000 };
  const sent = { redis: 0, postgres: 0 };
  const options: StorageOptions = {
    directory,
    rateRule,
    servers,
    onCommand: (server) => {
      sent[server] += 1;
    },
  };
  const storage = servers ? await openClusterStorage(options) : await openSqliteStorage(options);
  const log = createLog({ level: 'silent', clock: systemClock });
  const metrics = createMetrics({ node: NODE });
  const service = composeService({
    settings: {
      ...DEFAULT_SETTINGS,
      sessionMinutes,
      maxQuotes,
      operatorNetworks: LOOPBACK_NETWORKS,
      rateLimit: rateRule.limit,
      maxSessions,
    },
    networkSettings,
    identity: null,
    accessList: accessListOf(registryFor(null, LOOPBACK_NETWORKS)),
    storage: { ...storage, controls: NO_CONTROLS },
    snapshot: null,
    activity: null,
    bookings: null,
    audit: () => {},
    clock: systemClock,
    random: systemRandom,
    log,
    metrics,
  });
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  await service.start();
  let counted = new Map<string, number>();

  return {
    origin,
    logLevel(level) {
      log.level = level;
    },
    async answered() {
      const before = counted;
      counted = requestsIn(await metrics.render());
      const since = [...counted].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)]);
      return Object.fromEntries(since.filter(([, count]) => count !== 0));
    },
    mainThreadTime() {
      const { user, system } = process.threadCpuUsage();
      return user + system;
    },
    commandsSent: () => ({ ...sent }),
    async gauge(name) {
      return Number(new RegExp(`^${name}\\{node="${NODE}"\\} (.+)$`, 'm').exec(await metrics.render())?.[1]);
    },
  };
}

function requestsIn(metrics: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, operation, status, error, count] of metrics.matchAll(REQUESTS)) {
    counts.set(`${operation} ${error === 'none' ? status : error}`, Number(count));
  }
  return counts;
}
