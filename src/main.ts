import { hostname } from 'node:os';
import type { RegisteredAssistants } from './access/registry/registered-assistants.ts';
import { createReports } from './analytics/reports/create-reports.ts';
import { composeService } from './app/compose.ts';
import { openRegisteredAssistants, readConfiguration, withStoredNetwork } from './app/configuration.ts';
import { openAudit, openWhoMayCall } from './app/open-access.ts';
import { type ConsoleParts, openConsole } from './app/open-console.ts';
import { affordableConnections, greeting, whenNpmEnds } from './app/process.ts';
import { startRetention } from './app/retention.ts';
import { quietOnTerminal } from './app/settings.ts';
import { openIndex } from './availability/snapshot/open-index.ts';
import { systemClock } from './clock.ts';
import { printable } from './parsing/printable.ts';
import { systemRandom } from './random.ts';
import { StorageFailure } from './sessions/storage-failure.ts';
import type { ServerAddresses } from './storage/storage.ts';
import { STORES } from './storage/stores.ts';
import { createLog } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { startMetricsServer } from './telemetry/metrics-server.ts';
import { createSnapshotObserver } from './telemetry/observers.ts';

/** Reads the configuration, builds the service, listens, and closes gracefully on a signal. */
const environment = await withStoredNetwork(process.env);
if (environment.kind === 'invalid') refuseToStart(environment.faults);
const env = quietOnTerminal(environment.value.env, process.stdout.isTTY);
const configuration = await readConfiguration(env);
if (configuration.kind === 'invalid') refuseToStart(configuration.faults);
const { settings, networkSettings, registry, registryAtStart, identity } = configuration.value;
const node = settings.nodeName ?? hostname();
const log = createLog({ level: settings.logLevel, clock: systemClock, node });
if (environment.value.warning !== null) log.warn(environment.value.warning);
if (registryAtStart.warning !== null) log.warn(registryAtStart.warning);
for (const warning of configuration.value.warnings) log.warn(warning);
const metrics = createMetrics({ node });
const storage = await STORES[settings.store]({
  directory: settings.dataDirectory,
  rateRule: { limit: settings.rateLimit, windowMs: settings.rateWindowSeconds * 1000 },
  report: (warning) => log.warn(warning),
  servers: serverAddresses(settings),
  onCommand: (server, seconds) => metrics.time('storeCommand', { store: server }, seconds),
}).catch((failure: unknown) => {
  if (failure instanceof StorageFailure) return refuseToStart([storageFault(failure)]);
  throw failure;
});
metrics.watch({
  storeQueue: () => storage.waiting(),
  storeBytes: () => storage.bytes(),
  ...storage.readings,
});
const snapshot = storage.snapshot && {
  file: storage.snapshot,
  opened: await openIndex(networkSettings.network, {
    file: storage.snapshot,
    clock: systemClock,
    observe: createSnapshotObserver(log),
  }),
};
const shared = {
  settings: { ...settings, maxConnections: affordableConnections(settings.maxConnections) },
  networkSettings,
  accessList: () => whoMayCall.list(),
  clock: systemClock,
  random: systemRandom,
  log,
  metrics,
};
const audit = openAudit({ ...shared, registry, node });
const registered = openedRegistry();
const whoMayCall = openWhoMayCall({ ...shared, registered, since: registryAtStart, audit });
const service = composeService({
  ...shared,
  identity,
  storage,
  snapshot: snapshot ?? null,
  activity: storage.activity,
  bookings: { outcomes: storage.outcomes, ledger: storage.sessions },
  audit: audit?.record ?? (() => {}),
});
const retention = startRetention({
  ...shared,
  ledger: storage.sessions,
  activity: storage.activity,
  outcomes: storage.outcomes,
});
const metricsServer =
  settings.metricsPort === null
    ? null
    : await startMetricsServer({
        render: () => metrics.render(),
        contentType: metrics.contentType,
        host: settings.metricsHost,
        hosts: settings.hosts,
        port: settings.metricsPort,
        clock: systemClock,
      }).catch(cannotListen('STAYWIRE_METRICS_HOST and STAYWIRE_METRICS_PORT'));

let closing = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close(signal));
whenNpmEnds(() => void close('the end of npm'));
const origin = await service.app
  .listen({ port: settings.port, host: settings.host })
  .catch(cannotListen('HOST and PORT'));
/** A store in memory holds no password, so no owner could sign in. */
const consoleParts: ConsoleParts | null =
  settings.store === 'memory'
    ? null
    : {
        ...shared,
        makeReport: createReports({
          ...shared,
          activity: storage.activity,
          outcomes: storage.outcomes,
          network: networkSettings.network,
          health: service.operators.health,
          assistants: () => whoMayCall.list().assistants,
          sessionMinutes: settings.sessionMinutes,
        }),
        operators: service.operators,
        listings: storage.inventory.listings,
        outcomes: storage.outcomes,
        ledger: storage.sessions,
        owner: storage.owner,
        audit: audit?.record ?? (() => {}),
        registered,
        whoMayCall,
        service,
      };
const ownerConsole = await openConsole(settings, consoleParts).catch(
  cannotListen('STAYWIRE_CONSOLE_HOST and STAYWIRE_CONSOLE_PORT'),
);
if (process.stdout.isTTY) process.stdout.write('Loading homes …\n');
await service.start();
if (!closing) {
  process.stdout.write(
    greeting({
      origin: settings.publicUrl ?? origin,
      networkSettings,
      registry,
      trustedNetworks: settings.trustedNetworks,
      publicUrl: settings.publicUrl,
      metricsServer,
      consoleOrigin: ownerConsole?.origin ?? null,
      exampleStay: service.exampleStay(),
    }),
  );
}

async function close(signal: string): Promise<void> {
  if (closing) return;
  closing = true;
  log.info({ signal }, 'closing');
  await ownerConsole?.close();
  await service.close();
  await whoMayCall.close();
  await metricsServer?.close();
  await retention.stop();
  await audit?.close();
  await storage.close();
  log.info('closed');
}

function serverAddresses({ postgresUrl, redisUrl }: typeof settings): ServerAddresses | null {
  return postgresUrl === null || redisUrl === null ? null : { postgresUrl, redisUrl };
}

function openedRegistry(): RegisteredAssistants {
  const registered = openRegisteredAssistants(env);
  // The start has read it, so the settings that name it are right.
  return registered.kind === 'valid' ? registered.value : refuseToStart(registered.faults);
}

function cannotListen(settingNames: string): (fault: Error) => never {
  return (fault) => refuseToStart([`${fault.message}. Choose another address with ${settingNames}.`]);
}

function storageFault({ kind, message }: StorageFailure): string {
  const isFolderAtFault = kind === 'input_output' || kind === 'full';
  return isFolderAtFault ? `${message} Choose another folder with STAYWIRE_DATA_DIR.` : message;
}

function refuseToStart(faults: readonly string[]): never {
  const lines = faults.map((fault) => `  - ${printable(fault, { hasStyles: false })}\n`);
  process.stderr.write(`Staywire cannot start:\n${lines.join('')}`);
  process.exit(1);
}
