import type { FastifyRequest } from 'fastify';

const NONE_REPEATED: ReadonlyMap<string, readonly string[]> = new Map();

/** The query of a request. Maps, so that `__proto__` is a name like any other. */
export type Query = {
  /** Parameters that are given once. */
  readonly once: ReadonlyMap<string, string>;
  /** Parameters that are given several times, with all their values. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
};

export function queryOf({ query }: FastifyRequest): Query {
  const once = new Map<string, string>();
  let repeated: Map<string, readonly string[]> | undefined;
  const sent = (query ?? {}) as Readonly<Record<string, string | string[]>>;
  for (const name of Object.keys(sent)) {
    const value = sent[name];
    if (typeof value === 'string') once.set(name, value);
    else if (value !== undefined) repeated = (repeated ?? new Map()).set(name, value);
  }
  return { once, repeated: repeated ?? NONE_REPEATED };
}
