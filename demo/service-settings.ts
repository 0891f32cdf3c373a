import { once } from 'node:events';
import { createServer } from 'node:net';
import { type DemoCallers, demoCallers } from './assistants.ts';
import type { DemoSettings } from './settings.ts';

/** Defaults of the demo: it shows reported bookings within seconds. */
const DEMO_DEFAULTS = { STAYWIRE_BOOKINGS_SECONDS: '15' };

/** The settings that the demo adds to the environment of the service and of commands. */
export function demoServiceSettings(
  environment: Readonly<Record<string, string | undefined>>,
  { networkFile, dataDirectory }: Pick<DemoSettings, 'networkFile' | 'dataDirectory'>,
): Readonly<Record<string, string>> & DemoCallers {
  return {
    ...Object.fromEntries(Object.entries(DEMO_DEFAULTS).filter(([name]) => !environment[name]?.trim())),
    STAYWIRE_NETWORK: networkFile,
    // The operators of the demo are on this machine.
    STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8,::1',
    ...demoCallers(environment, dataDirectory),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The port and the public origin for the service; empty where the service decides. */
type ServiceAddress = { readonly PORT?: string; readonly STAYWIRE_PUBLIC_URL?: string };

const DEFAULT_SERVICE_PORT = 8080;
const MAX_PORT = 65_535;
/** The loopback host by which an assistant on this machine reaches a service on these addresses. */
const REACHED_AT: Readonly<Record<string, string>> = {
  '127.0.0.1': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  localhost: 'localhost',
  '::1': '[::1]',
  '::': '[::1]',
};

/**
 * Makes the service's own address its public one, so that its answers have complete addresses. Returns nothing for a configured
 * public address, for an invalid port, and for a host that assistants elsewhere would reach over plain http.
 */
export async function serviceAddress(environment: Environment): Promise<ServiceAddress> {
  const port = environment.PORT?.trim() || String(DEFAULT_SERVICE_PORT);
  const host = REACHED_AT[environment.HOST?.trim() || '127.0.0.1'];
  const isPort = /^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT;
  if (environment.STAYWIRE_PUBLIC_URL?.trim() || host === undefined || !isPort) return {};
  // The public address must be known before the service listens, so a free port is chosen here.
  const chosen = Number(port) === 0 ? await freePort() : Number(port);
  return { PORT: String(chosen), STAYWIRE_PUBLIC_URL: `http://${host}:${chosen}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

/** Where `npm start` serves by default. */
export const DEFAULT_SERVICE = 'http://127.0.0.1:8080';
