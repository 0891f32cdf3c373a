import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Pool } from 'undici';
import { mapConcurrently } from '../client.ts';

/** A request as a connector has sent it. */
export type SentRequest = {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | null;
};

/** The channel on which undici tells of every request. */
const REQUESTS = 'undici:request:create';

/** What is sent while the work runs. */
export async function requestsOf(work: () => Promise<unknown>): Promise<readonly SentRequest[]> {
  const sent: SentRequest[] = [];
  const note = (message: unknown) => {
    const { origin, method, path, headers, body } = (message as { readonly request: SentRequest }).request;
    sent.push({ origin: String(origin), method, path, headers: [...headers], body });
  };
  subscribe(REQUESTS, note);
  try {
    await work();
  } finally {
    unsubscribe(REQUESTS, note);
  }
  return sent;
}

export type BareClient = {
  /** Resolves with the bytes that came. */
  send(requests: readonly SentRequest[], atATime: number): Promise<number>;
  close(): Promise<void>;
};

/** What the service is compared with: `undici` sends the same requests and parses the answers. It checks and keeps nothing. */
export function createBareClient(): BareClient {
  const pools = new Map<string, Pool>();
  const poolFor = (origin: string): Pool => {
    const pool = pools.get(origin) ?? new Pool(origin);
    pools.set(origin, pool);
    return pool;
  };

  async function call({ origin, ...request }: SentRequest): Promise<number> {
    const { statusCode, body } = await poolFor(origin).request(request);
    const text = await body.text();
    if (statusCode >= 400) throw new Error(`${request.method} ${request.path}: ${statusCode} ${text}`);
    if (text !== '') JSON.parse(text);
    return text.length;
  }

  return {
    async send(requests, atATime) {
      const sizes = await mapConcurrently(requests, atATime, call);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
