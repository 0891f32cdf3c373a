import { fingerprintOf } from '../search/fingerprint.ts';
import type { Supplied } from '../search/take-values.ts';
import type { Query } from './read-query.ts';

/** Members of an offered request that a client may send back with it. */
const IGNORED_WITH_FIELD_AND_VALUE: ReadonlySet<string> = new Set(['field', 'value', 'url']);

/**
 * The values that a search request carries, whichever way they are encoded: `{"destination": "x"}`,
 * `{"field": "destination", "value": "x"}` or the query. A body with values wins over the query. `undefined` when the
 * request contradicts itself or leaves half of a pair out.
 */
export function suppliedValues(
  members: ReadonlyMap<string, unknown>,
  query: Query,
): readonly Supplied[] | undefined {
  const fromBody = valuesOfBody(members);
  if (fromBody === undefined || fromBody.length > 0) return fromBody;
  return pair(query.field, query.value, query.field !== undefined, query.value !== undefined);
}

function valuesOfBody(members: ReadonlyMap<string, unknown>): readonly Supplied[] | undefined {
  const named = pair(members.get('field'), members.get('value'), members.has('field'), members.has('value'));
  if (named === undefined) return undefined;
  const values = [...named];
  for (const [field, raw] of members) {
    if (named.length > 0 && IGNORED_WITH_FIELD_AND_VALUE.has(field)) continue;
    const twin = values.find((value) => value.field === field);
    if (!twin) values.push({ field, raw });
    else if (fingerprintOf([twin]) !== fingerprintOf([{ field, raw }])) return undefined;
  }
  return values;
}

function pair(
  field: unknown,
  raw: unknown,
  hasField: boolean,
  hasValue: boolean,
): readonly Supplied[] | undefined {
  if (!hasField && !hasValue) return [];
  return typeof field === 'string' && hasValue ? [{ field, raw }] : undefined;
}
