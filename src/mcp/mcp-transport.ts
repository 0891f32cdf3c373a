import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import { TOOLS } from '../contract/tools/tools.ts';
import type { MountedTransport, ReceivedMessage } from '../requests/mounted-transport.ts';
import type { OperationAnswer, ServeOperation } from '../requests/serve-operation.ts';
import { type CallingRequest, callsInProcess } from './calls-in-process.ts';
import type { PlaceName } from './card-data.ts';
import { errorInAnswer } from './error-in-answer.ts';
import type { NetworkFacts } from './interface-calls.ts';
import type { KeyedOpenings } from './keyed-openings.ts';
import { createMcpServer } from './mcp-server.ts';
import { createSpareSessions } from './spare-sessions.ts';

export type McpTransport = MountedTransport & { close(): Promise<void> };

/** Streamable HTTP without sessions of its own: every exchange is complete in itself, in each revision of the protocol. */
export function createMcpTransport({
  serveOperation,
  network,
  placeName,
  publicUrl,
  version,
  clock,
  openings,
  fault,
}: {
  readonly serveOperation: ServeOperation;
  readonly network: NetworkFacts;
  readonly placeName: PlaceName;
  readonly publicUrl: string | null;
  readonly version: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly openings: KeyedOpenings;
  readonly fault: (fault: unknown, requestId: string) => void;
}): McpTransport {
  const spares = createSpareSessions(clock);
  const handler = createMcpHandler(({ authInfo }) => {
    const exchange = exchangeOf(authInfo);
    return createMcpServer({
      connect: callsInProcess(exchange, { serveOperation, network }),
      name: network.name,
      pictureHosts: network.pictureHosts,
      publicUrl,
      version,
      forms: null,
      now: clock.now,
      elapsed: clock.elapsed,
      key: exchange.key,
      placeName,
      openings,
      spares,
      caller: JSON.stringify(exchange.caller),
      fault: (error) => fault(error, exchange.id),
    });
  });
  return {
    path: MCP_SERVER.path,
    name: 'mcp',
    async handle({ request, message, ...calling }) {
      let last: OperationAnswer | null = null;
      const exchange: Exchange = {
        ...calling,
        served(answer) {
          last = answer;
        },
      };
      if (Array.isArray(message) && message.length > MAX_BATCH_MESSAGES) return batchTooLarge();
      if (acceptsAnything(request)) request.headers.set('accept', BOTH_FORMS);
      const response = await handler.fetch(request, {
        authInfo: { token: '', clientId: calling.caller.assistant, scopes: [], extra: { exchange } },
        ...(message === undefined ? {} : { parsedBody: message }),
      });
      return { response, lastServed: () => last };
    },
    countOf,
    toolsIn,
    errorIn: (answer, message) => errorInAnswer(answer, toolsIn(message).includes(UNKNOWN_TOOL)),
    isListening: wantsProgress,
    close: () => handler.close(),
  };
}

/** What a client of 2025 has to accept by name. One that takes anything takes both, and `curl` says no more. */
const BOTH_FORMS = 'application/json, text/event-stream';

function acceptsAnything({ headers }: Request): boolean {
  return (headers.get('accept') ?? '*/*').includes('*/*');
}

/** All messages of a batch are answered in one turn of the event loop, each with up to 34 KB. */
const MAX_BATCH_MESSAGES = 20;

function batchTooLarge() {
  const message = `Invalid Request: Batch must not exceed ${MAX_BATCH_MESSAGES} messages`;
  const body = { jsonrpc: '2.0', error: { code: ProtocolErrorCode.InvalidRequest, message }, id: null };
  return { response: Response.json(body, { status: 400 }), lastServed: () => null };
}

/**
 * An old revision has several messages in one body. Each of them counts, also calls, of which not every one leads to an operation. A
 * batch that is refused as a whole is one message: nothing in it is carried out.
 */
function countOf(message: unknown): number {
  if (Array.isArray(message)) return isServedBatch(message) ? message.length : 1;
  return (message as { readonly method?: unknown } | null | undefined)?.method === 'tools/call' ? 0 : 1;
}

function isServedBatch(messages: readonly unknown[]): boolean {
  return (
    messages.length <= MAX_BATCH_MESSAGES &&
    classifyInboundRequest({ httpMethod: 'POST', body: messages }).kind === 'legacy' &&
    !messages.some(isInitializeRequest)
  );
}

const UNKNOWN_TOOL = 'unknown';

/** Of a name that is none of ours nothing is told: its caller chose the text. */
function toolsIn(message: unknown): readonly string[] {
  const messages = Array.isArray(message) ? message : [message];
  const calls = messages.filter((one) => one?.method === 'tools/call');
  const names = calls.map(({ params }) => {
    const name: unknown = params?.name;
    return typeof name === 'string' && Object.hasOwn(TOOLS, name) ? name : UNKNOWN_TOOL;
  });
  return [...new Set(names)];
}

function wantsProgress(message: unknown): boolean {
  const messages = Array.isArray(message) ? message : [message];
  return messages.some((one) => one?.params?._meta?.progressToken !== undefined);
}

type Exchange = CallingRequest & Pick<ReceivedMessage, 'key'>;

/** The handler hands on what it is given of the caller, and reads nothing of it itself. */
function exchangeOf(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.exchange;
  if (exchange === undefined) throw new Error('an exchange needs an approved caller');
  return exchange as Exchange;
}
