import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import type { BookingsyncRecord, RecordSource, UnwrittenRecord } from './record.ts';
import { BOOKINGSYNC_RESOURCES } from './resources.ts';

/** As the vendor's own client library expects it; the reference only says JSON. */
export const BOOKINGSYNC_MEDIA_TYPE = { 'content-type': 'application/vnd.api+json; charset=utf-8' };

type PageContext = {
  readonly pageSize: number;
  readonly now: number;
  /** Where included associations come from. */
  readonly source?: RecordSource;
};

/** One page of a collection with the links to the others, in the header and in `meta`. */
export function bookingsyncPage(
  request: EmulatedRequest,
  key: string,
  all: readonly UnwrittenRecord[],
  { pageSize, now, source }: PageContext,
): EmulatedAnswer {
  const { query } = request;
  const since = query.get('updated_since');
  const changed = since === null ? all : all.filter(({ changedAt }) => changedAt > Date.parse(since));
  const perPage = Math.min(positive(query.get('per_page')) ?? pageSize, pageSize);
  const pages = Math.max(1, Math.ceil(changed.length / perPage));
  const page = positive(query.get('page')) ?? 1;
  const include = includer(query.get('include'), source);
  const records = changed
    .slice((page - 1) * perPage, page * perPage)
    .map(({ write }) => trimmed(include(write()), query.get('fields')));

  const linkTo = (number: number) => {
    const target = new URL(`http://${request.host}${request.path}?${query}`);
    target.searchParams.set('page', String(number));
    return target.href;
  };
  const links: Record<string, string> = {
    first: linkTo(1),
    ...(page > 1 ? { prev: linkTo(page - 1) } : {}),
    ...(page < pages ? { next: linkTo(page + 1) } : {}),
    last: linkTo(pages),
  };
  return jsonAnswer(
    200,
    {
      links: linkTemplates(request.host, key, records[0]),
      [key]: records,
      meta: {
        Link: links,
        'X-Total-Pages': String(pages),
        'X-Total-Count': String(changed.length),
        'X-Per-Page': String(perPage),
        ...(since === null ? {} : { deleted_ids: [] }),
      },
    },
    {
      ...BOOKINGSYNC_MEDIA_TYPE,
      link: Object.entries(links)
        .map(([rel, url]) => `<${url}>; rel="${rel}"`)
        .join(', '),
      'x-total-pages': String(pages),
      'x-updated-since-request-synced-at': new Date(now).toISOString(),
    },
  );
}

/** Where the associations of a record are, with a place for their numbers. */
function linkTemplates(host: string, key: string, record: Partial<BookingsyncRecord> | undefined) {
  return Object.fromEntries(
    Object.entries(record?.links ?? {}).map(([name, ids]) => [
      `${key}.${name}`,
      `http://${host}/api/v3/${Array.isArray(ids) ? name : pluralOf(name)}/{${key}.${name}}`,
    ]),
  );
}

function positive(text: string | null): number | undefined {
  const value = Number(text);
  return text !== null && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Associations that are asked for stand in the record under their own name. */
function includer(names: string | null, source: RecordSource | undefined) {
  const associations = (names ?? '').split(',').flatMap((name) => {
    const resource = BOOKINGSYNC_RESOURCES[name] ?? BOOKINGSYNC_RESOURCES[pluralOf(name)];
    if (!resource || !source) return [];
    return [{ name, byId: new Map(resource.records(source).map((record) => [record.id, record])) }];
  });
  return (record: BookingsyncRecord): BookingsyncRecord => ({
    ...record,
    ...Object.fromEntries(
      associations.flatMap(({ name, byId }) => {
        const ids = record.links?.[name];
        const found = [ids].flat().flatMap((id) => byId.get(Number(id))?.write() ?? []);
        return ids === undefined ? [] : [[name, Array.isArray(ids) ? found : (found[0] ?? null)] as const];
      }),
    ),
  });
}

function pluralOf(name: string): string {
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

function trimmed(record: BookingsyncRecord, fields: string | null): Partial<BookingsyncRecord> {
  if (fields === null) return record;
  const wanted = fields.split(',');
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name === 'links' || wanted.includes(name)),
  );
}
