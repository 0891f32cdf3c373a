import { once } from 'node:events';
import { createServer } from 'node:net';

/** On loopback. Nothing keeps it free, but no two calls get the same one soon. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
