import { type Client, createClient } from '../client.ts';

/** Each request goes to the next server, whoever was asked before about the same session. */
export function createSpreadClient(origins: readonly string[], connections: number): Client {
  const clients = origins.map((origin) => createClient(origin, Math.ceil(connections / origins.length)));
  let asked = 0;
  const next = () => clients[asked++ % clients.length] as Client;
  return {
    post: (path, body) => next().post(path, body),
    get: (path) => next().get(path),
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
