import type { Caller, OperationRequest, View } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import { valid } from '../parsing/reading.ts';
import { operationRequest } from '../requests/operation-request.ts';
import type { OperationAnswer, ServeOperation } from '../requests/serve-operation.ts';
import type { ConnectCalls, InterfaceCalls, NetworkFacts } from './interface-calls.ts';

/** On whose behalf operations are served. */
export type CallingRequest = {
  readonly id: string;
  readonly caller: Caller;
  readonly client: WaitingClient;
  /** Told of each operation, for the headers of the answer. */
  readonly served: (answer: OperationAnswer) => void;
};

/** How the answers echo this door where HTTP has its method. */
const METHOD = 'CALL';

/** The same operations that HTTP serves, with the same limits, called as functions. */
export function callsInProcess(
  request: CallingRequest,
  { serveOperation, network }: { readonly serveOperation: ServeOperation; readonly network: NetworkFacts },
): ConnectCalls {
  return ({ hear }) => {
    const client: WaitingClient = {
      hasGone: () => request.client.hasGone(),
      departure: () => request.client.departure(),
      ...(hear ? { hear } : {}),
    };

    async function call(
      operation: OperationName,
      {
        token,
        values = {},
        key = null,
        view = 'full',
      }: {
        readonly token?: string;
        readonly values?: Readonly<Record<string, unknown>>;
        readonly key?: string | null;
        readonly view?: View;
      },
    ) {
      const received: OperationRequest = operationRequest({
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
      });
      const answer = await serveOperation(received);
      request.served(answer);
      return JSON.parse(Buffer.from(answer.body).toString());
    }

    return {
      open: (source, key) => call('openSession', { values: source === null ? {} : { source }, key }),
      search: (token, values, key) => call('search', { token, values, key }),
      result: (token, view) => call('readResult', { token, view }),
      network: async () => network,
    } satisfies InterfaceCalls;
  };
}
