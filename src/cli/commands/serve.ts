import type { CliEnvironment, CliTools } from '../command.ts';
import { shellOption, UsageFault } from '../faults.ts';
import {
  assertHasBrands,
  assertHasNetwork,
  type WorkspaceOptions,
  workspaceEnvironment,
} from '../workspace.ts';

type ServeOptions = WorkspaceOptions & {
  readonly port?: string;
  readonly host?: string;
};

const MAX_PORT = 65_535;
const NO_CALLER_ALLOWED = 'Nobody may call yet';

/** Runs the service on the network of this folder until a signal stops it. */
export async function serve({ port, host, ...options }: ServeOptions, tools: CliTools): Promise<void> {
  const given: CliEnvironment = {
    ...workspaceEnvironment(tools, options),
    ...(port === undefined ? {} : { PORT: port }),
    ...(host === undefined ? {} : { HOST: host }),
  };
  if (!given.STAYWIRE_POSTGRES_URL) assertHasNetwork(given);
  // Port 0 lets the system choose a free port.
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT)) {
    throw new UsageFault(
      [`${shellOption('--port', port)} is not a port.`],
      'give --port a number from 0 to 65535',
    );
  }
  const stored = await tools.withStoredNetwork(given);
  if (stored.kind === 'invalid') {
    throw new UsageFault(stored.faults, 'a network is stored with staywire network store');
  }
  const { env, warning } = stored.value;
  if (warning !== null) tools.terminal.note(warning);
  const configuration = await tools.readConfiguration(env);
  if (configuration.kind === 'invalid') {
    assertHasBrands(env.STAYWIRE_NETWORK ?? '');
    const allowsNoCaller = configuration.faults.some((fault) => fault.startsWith(NO_CALLER_ALLOWED));
    throw new UsageFault(
      configuration.faults,
      allowsNoCaller
        ? 'to try it on this machine, take the # away from STAYWIRE_TRUSTED_NETWORKS in .env'
        : 'mend the network file, the registry of assistants, or the settings in .env and the environment (docs/running.md)',
    );
  }
  await tools.serve(env);
}

/** Serves MCP on input and output for an assistant that starts its tools as programs. */
export async function mcp(
  { url }: { readonly url: string },
  tools: Pick<CliTools, 'serveMcp'>,
): Promise<void> {
  const serviceUrl = URL.parse(url);
  if (!serviceUrl || !['http:', 'https:'].includes(serviceUrl.protocol)) {
    throw new UsageFault(
      [`${shellOption('--url', url)} is not the address of a service.`],
      'give --url an address such as https://stays.example',
    );
  }
  await tools.serveMcp(serviceUrl);
}
