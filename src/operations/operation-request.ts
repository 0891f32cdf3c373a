import type { OperationRequest } from '../contract/exchange.ts';
import { readKey } from '../sessions/idempotency.ts';

/** A request as a door hands it in, with every idempotency key that it carries. */
export function operationRequest({
  keys,
  ...request
}: Omit<OperationRequest, 'key'> & { readonly keys: readonly string[] }): OperationRequest {
  const key = readKey(keys);
  return key.kind === 'valid' ? { ...request, key: key.value } : { ...request, key: null, values: key };
}
