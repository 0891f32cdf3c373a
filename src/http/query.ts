import type { IncomingRequest } from './incoming-request.ts';

const NONE_REPEATED: ReadonlyMap<string, readonly string[]> = new Map();

/** The query of a request. Maps, so that `__proto__` is a name like any other. */
export type Query = {
  /** Parameters that are given once. */
  readonly once: ReadonlyMap<string, string>;
  /** Parameters that are given several times, with all their values. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
};

/** Already read, because nothing in it had to be decoded. */
class OrdinaryQuery implements Query {
  readonly once: ReadonlyMap<string, string>;
  readonly repeated = NONE_REPEATED;

  constructor(once: ReadonlyMap<string, string>) {
    this.once = once;
  }
}

const NOTHING_ASKED = new OrdinaryQuery(new Map());
/** What reads the same decoded or not. */
const PLAIN_PAIRS = /^[\w.~-]+=[\w.~:-]*(?:&[\w.~-]+=[\w.~:-]*)*$/;

/** Null for a query in which something is encoded, left out or repeated. */
export function ordinaryQuery(text: string): Query | null {
  if (text === '') return NOTHING_ASKED;
  if (!PLAIN_PAIRS.test(text)) return null;
  const once = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const equals = text.indexOf('=', at);
    const next = text.indexOf('&', equals);
    const end = next === -1 ? text.length : next;
    const name = text.slice(at, equals);
    if (once.has(name)) return null;
    once.set(name, text.slice(equals + 1, end));
    at = end + 1;
  }
  return new OrdinaryQuery(once);
}

export function queryOf({ query }: Pick<IncomingRequest, 'query'>): Query {
  if (query instanceof OrdinaryQuery) return query;
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
