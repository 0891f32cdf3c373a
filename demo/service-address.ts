import { once } from 'node:events';
import { createServer } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** The port and the origin that the service is started with, or nothing where it decides itself. */
export type ServiceAddress = { readonly PORT?: string; readonly STAYWIRE_PUBLIC_URL?: string };

const DEFAULT_SERVICE_PORT = 8080;
const MAX_PORT = 65_535;
/** An assistant on this machine reaches a service on every address through loopback. */
const REACHED_AT: Readonly<Record<string, string>> = {
  '127.0.0.1': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  localhost: 'localhost',
  '::1': '[::1]',
  '::': '[::1]',
};

/**
 * Gives the service its own address as its public one, so that the addresses in its answers are whole. Left alone are a
 * configured one, a port that cannot be read, and a host that assistants would reach over plain http from elsewhere.
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
