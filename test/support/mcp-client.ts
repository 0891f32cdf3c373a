import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type CallToolRequestOptions,
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TOOLS, type ToolName } from '../../src/contract/tools/tools.ts';
import { compileSchema, type Validator } from './json-schema.ts';
import { brandEntry, networkFile, property } from './network.ts';
import { type ScriptedOperator, startScriptedOperator } from './scripted-operator.ts';
import { startTestService, type TestService } from './test-service.ts';

/** Newest first. The first one has no handshake; the others begin with one. */
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type Revision = (typeof REVISIONS)[number];
export const TRANSPORTS = ['http', 'stdio'] as const;
export type ClientTransport = (typeof TRANSPORTS)[number];

const PROGRAM = fileURLToPath(new URL('../../bin/staywire.js', import.meta.url));

export type Stays = {
  readonly operator: ScriptedOperator;
  readonly service: TestService;
  readonly origin: string;
};

/** A service with four homes in Lisbon, of which fewer and fewer have a pool, a sauna and a garden. It listens on loopback. */
export async function startStays(
  t: Pick<TestContext, 'after'>,
  {
    bookingSystem = {},
    ...options
  }: Partial<Parameters<typeof startTestService>[0]> & { readonly bookingSystem?: object } = {},
): Promise<Stays> {
  const operator = await startScriptedOperator();
  const extras = { pool: 'Pool', sauna: 'Sauna', garden: 'Garden' };
  operator.properties = ['1', '2', '3', '4'].map((reference, position) =>
    property(reference, {
      amenities: { wifi: 'Wi-Fi', ...Object.fromEntries(Object.entries(extras).slice(0, position)) },
    }),
  );
  operator.quote = (reference, { currency }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total: `${reference}00.00`,
  });
  const booking_system = { kind: 'open' as const, url: operator.origin, ...bookingSystem };
  const service = await startTestService({
    network: networkFile([{ ...brandEntry('alba', operator.origin), booking_system }]),
    ...options,
  });
  t.after(async () => {
    const closed = service.close();
    // Clients keep connections for later, which a service whose time stands still would wait for.
    service.server.closeAllConnections();
    await closed;
    await operator.close();
  });
  return { operator, service, origin: await service.listen() };
}

/** The official client, speaking one revision. Closed after the test. */
export async function connectMcp(
  t: Pick<TestContext, 'after'>,
  {
    origin,
    revision = '2026-07-28',
    transport = 'http',
    capabilities = {},
    options = [],
    onErrorOutput,
    prepare,
  }: {
    readonly origin: string;
    readonly revision?: Revision;
    readonly transport?: ClientTransport;
    readonly capabilities?: ClientCapabilities;
    /** Of `staywire mcp`, besides the address. */
    readonly options?: readonly string[];
    /** Gets what `staywire mcp` writes beside the protocol. */
    readonly onErrorOutput?: (text: string) => void;
    /** Before it is connected, for handlers of requests. */
    readonly prepare?: (client: Client) => void;
  },
): Promise<Client> {
  const isModern = revision === '2026-07-28';
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities,
      ...(isModern
        ? { versionNegotiation: { mode: { pin: revision } } }
        : { supportedProtocolVersions: [revision] }),
    },
  );
  prepare?.(client);
  if (transport === 'http') {
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)));
  } else {
    const program = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--url', origin, ...options],
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
      stderr: 'pipe',
    });
    program.stderr?.on('data', (chunk) => onErrorOutput?.(String(chunk)));
    await client.connect(program);
  }
  t.after(() => client.close());
  return client;
}

export type ToolAnswer = {
  readonly text: string;
  readonly isError: boolean;
  // Checked against the schema of its tool.
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly answer: any;
  readonly meta: Readonly<Record<string, unknown>>;
};

/** Compiled once for all tests of a process. */
const validators = new Map<string, Validator>();

function faultsOf(name: string, answer: unknown): readonly string[] {
  const validate =
    validators.get(name) ?? compileSchema(JSON.parse(JSON.stringify(TOOLS[name as ToolName].output)));
  validators.set(name, validate);
  return validate(answer);
}

/** Fails when the structured content does not fit the schema of the tool, which servers do not publish. */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: CallToolRequestOptions & { readonly meta?: Readonly<Record<string, unknown>> } = {},
): Promise<ToolAnswer> {
  const { meta, ...requestOptions } = options;
  const result = await client.callTool(
    { name, arguments: { ...args }, ...(meta ? { _meta: { ...meta } } : {}) },
    requestOptions,
  );
  const [first] = result.content;
  assert.deepEqual(faultsOf(name, result.structuredContent), []);
  return {
    text: first?.type === 'text' ? first.text : '',
    isError: result.isError === true,
    answer: result.structuredContent,
    meta: result._meta ?? {},
  };
}
