import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registryFor } from '../src/access/assistant-registry.ts';
import { systemClock } from '../src/clock.ts';
import { describeNetwork } from '../src/network/read-network.ts';
import { createLog } from '../src/observe/log.ts';
import { createMetrics } from '../src/observe/metrics.ts';
import { systemRandom } from '../src/random.ts';
import { LOOPBACK_NETWORKS } from '../src/reading/address.ts';
import { createService } from '../src/service.ts';
import { openSqliteStorage } from '../src/storage/sqlite/storage.ts';
import { networkFile } from './network.ts';
import { answerParent, processorTime } from './parent-line.ts';

/** The service on SQLite as `main` builds it, except for a temporary folder, no log and a rate limit that is never reached. */
const directory = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const reading = describeNetwork(networkFile(process.argv.slice(2)), { env: {}, directory });
if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));

const storage = await openSqliteStorage({
  directory,
  rateRule: { limit: 1_000_000, windowMs: 60_000 },
});
const log = createLog({ level: 'silent', clock: systemClock });
const metrics = createMetrics();
type Answered = Pick<Parameters<typeof metrics.request>[0], 'operation' | 'error' | 'status'> & {
  count: number;
};
let answered: Answered[] = [];

const service = createService({
  settings: {
    publicUrl: null,
    hosts: [],
    securityContact: null,
    sessionMinutes: 60,
    maxOptions: 20,
    // As in the settings, unless a row is about fewer.
    maxQuotes: Number(process.env.STAYWIRE_BENCH_MAX_QUOTES ?? 60),
    operatorNetworks: ['127.0.0.0/8', '::1'],
    rateCardMaxAgeSeconds: 300,
    calendarMaxAgeHours: 24,
    quoteDeadlineMs: 8000,
    trustedProxies: [],
    maxConnections: 4000,
    rateLimit: 1_000_000,
    rateWindowSeconds: 60,
    maxSessions: 20_000,
    maxStoredMegabytes: 2048,
    maxStoreMegabytes: 8192,
  },
  networkSettings: reading.value,
  registry: registryFor(null, LOOPBACK_NETWORKS),
  sessions: storage.sessions,
  inventory: storage.inventory,
  rateWindows: storage.rateWindows,
  storeFault: () => storage.writeFault(),
  clock: systemClock,
  random: systemRandom,
  log,
  metrics: {
    ...metrics,
    request(facts) {
      const { operation, error, status } = facts;
      const last = answered.at(-1);
      // Under load nearly all outcomes are the same, so that counting them costs next to nothing.
      if (last && last.operation === operation && last.error === error && last.status === status)
        last.count += 1;
      else answered.push({ operation, error, status, count: 1 });
      metrics.request(facts);
    },
  },
});
const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
await service.start();

answerParent(origin, {
  processorTime,
  logLevel(level) {
    log.level = String(level);
  },
  /** Outcomes since the last call, with counts, so that unexpected answers under load are noticed. */
  answered() {
    const counts: Record<string, number> = {};
    for (const { operation, error, status, count } of answered) {
      const outcome = `${operation} ${error ?? status}`;
      counts[outcome] = (counts[outcome] ?? 0) + count;
    }
    answered = [];
    return counts;
  },
});
