import type { BrandBudget } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { CatalogueReading, UnmappedAmenity } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { Intake } from '../shared/intake/intake.ts';
import { knownAmenities, type MappedAmenities } from '../shared/listings/amenities.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import { type ListingContext, listingPage, type RawListing } from '../shared/listings/listing.ts';
import type { CallPass } from '../shared/vendors/vendor-calls.ts';
import {
  bookingsyncCancellation,
  createReadAccountPolicies,
  type ReadAccountPolicies,
} from './cancellation.ts';
import type { ReadBookingsyncList, ReadingOfLists } from './pages.ts';
import type {
  BookingsyncRecord,
  BookingsyncRecordOf,
  BookingsyncRental,
  BookingsyncResource,
  RelatedRecords,
  RelatedResource,
} from './payloads.ts';

/** The only members stored of a rental while the other pages are read, because there may be many pages. */
type SeenRental = Pick<BookingsyncRental, 'availability' | 'changeOver' | 'nightlyRateMap' | 'minimumStay'>;

/** The facts of a rental that are stored between two readings of the catalogue. */
export type KnownRental = KnownListing & SeenRental;

type BookingsyncCatalogue = {
  readonly reading: CatalogueReading;
  readonly rentals: ReadonlyMap<string, KnownRental>;
};

const RENTALS = '/rentals?include=photos,rentals_amenities,rental_cancelation_policy';

/** Reads the rentals page by page. Their related records come on the same page, or are read after it. */
export function createBookingsyncCatalogueReader({
  readList,
  intake,
  context,
  budget,
  language,
  accountId,
}: {
  readonly readList: ReadBookingsyncList;
  readonly intake: Intake;
  readonly context: ListingContext;
  readonly budget: BrandBudget;
  readonly language: string;
  /** Reads only the rentals of this vendor account; null for all that the application may read. */
  readonly accountId: string | null;
}): (pass: CallPass) => Promise<BookingsyncCatalogue> {
  return async (pass) => {
    const gathered = createGatherListings({ intake, context, budget });
    const amenityNames = await readAllAmenities(readList, { pass, sent: gathered.sent });
    const lists = { readList, language, pass, sent: gathered.sent };
    const related = createReadRelated(lists);
    const accountPolicies = createReadAccountPolicies(lists);
    const seen = new Map<string, SeenRental>();
    const countUnmapped = createUnmappedCount();

    function listingOf(rental: BookingsyncRental, found: FoundRecords): RawListing {
      const { reference, listing, page, photos, amenities, policy } = rental;
      const ids = new Set(recordsOf(amenities, found.amenities).map(({ amenity }) => amenity));
      const itsAmenities: Record<string, string> = {};
      for (const id of ids) {
        const mapped = amenityNames.get(id);
        Object.assign(itsAmenities, mapped?.amenities);
        if (!mapped) countUnmapped.add(`amenity ${id}`);
        for (const word of mapped?.unmapped ?? []) countUnmapped.add(word);
      }
      const itsPolicy = recordsOf(policy, found.policies)[0] ?? found.defaults.get(rental.account ?? '');
      return {
        ...listing,
        amenities: knownAmenities(itsAmenities),
        cancellation: bookingsyncCancellation(
          itsPolicy,
          itsPolicy?.items.flatMap((id) => found.items.get(id) ?? []) ?? [],
          typeof listing.check_in_time === 'string' ? listing.check_in_time : null,
        ),
        images: recordsOf(photos, found.photos)
          .toSorted((one, other) => one.position - other.position)
          .map(({ image }) => image),
        url: page || listingPage(reference, context),
      };
    }

    await readList({
      path: RENTALS,
      task: 'bookingsync_rentals',
      parameters: { language },
      ...pass,
      async onPage(rentals, bytes) {
        gathered.sent(bytes);
        const own = rentals.filter(({ account }) => accountId === null || account === accountId);
        // Unpublished rentals are not shown.
        const offered = own.filter(({ isPublished }) => isPublished !== false);
        for (const { reference, availability, changeOver, nightlyRateMap, minimumStay } of offered) {
          seen.set(reference, { availability, changeOver, nightlyRateMap, minimumStay });
        }
        const found = await findRelated(offered, related, accountPolicies);
        await gathered.add(
          Iterator.from(offered).map((rental) => listingOf(rental, found)),
          pass.signal,
        );
        return true;
      },
    });
    gathered.unmapped.addCounted(countUnmapped.all());
    const reading = gathered.reading();
    const known = reading.properties.flatMap(({ reference, currency, maxGuests }) => {
      const rental = seen.get(reference);
      return rental ? [[reference, { ...rental, currency, maxGuests, maximumStay: null }] as const] : [];
    });
    return { reading, rentals: new Map(known) };
  };
}

/** More than the report lists. */
const MAX_UNMAPPED = 1000;

/** Counts the rentals per word. The words are the vendor's keys, so they need no case folding. */
function createUnmappedCount() {
  const counts = new Map<string, number>();
  return {
    add(word: string): void {
      const count = counts.get(word);
      if (count !== undefined || counts.size < MAX_UNMAPPED) counts.set(word, (count ?? 0) + 1);
    },
    all: (): readonly UnmappedAmenity[] =>
      Array.from(counts, ([amenity, listings]) => ({ amenity: shownText(amenity), listings })),
  };
}

type FoundRecords = {
  readonly photos: ReadonlyMap<string, BookingsyncRecordOf<'photos'>>;
  readonly amenities: ReadonlyMap<string, BookingsyncRecordOf<'rentals_amenities'>>;
  readonly policies: ReadonlyMap<string, BookingsyncRecordOf<'rental_cancelation_policies'>>;
  /** By account, for rentals without a policy. */
  readonly defaults: ReadonlyMap<string, BookingsyncRecordOf<'rental_cancelation_policies'>>;
  readonly items: ReadonlyMap<string, BookingsyncRecordOf<'rental_cancelation_policy_items'>>;
};

/** Reads the records that did not come with the rentals of a page. Policy steps never come with them. */
async function findRelated(
  rentals: readonly BookingsyncRental[],
  related: ReadRelated,
  accountPolicies: ReadAccountPolicies,
): Promise<FoundRecords> {
  const photos = await related(
    'photos',
    rentals.flatMap((rental) => rental.photos.missing),
  );
  const amenities = await related(
    'rentals_amenities',
    rentals.flatMap((rental) => rental.amenities.missing),
  );
  const policies = await related(
    'rental_cancelation_policies',
    rentals.flatMap((rental) => rental.policy.missing),
  );
  const withoutOwn = rentals.filter(({ policy }) => recordsOf(policy, policies).length === 0);
  const defaults = await accountPolicies(withoutOwn.flatMap(({ account }) => account ?? []));
  const items = await related(
    'rental_cancelation_policy_items',
    [...rentals.flatMap(({ policy }) => recordsOf(policy, policies)), ...defaults.values()].flatMap(
      (record) => record.items,
    ),
  );
  return { photos, amenities, policies, defaults, items };
}

function recordsOf<Resource extends RelatedResource>(
  { records, missing }: RelatedRecords<Resource>,
  found: ReadonlyMap<string, BookingsyncRecordOf<Resource>>,
): readonly BookingsyncRecordOf<Resource>[] {
  return [...records, ...missing.flatMap((id) => found.get(id) ?? [])];
}

/** Reads records by their identifiers. */
type ReadRelated = <Resource extends BookingsyncResource>(
  resource: Resource,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, BookingsyncRecordOf<Resource>>>;

/** So many fit into an address, and into the smallest page seen from the vendor. */
export const BOOKINGSYNC_IDS_AT_ONCE = 50;
/** Many times the number of amenities that the vendor has published. */
const MAX_AMENITIES = 2000;

/**
 * For one reading of the catalogue. Reads several records per call by identifier; where the vendor refuses that, reads the whole list
 * once.
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
      // Each page holds at least one of the records.
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

/** Our key for each vendor amenity. Mapped once, because every rental may have every amenity. */
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
      // Stop at a page without a new amenity.
      return keys.size > before && keys.size < MAX_AMENITIES;
    },
  });
  return keys;
}
