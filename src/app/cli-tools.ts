import { judgeCaller } from '../access/explain-access.ts';
import type { CliTools } from '../cli/command.ts';
import { UsageFault } from '../cli/faults.ts';
import { webPlatform } from '../client/client-options.ts';
import { createIntakeThreads } from '../connectors/shared/intake/intake-threads.ts';
import { createAllowedAddresses } from '../outbound/guarded-connector.ts';
import { createClientOpener } from '../outbound/http-client.ts';
import { createRequestSigner, readOwnIdentity } from '../outbound/signing.ts';
import {
  isInUse,
  migrateEmbedded,
  openNetworkDocuments,
  openOwnerStore,
  openStoredDocuments,
  STORES,
} from '../storage/stores.ts';
import {
  openRegisteredAssistants,
  readConfiguration,
  readNetworkSettings,
  withStoredNetwork,
} from './configuration.ts';
import { connectNetwork } from './connect-network.ts';
import { lookAtPublished } from './open-access.ts';
import { readSettings } from './settings.ts';

const MAX_ACCOUNT_WAIT_MS = 60_000;

/** The parts of the program that commands use at a terminal. */
export function createCliTools(
  outside: Pick<
    CliTools,
    'env' | 'directory' | 'terminal' | 'clock' | 'random' | 'signal' | 'readInput' | 'serve' | 'serveMcp'
  >,
): CliTools {
  const { terminal, clock, random, signal } = outside;
  // Requests of commands to operators are signed like those of the service.
  const signerFor = (settings: Parameters<typeof readOwnIdentity>[0]) => {
    const reading = readOwnIdentity(settings);
    if (reading.kind === 'invalid') throw new UsageFault(reading.faults);
    const { identity, warnings } = reading.value;
    for (const warning of warnings) terminal.note(warning);
    return identity ? createRequestSigner(identity, { clock, random }) : undefined;
  };
  return {
    ...outside,
    readSettings,
    readNetworkSettings,
    readConfiguration: (env) => readConfiguration(env),
    connectNetwork: ({ settings, maxAccountWaitMs = MAX_ACCOUNT_WAIT_MS, ...network }) =>
      connectNetwork({
        ...network,
        maxAccountWaitMs,
        operatorNetworks: settings.operatorNetworks,
        sign: signerFor(settings),
        maxDocumentAgeMs: settings.rateCardMaxAgeSeconds * 1000,
        onLastDocumentUsed: (brand, failure) =>
          terminal.note(`${brand}: its document cannot be read (${failure.kind}); the last one is used.`),
        onNightsLost: (brand, reference, { lost, of }) =>
          terminal.note(
            `${brand}: a feed of ${reference} has lost ${lost} of ${of} taken nights, which stay taken for now.`,
          ),
        clock,
        random,
      }),
    openClient: (operatorNetworks) =>
      createClientOpener({ addresses: createAllowedAddresses(operatorNetworks), clock }),
    createIntake: ({ places }) => createIntakeThreads({ places, clock }),
    openInventory: async ({ dataDirectory }) => {
      const storage = await STORES.sqlite({
        directory: dataDirectory,
        rateRule: { limit: 1, windowMs: 1 },
        report: (warning) => terminal.note(warning),
      });
      return { inventory: storage.inventory, close: () => storage.close() };
    },
    openDocuments: async ({ dataDirectory }) => openStoredDocuments(dataDirectory),
    openOwnerStore,
    openNetworkDocuments: (url) => openNetworkDocuments({ url }),
    withStoredNetwork: (env) => withStoredNetwork(env),
    openRegistry: (env) => openRegisteredAssistants(env),
    judgeCaller: ({ registry, settings, ...question }) =>
      judgeCaller({
        ...lookAtPublished({ registry, settings }, { clock, random }),
        ...{ settings, ...question, clock, signal },
      }),
    publishedSoFar(question) {
      const { published } = lookAtPublished(question, { clock, random });
      try {
        return published.status();
      } finally {
        published.stop();
      }
    },
    migrateStore: (request) => migrateEmbedded({ ...request, report: (warning) => terminal.note(warning) }),
    isServing: ({ dataDirectory }) => isInUse(dataDirectory),
    sendHttp: webPlatform.fetch,
  };
}
