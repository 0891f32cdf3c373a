import type { OperationRequest } from '../contract/exchange.ts';
import { CLIENT_STAYS, type WaitingClient } from '../limits/deadline.ts';
import { invalid } from '../parsing/reading.ts';
import { NO_KEY, readKey } from '../sessions/idempotency.ts';

/** A request as the transport received it, with every idempotency key it carries. */
export type ReceivedRequest = Omit<
  OperationRequest,
  'client' | 'key' | 'view' | 'amenitiesAtOnce' | 'unknownParameter' | 'faultyParameter'
> & {
  /** In increasing order of precedence. */
  readonly keys: readonly string[];
  /** Left out by transports that cannot lose their client. */
  readonly client?: WaitingClient;
  readonly view?: string | undefined;
  readonly amenitiesAtOnce?: boolean;
  readonly unknownParameter?: string | null;
  readonly faultyParameter?: string | null;
};

export function operationRequest(received: ReceivedRequest): OperationRequest {
  const { id, operation, caller, token, versions, method, keys, view = 'full' } = received;
  const { client = CLIENT_STAYS, amenitiesAtOnce = false, unknownParameter = null } = received;
  const key = keys.length === 0 ? NO_KEY : readKey(keys);
  const isView = view === 'full' || view === 'compact';
  let { values, faultyParameter = null } = received;
  // Reports one fault, so that the named parameter is the one that the code refers to.
  if (faultyParameter === null && key.kind === 'invalid') values = key;
  else if (faultyParameter === null && !isView) {
    values = invalid('unknown_view');
    faultyParameter = 'view';
  }
  return {
    id,
    operation,
    caller,
    client,
    token,
    key: key.kind === 'valid' ? key.value : null,
    versions,
    method,
    view: isView ? view : 'full',
    unknownParameter,
    amenitiesAtOnce,
    values,
    faultyParameter,
  };
}
