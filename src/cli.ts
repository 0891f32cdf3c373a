import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { runCommandLine, wantsJson } from './cli/program.ts';
import { createSystemTerminal } from './cli/system-terminal.ts';
import { systemClock } from './clock.ts';
import { readConfiguration, readNetworkSettings } from './configuration.ts';
import { connectNetwork } from './connect-network.ts';
import { createAllowedAddresses } from './operators/http/allowed-addresses.ts';
import { createClientOpener } from './operators/http/operator-client.ts';
import { createIntakeThreads } from './operators/intake/intake-threads.ts';
import { systemRandom } from './random.ts';
import { readSettings } from './settings.ts';
import { openStoredDocuments, STORES } from './storage/stores.ts';

/** `staywire …`: gives the commands what they need of this machine, and ends with their exit code. */
const words = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A second one ends the process at once, as it would without this.
  process.once(signal, () => interruption.abort());
}
const terminal = createSystemTerminal({
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  isQuiet: wantsJson(words),
});
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

process.exitCode = await runCommandLine(
  words,
  {
    env: process.env,
    directory: process.cwd(),
    terminal,
    clock: systemClock,
    random: systemRandom,
    signal: interruption.signal,
    readInput: () => text(process.stdin),
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
        clock: systemClock,
        random: systemRandom,
      }),
    openClient: (operatorNetworks) =>
      createClientOpener({ addresses: createAllowedAddresses(operatorNetworks), clock: systemClock }),
    createIntake: ({ places }) => createIntakeThreads({ places, clock: systemClock }),
    openInventory: async ({ dataDirectory }) => {
      const storage = await STORES.sqlite({
        directory: dataDirectory,
        rateRule: { limit: 1, windowMs: 1 },
        report: (warning) => terminal.note(warning),
      });
      return { inventory: storage.inventory, close: () => storage.close() };
    },
    openDocuments: async ({ dataDirectory }) => openStoredDocuments(dataDirectory),
    serve: async (env) => {
      Object.assign(process.env, env);
      await import('./main.ts');
    },
  },
  version,
);
