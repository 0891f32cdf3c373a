import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { MappedAmenities } from '../shared/listings/amenities.ts';
import type { ReadBookingsyncList, ReadingOfLists } from './bookingsync-pages.ts';
import type { BookingsyncRecord, BookingsyncRecordOf, BookingsyncResource } from './records.ts';

/** Reads records by their identifiers. */
export type ReadRelated = <Resource extends BookingsyncResource>(
  resource: Resource,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, BookingsyncRecordOf<Resource>>>;

/** Fits into an address, and into the smallest page that the vendor was seen to send. */
export const BOOKINGSYNC_IDS_AT_ONCE = 50;
/** Many times what the vendor has published. */
const MAX_AMENITIES = 2000;

/**
 * For one reading of the catalogue. The links in the vendor's answers lead to several records at once; where that is refused, the
 * whole list is read instead, once.
 */
export function createReadRelated({ readList, language, pass, sent }: ReadingOfLists): ReadRelated {
  const lists = new Map<BookingsyncResource, Promise<Map<string, BookingsyncRecord>>>();

  async function read(
    resource: BookingsyncResource,
    path: string,
    asked: readonly string[] | null,
  ): Promise<Map<string, BookingsyncRecord>> {
    const records = new Map<string, BookingsyncRecord>();
    await readList({
      path,
      task: 'bookingsync_records',
      parameters: { resource, language, asked },
      ...pass,
      // A page has one of them at least.
      ...(asked && { maxPages: asked.length }),
      onPage(items, bytes) {
        sent(bytes);
        for (const record of items) records.set(record.id, record);
        return asked === null || records.size < asked.length;
      },
    });
    return records;
  }

  function wholeList(resource: BookingsyncResource): Promise<Map<string, BookingsyncRecord>> {
    const known = lists.get(resource) ?? read(resource, `/${resource}`, null);
    lists.set(resource, known);
    return known;
  }

  async function readIds(
    resource: BookingsyncResource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, BookingsyncRecord>> {
    const records = new Map<string, BookingsyncRecord>();
    for (let from = 0; from < ids.length; from += BOOKINGSYNC_IDS_AT_ONCE) {
      const some = ids.slice(from, from + BOOKINGSYNC_IDS_AT_ONCE);
      const found = await read(resource, `/${resource}/${some.join()}`, some);
      for (const [id, record] of found) records.set(id, record);
    }
    return records;
  }

  return async <Resource extends BookingsyncResource>(resource: Resource, ids: readonly string[]) => {
    // Each resource has its own reader, so these are records of that resource.
    type Found = ReadonlyMap<string, BookingsyncRecordOf<Resource>>;
    const unique = [...new Set(ids)];
    if (unique.length === 0) return new Map() as Found;
    if (lists.has(resource)) return (await wholeList(resource)) as unknown as Found;
    try {
      return (await readIds(resource, unique)) as unknown as Found;
    } catch (failure) {
      if (!(failure instanceof BookingSystemFailure) || failure.kind !== 'rejected') throw failure;
      return (await wholeList(resource)) as unknown as Found;
    }
  };
}

/** What each of the vendor's amenities is called here; mapped once, because every rental may have every one of them. */
export async function readAllAmenities(
  readList: ReadBookingsyncList,
  { pass, sent }: Pick<ReadingOfLists, 'pass' | 'sent'>,
): Promise<ReadonlyMap<string, MappedAmenities>> {
  const keys = new Map<string, MappedAmenities>();
  await readList({
    path: '/amenities',
    task: 'bookingsync_records',
    parameters: { resource: 'amenities', language: 'en', asked: null },
    ...pass,
    onPage(items, bytes) {
      sent(bytes);
      const before = keys.size;
      for (const item of items) if (item.resource === 'amenities') keys.set(item.id, item.mapped);
      // A page that tells nothing new is the last that is worth asking for.
      return keys.size > before && keys.size < MAX_AMENITIES;
    },
  });
  return keys;
}
