import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { mcpMessage, toolMessage } from './mcp-message.ts';
import { sampleIdentity } from './sample-identity.ts';
import { type Scene, setScene } from './scene.ts';

/** Who calls, told apart by the address that they call from: two approved assistants, a suspended one and somebody else. */
const CALLERS = {
  alpha: '127.0.0.2',
  beta: '127.0.0.3',
  suspended: '127.0.0.4',
  stranger: '127.0.0.9',
} as const;
const MAX_WAIT_MS = 20_000;

export type AttackAnswer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
};

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, the rest as it is. */
  readonly body?: object | string | Uint8Array | undefined;
};

export type Caller = {
  call(path: string, sent?: Sent): Promise<AttackAnswer>;
  /** The token of a new session. */
  open(): Promise<string>;
  /** A tool of the MCP server. */
  tool(name: string, args: object): Promise<AttackAnswer>;
  message(method: string, params?: Readonly<Record<string, unknown>>): Promise<AttackAnswer>;
};

export type AttackStage = Scene & { readonly origin: string } & Readonly<
    Record<keyof typeof CALLERS, Caller>
  >;

/** A service that listens on loopback, and callers that reach it over connections of their own. */
export async function setAttackStage(
  t: TestContext,
  options: Omit<NonNullable<Parameters<typeof setScene>[1]>, 'registry'> = {},
): Promise<AttackStage> {
  const entry = (id: keyof typeof CALLERS, status: string) => ({
    id,
    name: `The assistant ${id}`,
    status,
    recognised_by: [{ network: [CALLERS[id]] }],
  });
  const registry = describeAssistantRegistry(
    { assistants: [entry('alpha', 'approved'), entry('beta', 'approved'), entry('suspended', 'suspended')] },
    () => {
      throw new Error('no file is named');
    },
  );
  if (registry.kind === 'invalid') throw new Error(registry.faults.join());
  // Also what only a network that signs its own requests has.
  const scene = await setScene(t, { identity: sampleIdentity(), ...options, registry: registry.value });
  const origin = await scene.service.listen();
  const callers = Object.entries(CALLERS).map(([name, address]) => [name, callerAt(origin, address)]);
  return { ...scene, origin, ...(Object.fromEntries(callers) as Record<keyof typeof CALLERS, Caller>) };
}

/** Somebody's server on this machine, who counts who comes. */
export async function startCanary(t: TestContext): Promise<{ origin: string; visits(): number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits: () => visits };
}

export function callerAt(origin: string, address: string): Caller {
  const { hostname: host, port } = new URL(origin);

  async function call(path: string, { method, headers = {}, body }: Sent = {}): Promise<AttackAnswer> {
    const isObject = typeof body === 'object' && !(body instanceof Uint8Array);
    const sent = request({
      host,
      port,
      path,
      localAddress: address,
      agent: false,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(isObject ? { 'content-type': 'application/json' } : {}), ...headers },
      timeout: MAX_WAIT_MS,
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(isObject ? JSON.stringify(body) : body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const isJson = text !== '' && response.headers['content-type']?.startsWith('application/json');
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  return {
    call,
    async open() {
      const { body, text } = await call('/ai/v1/auth', { body: {} });
      if (typeof body?.session !== 'string') throw new Error(text);
      return body.session;
    },
    tool: (name, args) => call('/mcp', toolMessage(name, args)),
    message: (method, params) => call('/mcp', mcpMessage(method, params)),
  };
}
