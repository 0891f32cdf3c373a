import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
type Body = any;
export type NeighbourAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  readonly bytes: number;
  readonly ms: number;
};

/** An assistant that calls from an address of its own over connections of its own. */
export type NeighbourClient = {
  call(path: string, options?: CallWith): Promise<NeighbourAnswer>;
  /** The token of a new session. */
  open(): Promise<string>;
  /** A whole search in a new session. */
  search(changes?: object): Promise<NeighbourAnswer>;
  close(): void;
};

type CallWith = {
  readonly body?: object;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Hangs up after so long without an answer. */
  readonly hangUpAfterMs?: number;
};

const MAX_WAIT_MS = 60_000;
const SERVED_WITHIN_MS = 240_000;
const REPEATED_AFTER_MS = 500;

export function createNeighbourClient({
  port,
  address,
  stay,
}: {
  readonly port: number;
  readonly address: string;
  readonly stay: object;
}): NeighbourClient {
  const agent = new Agent({ keepAlive: true, localAddress: address });

  function call(
    path: string,
    { body, method, headers = {}, hangUpAfterMs }: CallWith = {},
  ): Promise<NeighbourAnswer> {
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<NeighbourAnswer>();
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        timeout: hangUpAfterMs ?? MAX_WAIT_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(parts);
          const isJson = response.headers['content-type']?.startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson ? JSON.parse(bytes.toString()) : bytes.toString(),
            bytes: bytes.length,
            ms: performance.now() - startedAt,
          });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('hung up')));
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  async function open(): Promise<string> {
    const { status, body } = await served(() => call('/ai/v1/auth', { body: {} }));
    if (status !== 200)
      throw new Error(`auth was answered with ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    return body.session;
  }

  return {
    call,
    open,
    async search(changes = {}) {
      const path = `/ai/v1/search?session=${await open()}`;
      return served(() => call(path, { body: { ...stay, ...changes } }));
    },
    close: () => agent.destroy(),
  };
}

/** Repeats a request that is refused as `overloaded`, which a service on a busy machine is. */
export async function served(send: () => Promise<NeighbourAnswer>): Promise<NeighbourAnswer> {
  const givenUpAt = performance.now() + SERVED_WITHIN_MS;
  for (;;) {
    const answer = await send();
    if (answer.body?.error !== 'overloaded' || performance.now() > givenUpAt) return answer;
    await wait(REPEATED_AFTER_MS);
  }
}
