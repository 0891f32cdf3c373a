import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import type { Caller } from '../contract/exchange.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import type { WaitingClient } from '../contract/waiting-client.ts';
import type { OperationAnswer, ServeOperation } from '../operations/serve-operation.ts';
import { type CallingRequest, callsInProcess } from './calls-in-process.ts';
import type { PlaceName } from './card-data.ts';
import type { NetworkFacts } from './interface-calls.ts';
import { createKeyedOpenings } from './keyed-openings.ts';
import { createMcpServer } from './mcp-server.ts';

/** One request of an approved caller to the endpoint, as its transport received it. */
export type McpRequest = {
  readonly id: string;
  readonly caller: Caller;
  readonly client: WaitingClient;
  readonly key: string | null;
  readonly request: Request;
  /** The message, or the messages, of the body; undefined for a body that is no JSON. */
  readonly message: unknown;
};

export type McpAnswer = {
  readonly response: Response;
  /** What the last operation of the exchange said about limits; null when it needed none. */
  readonly lastServed: () => OperationAnswer | null;
};

export type McpDoor = {
  readonly path: string;
  handle(request: McpRequest): Promise<McpAnswer>;
  countOf(message: unknown): number;
  isListening(message: unknown): boolean;
  close(): Promise<void>;
};

/** Streamable HTTP without sessions of its own: every exchange is complete in itself, in each revision of the protocol. */
export function createMcpDoor({
  serveOperation,
  network,
  placeName,
  version,
  clock,
  fault,
}: {
  readonly serveOperation: ServeOperation;
  readonly network: NetworkFacts;
  readonly placeName: PlaceName;
  readonly version: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly fault: (fault: unknown, requestId: string) => void;
}): McpDoor {
  const openings = createKeyedOpenings(clock.elapsed);
  const handler = createMcpHandler(({ authInfo }) => {
    const exchange = exchangeOf(authInfo);
    return createMcpServer({
      connect: callsInProcess(exchange, { serveOperation, network }),
      network: async () => network,
      name: network.name,
      version,
      now: clock.now,
      elapsed: clock.elapsed,
      key: exchange.key,
      placeName,
      openings,
      caller: JSON.stringify(exchange.caller),
      fault: (error) => fault(error, exchange.id),
    });
  });
  return {
    path: MCP_SERVER.path,
    async handle({ request, message, ...calling }) {
      let last: OperationAnswer | null = null;
      const exchange: Exchange = {
        ...calling,
        served(answer) {
          last = answer;
        },
      };
      const response = await handler.fetch(request, {
        authInfo: { token: '', clientId: calling.caller.assistant, scopes: [], extra: { exchange } },
        ...(message === undefined ? {} : { parsedBody: message }),
      });
      return { response, lastServed: () => last };
    },
    countOf,
    isListening: wantsProgress,
    close: () => handler.close(),
  };
}

/** An old revision has several messages in one body. Each of them counts, also calls, of which not every one leads to an operation. */
function countOf(message: unknown): number {
  if (Array.isArray(message)) return Math.max(1, message.length);
  return (message as { readonly method?: unknown } | null | undefined)?.method === 'tools/call' ? 0 : 1;
}

function wantsProgress(message: unknown): boolean {
  const messages = Array.isArray(message) ? message : [message];
  return messages.some((one) => one?.params?._meta?.progressToken !== undefined);
}

type Exchange = CallingRequest & Pick<McpRequest, 'key'>;

/** The handler hands on what it is given of the caller, and reads nothing of it itself. */
function exchangeOf(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.exchange;
  if (exchange === undefined) throw new Error('an exchange needs an approved caller');
  return exchange as Exchange;
}
