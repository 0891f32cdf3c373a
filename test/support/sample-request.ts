import type { OperationRequest } from '../../src/contract/exchange.ts';
import { CLIENT_STAYS } from '../../src/limits/deadline.ts';
import { valid } from '../../src/parsing/reading.ts';

/** A search request without values; a test overrides what matters to it. */
export function sampleRequest(facts: Partial<OperationRequest> = {}): OperationRequest {
  return {
    id: 'req_1',
    operation: 'search',
    caller: { assistant: 'assistant', address: '192.0.2.7' },
    client: CLIENT_STAYS,
    token: undefined,
    key: null,
    versions: [],
    values: valid(new Map()),
    method: 'POST',
    view: 'full',
    unknownParameter: null,
    amenitiesAtOnce: false,
    faultyParameter: null,
    ...facts,
  };
}
