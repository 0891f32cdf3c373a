import type { OperationRequest } from '../contract/exchange.ts';
import { readKey } from '../sessions/idempotency.ts';

/** A request as the transport received it, with every idempotency key it carries: they must all be the same. */
export type ReceivedRequest = Omit<OperationRequest, 'key'> & { readonly keys: readonly string[] };

export function operationRequest(received: ReceivedRequest): OperationRequest {
  const { id, operation, caller, token, versions, method } = received;
  const key = readKey(received.keys);
  return {
    id,
    operation,
    caller,
    token,
    key: key.kind === 'valid' ? key.value : null,
    versions,
    values: key.kind === 'valid' ? received.values : key,
    method,
  };
}
