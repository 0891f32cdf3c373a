import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startDemo } from '../demo/start-demo.ts';
import type { NetworkFile } from '../src/network/network-file.ts';
import { toolMessage } from '../test/support/mcp-message.ts';
import { startTestService } from '../test/support/test-service.ts';

/**
 * How many calls and bytes a whole search takes, over the demo network: what an assistant's author pays for each way of
 * asking. `npm run bench:answers` prints the table of docs/for-assistants.md.
 */
export type SearchCost = {
  readonly way: string;
  readonly calls: number;
  readonly options: number;
  /** What a model reads: the JSON of an answer of REST, the text of an answer of a tool. */
  readonly textBytes: number;
  readonly textTokens: number;
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

/** What is read of the answer of a tool. */
type ToolReply = {
  readonly content: readonly [{ readonly text: string }];
  readonly structuredContent: {
    readonly session: string;
    readonly comparison?: { readonly options: readonly { readonly rank: number }[] };
  };
};

const STAY = { destination: 'lisbon-pt', check_in_day: '2027-05-08', check_out: '2027-05-15', guests: '2' };
const MONTH = '2027-05';
const TWO_AMENITIES = ['balcony', 'dishwasher'];
const NOW = Date.UTC(2027, 1, 15, 12);

/** Without the identifier of the quote in links: the demo's brands ask for it, most do not. */
function asMostNetworks(network: NetworkFile): NetworkFile {
  const brands = network.brands.map((brand) => {
    const { stay_parameters: _, ...website } = brand.website;
    return { ...brand, website };
  });
  return { ...network, brands };
}

export async function measureSearches(): Promise<readonly SearchCost[]> {
  const demo = await startDemo({ port: 0, now: () => NOW, steady: true, dataDirectory: null });
  const service = await startTestService({
    network: asMostNetworks(demo.networkFile()),
    settings: { publicUrl: 'http://127.0.0.1:8080' },
    now: NOW,
  });
  try {
    const origin = await service.listen();
    const ways: [string, (client: Client) => Promise<number>][] = [
      ['MCP, search_stays', searchByTool],
      ['MCP, search_stays with max_options 20', (client) => searchByTool(client, { max_options: 20 })],
      [
        'MCP, search_stays with two amenities',
        (client) => searchByTool(client, { amenities: TWO_AMENITIES }),
      ],
      ['MCP, asked for the rest, two amenities, one home', journeyByTools],
      ['POST, several fields at once, compact', (client) => atOnce(client, 'POST', 'compact')],
      ['GET only, named fields, compact', (client) => atOnce(client, 'GET', 'compact')],
      ['GET only, links one field at a time, compact', (client) => byLinks(client, 'compact')],
      ['POST, several fields at once, full', (client) => atOnce(client, 'POST', 'full')],
      ['GET only, links one field at a time, full', (client) => byLinks(client, 'full')],
    ];
    const costs: SearchCost[] = [];
    for (const [way, search] of ways) {
      const client = createClient(origin);
      costs.push({ way, options: await search(client), ...client.cost() });
    }
    return costs;
  } finally {
    await service.close();
    await demo.close();
  }
}

async function searchByTool(client: Client, more: object = {}): Promise<number> {
  const { comparison } = await client.callTool('search_stays', { ...STAY, ...more });
  return comparison?.options.length ?? 0;
}

/** As a conversation goes: a place, then the rest, then what the traveller wishes for, then the home that was liked. */
async function journeyByTools(client: Client): Promise<number> {
  const { destination, ...rest } = STAY;
  const { session } = await client.callTool('search_stays', { destination });
  await client.callTool('search_stays', { session, ...rest });
  const { comparison } = await client.callTool('refine_stays', { session, amenities: TWO_AMENITIES });
  await client.callTool('show_stay', { session, rank: 1 });
  return comparison?.options.length ?? 0;
}

async function atOnce(client: Client, method: 'GET' | 'POST', view: 'full' | 'compact'): Promise<number> {
  const { session } = await client.call(method, '/ai/v1/auth');
  const query = new URLSearchParams({ session, ...(view === 'compact' ? { view } : {}) });
  const { comparison_set } =
    method === 'POST'
      ? await client.call('POST', `/ai/v1/search?${query}`, STAY)
      : await client.call('GET', `/ai/v1/search?${query}&${new URLSearchParams(STAY)}`);
  return comparison_set.options_count;
}

async function byLinks(client: Client, view: 'full' | 'compact'): Promise<number> {
  const opened = await client.call('GET', `/ai/v1/auth${view === 'compact' ? '?view=compact' : ''}`);
  let body = await client.call('GET', opened.next_request.url);
  const wanted: Record<string, string> = { ...STAY, check_in_month: MONTH };
  while (body.object !== 'search_result') {
    const value = wanted[body.next_required ?? ''];
    const link = body.available_requests.find((one) => one.value === value) ?? body.available_requests[0];
    if (!link) throw new Error(`no way on from ${body.next_required}`);
    body = await client.call('GET', link.url);
  }
  return body.comparison_set.options_count;
}

type Client = ReturnType<typeof createClient>;

/** Accepts compression, as HTTP clients do by default, and counts what arrives before and after. */
function createClient(origin: string) {
  let [calls, textBytes, textTokens, wireBytes] = [0, 0, 0, 0];

  function read(text: string): void {
    textBytes += Buffer.byteLength(text);
    textTokens += countTokens(text);
  }

  function send(
    method: string,
    url: string,
    { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: unknown },
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const path = url.replace(/^https?:\/\/[^/]+/, '');
      const all = { 'accept-encoding': 'br, gzip', ...headers };
      request(new URL(path, origin), { method, headers: all }, async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        const sent = Buffer.concat(parts);
        calls += 1;
        wireBytes += sent.length;
        resolve(decoded(sent, response.headers['content-encoding']).toString());
      })
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  return {
    cost: () => ({ calls, textBytes, textTokens, wireBytes }),
    async call(method: string, url: string, body?: unknown): Promise<Body> {
      const headers = { 'content-type': 'application/json' };
      const text = await send(method, url, body === undefined ? {} : { headers, body });
      read(text);
      return JSON.parse(text);
    },
    async callTool(name: string, args: object): Promise<ToolReply['structuredContent']> {
      const text = await send('POST', '/mcp', toolMessage(name, args));
      const { content, structuredContent } = JSON.parse(text).result as ToolReply;
      read(content[0].text);
      return structuredContent;
    },
  };
}

function decoded(sent: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(sent);
  return encoding === 'gzip' ? gunzipSync(sent) : sent;
}

export function costTable(costs: readonly SearchCost[]): string {
  return [
    '| a whole search | calls | options | bytes sent, compressed | bytes of text | tokens of text |',
    '|---|---:|---:|---:|---:|---:|',
    ...costs.map(({ way, calls, options, textBytes, textTokens, wireBytes }) => {
      const figures = [wireBytes, textBytes, textTokens].map((figure) => figure.toLocaleString('en'));
      return `| ${[way, calls, options, ...figures].join(' | ')} |`;
    }),
  ].join('\n');
}

if (import.meta.main) console.log(costTable(await measureSearches()));
