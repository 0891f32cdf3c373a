import type { FastifyRequest } from 'fastify';

/** The query of a request. Maps, so that `__proto__` is a name like any other. */
export type Query = {
  /** Parameters that are given once. */
  readonly once: ReadonlyMap<string, string>;
  /** Parameters that are given several times, with all their values. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
};

export function queryOf({ query }: FastifyRequest): Query {
  const once = new Map<string, string>();
  const repeated = new Map<string, readonly string[]>();
  const sent = (query ?? {}) as Readonly<Record<string, string | string[]>>;
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value === 'string') once.set(name, value);
    else repeated.set(name, value);
  }
  return { once, repeated };
}
