import type { RequestFault } from '../contract/errors.ts';
import type { RequestValues } from '../contract/exchange.ts';
import { COMMON_PARAMETERS, type OperationName } from '../contract/operations.ts';
import { type Reading, valid } from '../parsing/reading.ts';
import type { Query } from './query.ts';

export type RequestBody = Reading<RequestValues, RequestFault>;

export const OFFERED_PAIR: readonly string[] = ['field', 'value'];

/** The values of a request from its body and its query. Where both name the same one, the body wins. */
export function requestValues(operation: OperationName, body: RequestBody, query: Query): RequestBody {
  if (body.kind === 'invalid') return body;
  switch (operation) {
    case 'openSession':
      return valid(withSource(body.value, query));
    case 'search':
      return valid(withFields(body.value, query));
    default:
      return body;
  }
}

function withSource(body: RequestValues, query: Query): RequestValues {
  const source = query.once.get('source');
  return source === undefined || body.has('source') ? body : new Map([...body, ['source', source]]);
}

/** Parameters that are no field of the search are among them: the search refuses them by name. */
function withFields(body: RequestValues, query: Query): RequestValues {
  if (!body.has('session') && hasOnlyCommonParameters(query)) return body;
  const values = new Map(body);
  values.delete('session');
  // An offered address may be followed with another value in the body, so its pair is dropped for any value there.
  if (values.size === 0) for (const name of OFFERED_PAIR) copy(name, query, values);
  const inBody = body.get('field');
  for (const names of [query.once, query.repeated]) {
    for (const name of names.keys()) {
      const isField = !OFFERED_PAIR.includes(name) && !COMMON_PARAMETERS.includes(name);
      if (isField && !body.has(name) && name !== inBody) copy(name, query, values);
    }
  }
  return values;
}

function hasOnlyCommonParameters({ once, repeated }: Query): boolean {
  for (const name of once.keys()) if (!COMMON_PARAMETERS.includes(name)) return false;
  return repeated.size === 0;
}

function copy(name: string, from: Query, to: Map<string, unknown>): void {
  const value = from.once.get(name) ?? from.repeated.get(name);
  if (value !== undefined) to.set(name, value);
}
