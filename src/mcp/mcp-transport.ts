import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { bodyOf, type Caller, type View } from '../contract/exchange.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import type { OperationName } from '../contract/operations.ts';
import type { Problem } from '../contract/problem-body.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SessionBody } from '../contract/session-body.ts';
import { TOOLS } from '../contract/tools/tools.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import { valid } from '../parsing/reading.ts';
import type { MountedTransport, ReceivedMessage, TransportResponse } from '../requests/mounted-transport.ts';
import { type OperationAnswer, operationRequest, type ServeOperation } from '../requests/serve-operation.ts';
import type { RecentOpenings } from '../sessions/recent-openings.ts';
import type { PlaceName } from './card/comparison-card.ts';
import type {
  ConnectCalls,
  InterfaceCalls,
  NetworkFacts,
  OpeningBody,
  SearchReply,
} from './interface-calls.ts';
import { createMcpServer } from './mcp-server.ts';
import { errorOfAnswer, type SentMessage } from './tool-errors.ts';

type McpTransport = MountedTransport & { close(): Promise<void> };

/** Streamable HTTP without protocol sessions: every exchange is self-contained, in each revision of the protocol. */
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
  readonly openings: RecentOpenings<OpeningBody>;
  readonly fault: (fault: unknown, requestId: string) => void;
}): McpTransport {
  const handler = createMcpHandler(({ authInfo }) => {
    const exchange = exchangeOf(authInfo);
    return createMcpServer({
      connect: callsInProcess(exchange, { serveOperation, network }),
      name: network.name,
      pictureHosts: network.pictureHosts,
      publicUrl,
      version,
      now: clock.now,
      elapsed: clock.elapsed,
      key: exchange.key,
      placeName,
      openings,
      caller: JSON.stringify(exchange.caller),
      fault: (error) => fault(error, exchange.id),
      answered: exchange.answered,
    });
  });
  return {
    path: MCP_SERVER.path,
    name: 'mcp',
    async handle({ request, message, ...calling }) {
      let last: OperationAnswer | null = null;
      let refused: ErrorCode | null = null;
      const isToolUnknown = toolsIn(message).includes(UNKNOWN_TOOL);
      const exchange: Exchange = {
        ...calling,
        served(answer) {
          last = answer;
        },
        answered(sent) {
          refused ??= errorOfAnswer(sent, isToolUnknown);
        },
      };
      if (Array.isArray(message) && message.length > MAX_BATCH_MESSAGES) return batchTooLarge();
      if (acceptsAnything(request)) request.headers.set('accept', BOTH_FORMS);
      const response = await handler.fetch(request, {
        authInfo: { token: '', clientId: calling.caller.assistant, scopes: [], extra: { exchange } },
        ...(message === undefined ? {} : { parsedBody: message }),
      });
      // A message that reaches no server is refused by its status.
      if (!response.ok) refused ??= response.status < 500 ? 'invalid_request' : 'internal_error';
      return { response, lastServed: () => last, error: () => last?.error ?? refused };
    },
    countOf,
    toolsIn,
    isListening: wantsProgress,
    close: () => handler.close(),
  };
}

/** A client of the 2025 revisions has to name both types. One that accepts anything, as `curl` does, accepts both too. */
const BOTH_FORMS = 'application/json, text/event-stream';

function acceptsAnything({ headers }: Request): boolean {
  return (headers.get('accept') ?? '*/*').includes('*/*');
}

/** A batch is answered in one turn of the event loop, with up to 34 KB for each message. */
const MAX_BATCH_MESSAGES = 20;

function batchTooLarge(): TransportResponse {
  const message = `Invalid Request: Batch must not exceed ${MAX_BATCH_MESSAGES} messages`;
  const body = { jsonrpc: '2.0', error: { code: ProtocolErrorCode.InvalidRequest, message }, id: null };
  const response = Response.json(body, { status: 400 });
  return { response, lastServed: () => null, error: () => 'invalid_request' };
}

/**
 * Old revisions allow several messages in one body. Each of them counts, also calls that lead to no operation. A batch that is refused
 * as a whole counts as one message, because nothing in it is carried out.
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

/** Replaces an unknown name, because the caller chose its text. */
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

/** The library passes `authInfo` through without reading it. */
function exchangeOf(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.exchange;
  if (exchange === undefined) throw new Error('an exchange needs an approved caller');
  return exchange as Exchange;
}

/** The request on whose behalf operations are called. */
type CallingRequest = {
  readonly id: string;
  readonly caller: Caller;
  readonly client: WaitingClient;
  /** Called after each operation, for the headers of the answer. */
  readonly served: (answer: OperationAnswer) => void;
  /** Called with each answer to the client, for the log and the metrics. */
  readonly answered: (message: SentMessage) => void;
};

/** Echoed in answers where HTTP has its method. */
const METHOD = 'CALL';

/** Calls the operations that HTTP serves as functions, with the same limits. */
function callsInProcess(
  request: CallingRequest,
  { serveOperation, network }: { readonly serveOperation: ServeOperation; readonly network: NetworkFacts },
): ConnectCalls {
  return ({ onProgress }) => {
    const client: WaitingClient = {
      hasGone: () => request.client.hasGone(),
      departure: () => request.client.departure(),
      ...(onProgress ? { hear: onProgress } : {}),
    };

    async function call(
      operation: OperationName,
      token: string | undefined,
      values: Readonly<Record<string, unknown>>,
      key: string | null,
      view: View = 'full',
    ) {
      const answer = await serveOperation(
        operationRequest({
          id: request.id,
          operation,
          caller: request.caller,
          client,
          token,
          keys: key === null ? [] : [key],
          versions: [],
          values: valid(new Map(Object.entries(values))),
          method: METHOD,
          view,
          amenitiesAtOnce: true,
        }),
      );
      request.served(answer);
      return bodyOf(answer);
    }

    return {
      open: async (source, key) =>
        (await call('openSession', undefined, source === null ? {} : { source }, key)) as
          | SessionBody
          | Problem,
      search: async (token, values, key) => (await call('search', token, values, key)) as SearchReply,
      result: async (token, view) =>
        (await call('readResult', token, {}, null, view)) as ResultBody | Problem,
      network: async () => network,
    } satisfies InterfaceCalls;
  };
}
