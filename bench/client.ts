import { Pool } from 'undici';

export type Answer = { readonly bytes: number; readonly text: string; readonly milliseconds: number };

/** Keeps its connections open, as the platforms of assistants do. */
export type Client = {
  post(path: string, body: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  close(): Promise<void>;
};

export function createClient(origin: string, connections: number): Client {
  const pool = new Pool(origin, { connections });

  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await pool.request({
      method,
      path,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const milliseconds = performance.now() - startedAt;
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return { bytes: Buffer.byteLength(text), text, milliseconds };
  }

  return {
    post: (path, body) => call('POST', path, body),
    get: (path) => call('GET', path),
    close: () => pool.close(),
  };
}

export async function mapConcurrently<Item, Value>(
  items: readonly Item[],
  width: number,
  work: (item: Item, position: number) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [position, item] of queue) values[position] = await work(item, position);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return values;
}
