type QloRecord = Readonly<Record<string, unknown>> & { readonly id: number };

/** The web service makes it from another table, so it cannot be filtered by. */
const DYNAMIC_FIELDS: readonly string[] = ['id_hotel'];

/** Filtered, sorted, cut and trimmed as the query says; or the name of the field that cannot be filtered by. */
export function listRecords(
  records: readonly QloRecord[],
  query: URLSearchParams,
): { readonly found: readonly object[] } | { readonly dynamicField: string } {
  const filters = [...query].flatMap(([name, value]) => {
    const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
    return field === undefined ? [] : [{ field, value: value.replace(/^\[(.*)\]$/, '$1') }];
  });
  const dynamic = filters.find(({ field }) => DYNAMIC_FIELDS.includes(field));
  if (dynamic) return { dynamicField: dynamic.field };
  const matching = records.filter((record) =>
    filters.every(({ field, value }) => value.split('|').includes(String(record[field]))),
  );
  const sorted = query.get('sort') === '[id_DESC]' ? matching.toReversed() : matching;
  const [offset, count] = limitOf(query.get('limit'));
  return { found: sorted.slice(offset, offset + count).map((record) => displayed(record, query)) };
}

function limitOf(limit: string | null): [number, number] {
  if (limit === null) return [0, Number.POSITIVE_INFINITY];
  const [first = 0, second] = limit.split(',').map((part) => Number(part) || 0);
  return second === undefined ? [0, first] : [first, second];
}

function displayed(record: QloRecord, query: URLSearchParams): object {
  const display = query.get('display');
  if (display === 'full') return record;
  const fields = display === null ? ['id'] : display.replace(/^\[(.*)\]$/, '$1').split(',');
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
}
