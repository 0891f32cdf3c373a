import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startDemo } from '../demo/start-demo.ts';
import { startTestService } from '../test/support/test-service.ts';

/**
 * How many calls and bytes a whole search takes, over the demo network: what an assistant's author pays for each way of
 * asking. `npm run bench:answers` prints the table of docs/for-assistants.md.
 */
export type SearchCost = {
  readonly way: string;
  readonly calls: number;
  readonly options: number;
  /** The JSON text, as a model reads it. */
  readonly textBytes: number;
  /** What goes over the wire when the caller accepts compression. */
  readonly wireBytes: number;
};

type Body = Record<string, unknown> & {
  readonly session: string;
  readonly url_template: string;
  readonly object?: string;
  readonly next_required?: string;
  readonly next_request: { readonly url: string };
  readonly available_requests: readonly { readonly value: string; readonly url: string }[];
  readonly comparison_set: { readonly options_count: number };
};

const STAY = { destination: 'lisbon-pt', check_in_day: '2027-05-08', check_out: '2027-05-15', guests: '2' };
const MONTH = '2027-05';
const NOW = Date.UTC(2027, 1, 15, 12);

export async function measureSearches(): Promise<readonly SearchCost[]> {
  const demo = await startDemo({ port: 0, now: () => NOW, steady: true, dataDirectory: null });
  const service = await startTestService({
    network: demo.networkFile(),
    settings: { publicUrl: 'http://127.0.0.1:8080' },
    now: NOW,
  });
  try {
    const origin = await service.listen();
    const ways: [string, (client: Client) => Promise<Body>][] = [
      ['POST, several fields at once, compact', (client) => atOnce(client, 'POST', 'compact')],
      ['GET only, named fields, compact', (client) => atOnce(client, 'GET', 'compact')],
      ['GET only, links one field at a time, compact', (client) => byLinks(client, 'compact')],
      ['POST, several fields at once, full', (client) => atOnce(client, 'POST', 'full')],
      ['GET only, links one field at a time, full', (client) => byLinks(client, 'full')],
    ];
    const costs: SearchCost[] = [];
    for (const [way, search] of ways) {
      const client = createClient(origin);
      const { comparison_set } = await search(client);
      costs.push({ way, options: comparison_set.options_count, ...client.cost() });
    }
    return costs;
  } finally {
    await service.close();
    await demo.close();
  }
}

async function atOnce(client: Client, method: 'GET' | 'POST', view: 'full' | 'compact'): Promise<Body> {
  const { session } = await client.call(method, '/ai/v1/auth');
  const query = new URLSearchParams({ session, ...(view === 'compact' ? { view } : {}) });
  if (method === 'POST') return client.call('POST', `/ai/v1/search?${query}`, STAY);
  return client.call('GET', `/ai/v1/search?${query}&${new URLSearchParams(STAY)}`);
}

async function byLinks(client: Client, view: 'full' | 'compact'): Promise<Body> {
  const opened = await client.call('GET', `/ai/v1/auth${view === 'compact' ? '?view=compact' : ''}`);
  let body = await client.call('GET', opened.next_request.url);
  const wanted: Record<string, string> = { ...STAY, check_in_month: MONTH };
  while (body.object !== 'search_result') {
    const value = wanted[body.next_required ?? ''];
    const link = body.available_requests.find((one) => one.value === value) ?? body.available_requests[0];
    if (!link) throw new Error(`no way on from ${body.next_required}`);
    body = await client.call('GET', link.url);
  }
  return body;
}

type Client = ReturnType<typeof createClient>;

/** Accepts compression, as HTTP clients do by default, and counts what arrives before and after. */
function createClient(origin: string) {
  let [calls, textBytes, wireBytes] = [0, 0, 0];
  return {
    cost: () => ({ calls, textBytes, wireBytes }),
    call: (method: string, url: string, body?: unknown): Promise<Body> =>
      new Promise((resolve, reject) => {
        const path = url.replace(/^https?:\/\/[^/]+/, '');
        const headers = {
          'accept-encoding': 'br, gzip',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        };
        request(new URL(path, origin), { method, headers }, async (response) => {
          const parts: Buffer[] = [];
          for await (const part of response) parts.push(part as Buffer);
          const sent = Buffer.concat(parts);
          const encoding = response.headers['content-encoding'];
          const text =
            encoding === 'br' ? brotliDecompressSync(sent) : encoding === 'gzip' ? gunzipSync(sent) : sent;
          calls += 1;
          wireBytes += sent.length;
          textBytes += text.length;
          resolve(JSON.parse(text.toString()));
        })
          .on('error', reject)
          .end(body === undefined ? undefined : JSON.stringify(body));
      }),
  };
}

export function costTable(costs: readonly SearchCost[]): string {
  return [
    '| a whole search | calls | options | bytes sent, compressed | bytes of text |',
    '|---|---:|---:|---:|---:|',
    ...costs.map(
      ({ way, calls, options, textBytes, wireBytes }) =>
        `| ${way} | ${calls} | ${options} | ${wireBytes.toLocaleString('en')} | ${textBytes.toLocaleString('en')} |`,
    ),
  ].join('\n');
}

if (import.meta.main) console.log(costTable(await measureSearches()));
