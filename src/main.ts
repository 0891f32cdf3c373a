import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AssistantRegistry, readAssistantRegistry, registryFor } from './access/assistant-registry.ts';
import { systemClock } from './clock.ts';
import { greeting } from './greeting.ts';
import { type NetworkSettings, readNetwork } from './network/read-network.ts';
import { createLog } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { startMetricsServer } from './observe/metrics-server.ts';
import { systemRandom } from './random.ts';
import { createService } from './service.ts';
import { StorageFailure } from './sessions/storage-failure.ts';
import { readSettings, type Settings } from './settings.ts';
import { STORES } from './storage/stores.ts';

/** Settings → object graph → listen → close gracefully. */
const settings = settingsOrRefuse();
const networkSettings = networkOrRefuse(settings);
const registry = registryOrRefuse(settings);
const log = createLog({ level: settings.logLevel, clock: systemClock });
const metrics = createMetrics();
const storage = await STORES[settings.store]({
  directory: settings.dataDirectory,
  rateRule: { limit: settings.rateLimit, windowMs: settings.rateWindowSeconds * 1000 },
}).catch((failure: unknown) => {
  if (failure instanceof StorageFailure) return refuseToStart([failure.message]);
  throw failure;
});
metrics.watch({ storeQueue: () => storage.waiting() });
const service = createService({
  settings,
  networkSettings,
  registry,
  sessions: storage.sessions,
  inventory: storage.inventory,
  rateWindows: storage.rateWindows,
  clock: systemClock,
  random: systemRandom,
  log,
  metrics,
});
const metricsServer =
  settings.metricsPort === null
    ? null
    : await startMetricsServer({
        render: () => metrics.render(),
        contentType: metrics.contentType,
        host: settings.metricsHost,
        port: settings.metricsPort,
      }).catch(cannotListen('STAYWIRE_METRICS_HOST and STAYWIRE_METRICS_PORT'));

let closing = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close(signal));
const origin = await service.app
  .listen({ port: settings.port, host: settings.host })
  .catch(cannotListen('HOST and PORT'));
await service.start();
if (!closing) {
  process.stdout.write(
    greeting({ origin: settings.publicUrl ?? origin, networkSettings, registry, metricsServer }),
  );
}

async function close(signal: string): Promise<void> {
  if (closing) return;
  closing = true;
  log.info({ signal }, 'closing');
  await service.close();
  await metricsServer?.close();
  await storage.close();
  log.info('closed');
}

function settingsOrRefuse(): Settings {
  const reading = readSettings(process.env);
  return 'settings' in reading ? reading.settings : refuseToStart(reading.faults);
}

function networkOrRefuse({ networkFile }: Settings): NetworkSettings {
  const reading = readNetwork(networkFile, process.env);
  if (reading.kind === 'valid') return reading.value;
  return refuseToStart(reading.faults.map(({ pointer, message }) => `${networkFile}${pointer}: ${message}`));
}

function registryOrRefuse({ assistantsFile, trustedNetworks }: Settings): AssistantRegistry {
  if (assistantsFile === null) return registryFor(null, trustedNetworks);
  const read = (path: string) => readFileSync(path, 'utf8');
  const reading = readAssistantRegistry(read(assistantsFile), (path) =>
    read(resolve(dirname(assistantsFile), path)),
  );
  return 'registry' in reading
    ? registryFor(reading.registry, trustedNetworks)
    : refuseToStart(reading.faults);
}

function cannotListen(settingNames: string): (fault: Error) => never {
  return (fault) => refuseToStart([`${fault.message}. Choose another address with ${settingNames}.`]);
}

function refuseToStart(faults: readonly string[]): never {
  process.stderr.write(`Staywire cannot start:\n${faults.map((fault) => `  - ${fault}\n`).join('')}`);
  process.exit(1);
}
