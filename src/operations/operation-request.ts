import type { OperationRequest } from '../contract/exchange.ts';
import { readKey } from '../sessions/idempotency.ts';

/** A request as a door hands it in: with every idempotency key that it carries, of which one at most may count. */
export type HandedIn = Omit<OperationRequest, 'key'> & { readonly keys: readonly string[] };

export function operationRequest(handedIn: HandedIn): OperationRequest {
  const { id, operation, caller, token, versions, method } = handedIn;
  const key = readKey(handedIn.keys);
  return {
    id,
    operation,
    caller,
    token,
    key: key.kind === 'valid' ? key.value : null,
    versions,
    values: key.kind === 'valid' ? handedIn.values : key,
    method,
  };
}
