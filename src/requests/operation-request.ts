import type { OperationRequest, View } from '../contract/exchange.ts';
import { CLIENT_STAYS, type WaitingClient } from '../limits/deadline.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { readKey } from '../sessions/idempotency.ts';

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
  const { id, operation, caller, token, versions, method } = received;
  const { client = CLIENT_STAYS, amenitiesAtOnce = false, unknownParameter = null } = received;
  const key = readKey(received.keys);
  const view = readView(received.view);
  return {
    id,
    operation,
    caller,
    client,
    token,
    key: key.kind === 'valid' ? key.value : null,
    versions,
    method,
    view: view.kind === 'valid' ? view.value : 'full',
    unknownParameter,
    amenitiesAtOnce,
    ...readableValues(received, key, view),
  };
}

/** Reports one fault, so that the named parameter is the one that the code refers to. */
function readableValues(
  { values, faultyParameter = null }: ReceivedRequest,
  key: ReturnType<typeof readKey>,
  view: ReturnType<typeof readView>,
): Pick<OperationRequest, 'values' | 'faultyParameter'> {
  if (faultyParameter !== null) return { values, faultyParameter };
  if (key.kind === 'invalid') return { values: key, faultyParameter: null };
  return view.kind === 'invalid'
    ? { values: view, faultyParameter: 'view' }
    : { values, faultyParameter: null };
}

function readView(text: string | undefined): Reading<View, 'unknown_view'> {
  if (text === undefined) return valid('full');
  return text === 'full' || text === 'compact' ? valid(text) : invalid('unknown_view');
}
