import { type Caller, textOf } from '../../src/contract/exchange.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import { valid } from '../../src/parsing/reading.ts';
import {
  type OperationAnswer,
  operationRequest,
  type ServeOperation,
} from '../../src/requests/serve-operation.ts';

/** What a call through this transport says back: the parsed body and what HTTP would have put into headers. */
export type TransportAnswer = Omit<OperationAnswer, 'body'> & {
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
};

/** A transport for callers in the same process: function calls instead of a transport. */
export type InProcessTransport = {
  call(operation: OperationName, values?: object, options?: CallOptions): Promise<TransportAnswer>;
};

export type CallOptions = {
  readonly token?: string;
  readonly key?: string;
  readonly version?: string;
  readonly view?: string;
};

export function createInProcessTransport({
  serveOperation,
  caller,
}: {
  readonly serveOperation: ServeOperation;
  readonly caller: Caller;
}): InProcessTransport {
  let calls = 0;
  return {
    async call(operation, values = {}, { token, key, version, view } = {}) {
      calls += 1;
      const answer = await serveOperation(
        operationRequest({
          id: `call_${calls}`,
          operation,
          caller,
          token,
          keys: key === undefined ? [] : [key],
          versions: version === undefined ? [] : [version],
          values: valid(new Map(Object.entries(values))),
          method: 'CALL',
          view,
        }),
      );
      return { ...answer, body: JSON.parse(Buffer.from(textOf(answer)).toString()) };
    },
  };
}
