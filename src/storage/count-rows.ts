import type { MostCounted } from '../analytics/activity-store.ts';

export function mostCountedOf(
  totals: ReadonlyMap<string, number>,
  atLeast: number,
  limit: number,
): MostCounted {
  const named = [...totals]
    .filter(([facet, count]) => facet !== '' && count > 0)
    .map(([facet, count]) => ({ facet, count }))
    .sort(
      (one, other) =>
        other.count - one.count || Buffer.compare(Buffer.from(one.facet), Buffer.from(other.facet)),
    );
  const enough = named.filter(({ count }) => count >= atLeast);
  return {
    facets: enough.slice(0, limit),
    beyondLimit: Math.max(0, enough.length - limit),
    fewer: named.length - enough.length,
    unnamed: Math.max(0, totals.get('') ?? 0),
  };
}

/** PostgreSQL accepts neither a zero character nor half a surrogate pair, and one refused text would block everything behind it. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
