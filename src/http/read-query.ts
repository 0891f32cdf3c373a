const PARAMETERS = ['session', 'idempotency_key', 'field', 'value', 'api_version'] as const;

export type Query = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

/** The parameters that the interface knows; others are ignored. `undefined` when one of them was given twice. */
export function readQuery(parsed: unknown): Query | undefined {
  const all = parsed as Readonly<Record<string, string | string[] | undefined>>;
  const query: Record<string, string> = {};
  for (const name of PARAMETERS) {
    const value = all[name];
    if (Array.isArray(value)) return undefined;
    if (value !== undefined) query[name] = value;
  }
  return query;
}
