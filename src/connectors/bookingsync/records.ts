import type { ImageType } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { MappedAmenities } from '../shared/listings/amenities.ts';
import { amenityWord } from '../shared/listings/amenities.ts';
import { cutText, looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { mapBookingsyncAmenities } from './amenities.ts';
import { translated } from './translated.ts';

/** Records that belong to rentals, each in the few members that are used. Every text in them is untrusted. */
export type BookingsyncRecord =
  | {
      readonly resource: 'photos';
      readonly id: string;
      readonly position: number;
      readonly image: { readonly url: string; readonly alt: string; readonly type: ImageType };
    }
  | { readonly resource: 'rentals_amenities'; readonly id: string; readonly amenity: string }
  | {
      readonly resource: 'rental_cancelation_policies';
      readonly id: string;
      /** The account of which it is the default; null for the policy of a rental or a booking. */
      readonly account: string | null;
      readonly text: string;
      readonly preset: string;
      readonly items: readonly string[];
    }
  | {
      readonly resource: 'rental_cancelation_policy_items';
      readonly id: string;
      readonly days: number;
      readonly percent: number;
    }
  | { readonly resource: 'amenities'; readonly id: string; readonly mapped: MappedAmenities };

export type BookingsyncResource = BookingsyncRecord['resource'];
export type BookingsyncRecordOf<Resource extends BookingsyncResource> = Extract<
  BookingsyncRecord,
  { readonly resource: Resource }
>;

/** As much as is checked of a policy; the last character tells that it goes on. */
const MAX_POLICY_LENGTH = 4001;
const MAX_ALT_LENGTH = 2000;
const MAX_ADDRESS_LENGTH = 2048;
const MAX_POLICY_ITEMS = 50;
/** Enough for a page, and not more than needs to be loaded. */
const PHOTO_SIZES = ['grande_url', 'large_url', 'giant_url', 'medium_url', 'compact_url'];
const PHOTO_TYPES: Readonly<Record<string, ImageType>> = {
  bathroom: 'bathroom',
  bedroom: 'bedroom',
  floor_plan: 'floor_plan',
  inside: 'interior',
  kitchen: 'kitchen',
  livingroom: 'living_area',
  outside: 'exterior',
};

/** Undefined for a record that lacks what makes it useful. */
type ReadRecord<Record> = (record: unknown, id: string, language: string) => Record | undefined;

const READERS: {
  readonly [Resource in BookingsyncResource]: ReadRecord<BookingsyncRecordOf<Resource>>;
} = {
  photos(record, id, language) {
    const address = PHOTO_SIZES.map((size) => cutText(memberOf(record, size), MAX_ADDRESS_LENGTH)).find(
      (text) => text !== '',
    );
    if (address === undefined) return undefined;
    const kind = cutText(memberOf(record, 'kind'), 40);
    return {
      resource: 'photos',
      id,
      position: looseNumber(memberOf(record, 'position')) ?? Number.MAX_SAFE_INTEGER,
      image: {
        url: overHttps(address),
        alt: translated(memberOf(record, 'description'), language, MAX_ALT_LENGTH),
        type: (Object.hasOwn(PHOTO_TYPES, kind) && PHOTO_TYPES[kind]) || 'other',
      },
    };
  },
  rentals_amenities(record, id) {
    const amenity = recordNumber(memberOf(memberOf(record, 'links'), 'amenity'));
    return amenity === undefined ? undefined : { resource: 'rentals_amenities', id, amenity };
  },
  rental_cancelation_policies(record, id, language) {
    return {
      resource: 'rental_cancelation_policies',
      id,
      account: accountOfDefault(record),
      text:
        translated(memberOf(record, 'body_translations'), language, MAX_POLICY_LENGTH) ||
        cutText(memberOf(record, 'body'), MAX_POLICY_LENGTH),
      preset: cutText(memberOf(record, 'preset'), 40),
      items: linkedIds(record, 'rental_cancelation_policy_items').slice(0, MAX_POLICY_ITEMS),
    };
  },
  rental_cancelation_policy_items(record, id) {
    const days = looseNumber(memberOf(record, 'eligible_days'));
    const percent = looseNumber(memberOf(record, 'penalty_percentage'));
    if (days === undefined || percent === undefined) return undefined;
    return { resource: 'rental_cancelation_policy_items', id, days, percent };
  },
  amenities(record, id) {
    const key = amenityWord(cutText(memberOf(record, 'key'), 100));
    return key === '' ? undefined : { resource: 'amenities', id, mapped: mapBookingsyncAmenities([key]) };
  },
};

/** The vendor's documents list what a policy belongs to among its links, where its samples show neither. */
function accountOfDefault(policy: unknown): string | null {
  const links = memberOf(policy, 'links');
  const of = (name: string) => memberOf(policy, name) ?? memberOf(links, name);
  if (of('policeable_type') !== 'Account') return null;
  return recordNumber(of('policeable_id') ?? of('account')) ?? null;
}

export function bookingsyncRecord<Resource extends BookingsyncResource>(
  resource: Resource,
  record: unknown,
  language: string,
): BookingsyncRecordOf<Resource> | undefined {
  const id = recordNumber(memberOf(record, 'id'));
  return id === undefined ? undefined : READERS[resource](record, id, language);
}

export function linkedIds(record: unknown, link: string): readonly string[] {
  const linked = memberOf(memberOf(record, 'links'), link);
  return (Array.isArray(linked) ? linked : [linked]).flatMap((id) => recordNumber(id) ?? []);
}

/** The vendor's picture stores are served over https too, though some addresses in its documents say otherwise. */
function overHttps(address: string): string {
  if (address.startsWith('//')) return `https:${address}`;
  return address.replace(/^http:(?=\/\/[\w-]+\.(?:s3\.amazonaws|cloudinary)\.com\/)/, 'https:');
}

/** Ten times what is asked for. */
const MAX_PAGE_RECORDS = 1000;

/** The list that a page is there for. */
export function listOnPage(page: unknown, resource: string): readonly unknown[] {
  const list = memberOf(page, resource);
  if (!Array.isArray(list)) {
    throw new BookingSystemFailure('garbled', `the answer holds no list of ${resource}`);
  }
  if (list.length > MAX_PAGE_RECORDS) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_PAGE_RECORDS} ${resource}`);
  }
  return list;
}

export function recordsIn(document: unknown, resource: string): readonly unknown[] {
  return looseList(memberOf(document, resource));
}
