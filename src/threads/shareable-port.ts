import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

type PortAddress = { readonly host: string; readonly port: number };

/**
 * The address with a chosen port, where any will do. Several threads can listen on one port, and so could another program of the same
 * user: listening exclusively first rules that out.
 */
export async function freeAddress({ host, port }: PortAddress): Promise<PortAddress> {
  const alone = await listening({ host, port, exclusive: true });
  const chosen = (alone.address() as AddressInfo).port;
  await closed(alone);
  return { host, port: chosen };
}

/** Whether this system allows several listeners on one port. */
export async function canSharePorts(): Promise<boolean> {
  try {
    const first = await listening({ host: '127.0.0.1', port: 0, reusePort: true });
    try {
      const { port } = first.address() as AddressInfo;
      await closed(await listening({ host: '127.0.0.1', port, reusePort: true }));
      return true;
    } finally {
      await closed(first);
    }
  } catch {
    return false;
  }
}

async function listening(
  options: PortAddress & { exclusive?: boolean; reusePort?: boolean },
): Promise<Server> {
  const server = createServer();
  server.listen(options);
  await once(server, 'listening');
  return server;
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
