import type { FastifyRequest } from 'fastify';
import type { RequestFault } from '../contract/exchange.ts';
import { invalid, type Reading, valid } from '../reading/reading.ts';

/** The query of a request: every parameter once. A map, so that `__proto__` is a name like any other. */
export type Query = ReadonlyMap<string, string>;

export const NO_PARAMETERS: Query = new Map();

/** A parameter that is given twice makes the query unreadable, because it is not clear which one counts. */
export function queryOf({ query }: FastifyRequest): Reading<Query, RequestFault> {
  const parameters = new Map<string, string>();
  const sent = (query ?? {}) as Readonly<Record<string, string | string[]>>;
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== 'string') return invalid('invalid_request');
    parameters.set(name, value);
  }
  return valid(parameters);
}
