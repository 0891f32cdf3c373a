import type { CliTools } from './cli/command.ts';
import { readConfiguration, readNetworkSettings } from './configuration.ts';
import { connectNetwork, openOperatorAccess } from './connect-network.ts';
import { createAllowedAddresses } from './operators/http/allowed-addresses.ts';
import { createClientOpener } from './operators/http/operator-client.ts';
import { createIntakeThreads } from './operators/intake/intake-threads.ts';
import { readSettings } from './settings.ts';
import { openStoredDocuments, STORES } from './storage/stores.ts';

/** What the commands need of the rest of the program, for whoever sits at a terminal. */
export function createCliTools(
  outside: Pick<
    CliTools,
    'env' | 'directory' | 'terminal' | 'clock' | 'random' | 'signal' | 'readInput' | 'serve'
  >,
): CliTools {
  const { terminal, clock, random } = outside;
  return {
    ...outside,
    readSettings,
    readNetworkSettings,
    readConfiguration,
    connectNetwork: ({ settings, ...network }) =>
      connectNetwork({
        ...network,
        operatorNetworks: settings.operatorNetworks,
        maxDocumentAgeMs: settings.rateCardMaxAgeSeconds * 1000,
        onLastDocumentUsed: (brand, failure) =>
          terminal.note(`${brand}: its document cannot be read (${failure.kind}); the last one is used.`),
        clock,
        random,
      }),
    openOperatorAccess: ({ store, settings: { operatorNetworks } }) =>
      openOperatorAccess({ store, operatorNetworks, clock, random }),
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
  };
}
