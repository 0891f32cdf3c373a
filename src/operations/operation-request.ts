import type { OperationRequest } from '../contract/exchange.ts';
import { readKey } from '../sessions/idempotency.ts';

/** A request as a door hands it in: with every idempotency key that it carries, of which one at most may count. */
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
