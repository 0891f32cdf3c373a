import { createHash, hash } from 'node:crypto';

/** The source name of an operator, as in `/?source=brand`: `[a-z0-9-]`. */
export type BrandId = string;
/** Readable and stable, `[a-z0-9-]`: `lisbon-pt`. */
export type PlaceId = string;
/** `brand:reference`, or `brand:` and a hash of the reference; unique on the network. */
export type PropertyId = string;

// Longer than any plain reference, so that the two never collide.
const HASH_LENGTH = 32;

/** The identifier of a property for assistants. Calls to its operator use the operator's reference. */
export function propertyIdOf(brand: BrandId, reference: string): PropertyId {
  return `${brand}:${isPlainReference(reference) ? reference : hashOf(reference)}`;
}

/** Also works for unknown properties. */
export function brandOfProperty(property: PropertyId): BrandId {
  return property.slice(0, property.indexOf(':'));
}

function hashOf(reference: string): string {
  return createHash('sha256').update(reference).digest('hex').slice(0, HASH_LENGTH);
}

export type BookingMode = 'instant' | 'request';
export type InventorySource = 'live_booking_system' | 'rate_card';

export type Brand = {
  readonly id: BrandId;
  readonly name: string;
  /** The only place of a single-location storefront: its sessions have no destination step. */
  readonly singleLocation: PlaceId | null;
  readonly inventorySource: InventorySource;
  /** Whether the operator states that its totals include every tax and fee. */
  readonly allInTotals: boolean;
  readonly website: BrandWebsite;
};

export type BrandWebsite = {
  /** Hosts (with port where it is not the default) on which this brand's links and images may point. */
  readonly hosts: readonly string[];
  /** This website's query parameters for the parts of a stay. */
  readonly stayParameters: StayParameters;
  /** The template of links to stays, if query parameters on the property's page do not work. See `stay-address.ts`. */
  readonly stayUrl?: string | null;
  /** The page that lists all its stays, or null where there is none. */
  readonly resultsUrl: string | null;
  /** Patterns of the addresses of its pages and pictures; null when any address on its hosts is accepted. */
  readonly pagePattern?: string | null;
  readonly imagePattern?: string | null;
};

export type StayParameters = {
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: string;
  readonly source: string;
  readonly destination: string;
  /** Carries the identifier of the quote; left out when links do not have it. */
  readonly quote?: string;
};

export const PLACE_KINDS = ['city', 'region', 'country'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export type Place = {
  readonly id: PlaceId;
  readonly name: string;
  /** Further names: local and foreign ones, abbreviations. */
  readonly aliases: readonly string[];
  readonly kind: PlaceKind;
  readonly parent: PlaceId | null;
  /** Cities decide what "today" is for their properties. */
  readonly timeZone: string;
  /** The one currency in which a search for this place is compared. */
  readonly currency: string;
};

export const IMAGE_TYPES = [
  'exterior',
  'interior',
  'bedroom',
  'bathroom',
  'kitchen',
  'living_area',
  'outdoor',
  'view',
  'amenity',
  'floor_plan',
  'other',
] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export type Image = { readonly url: string; readonly alt: string; readonly type: ImageType };

type FreeCancellation = {
  /** Cancelling is free until this many days before check-in, at `time` on the property's clock. */
  readonly daysBefore: number;
  readonly time: string;
};

export type CancellationPolicy = {
  /** The operator's words. */
  readonly summary: string;
  readonly free: FreeCancellation | null;
  /** Whether the stay can be cancelled for money back; null when not published. Listings of earlier releases lack it. */
  readonly refundable?: boolean | null;
};

export type Property = {
  readonly id: PropertyId;
  readonly brand: BrandId;
  /** Its identifier in the operator's booking system. */
  readonly reference: string;
  readonly name: string;
  /** Always a city; regions and countries follow from the tree of places. */
  readonly place: PlaceId;
  readonly location: string;
  readonly maxGuests: number;
  readonly summary: string;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  /** Amenity key to label; null when the operator does not publish amenities. */
  readonly amenities: Readonly<Record<string, string>> | null;
  /** A property without reviews has score 0 and review count 0, one whose rating is not published score 0 and null. */
  readonly rating: { readonly score: number; readonly scale: number; readonly reviewCount: number | null };
  readonly cancellation: CancellationPolicy;
  readonly checkInTime: string | null;
  readonly checkOutTime: string | null;
  /** The first one is the primary image. */
  readonly images: readonly [Image, ...Image[]];
  readonly url: string;
  readonly currency: string;
  readonly bookingMode: BookingMode;
  /** How long a booking on request waits for its answer; null when not published. Listings of earlier releases lack it. */
  readonly confirmationHours?: number | null;
  /** The earliest arrival is this many days after today. */
  readonly leadDays: number;
  /** Parts that were cut to their maximum length. Listings of earlier releases lack it. */
  readonly cut?: readonly CutPart[];
};

/** Parts of a listing that can be cut, as assistants know them. */
export type CutPart =
  | 'name'
  | 'location'
  | 'capacity.summary'
  | 'amenities'
  | 'cancellation.summary'
  | 'images.primary.alt'
  | 'images.gallery';

/** The facts that do not change with the calendar. */
export type Network = {
  readonly brands: ReadonlyMap<BrandId, Brand>;
  readonly places: ReadonlyMap<PlaceId, Place>;
};

/** The maximum size of a brand, so that no brand takes the memory of others. */
export type BrandBudget = {
  readonly listings: number;
  /** Of accepted listings, counted as in `weightOf`. */
  readonly bytes: number;
};

export const DEFAULT_BRAND_BUDGET: BrandBudget = { listings: 100_000, bytes: 256 * 1024 * 1024 };

/** What a search finds of a brand's homes. */
export type BrandAvailability =
  /** All of them. */
  | 'ready'
  /** Some: its first reading is under way. */
  | 'partly_read'
  /** None: its booking system was not read yet, or not for too long. */
  | 'unread'
  /** None: its stored homes are being loaded after a start. */
  | 'loading'
  /** None: its owner paused it. */
  | 'paused'
  /** Not all: its stored homes are being loaded after a pause. */
  | 'resuming';

export type UnreadyBrand = {
  readonly brand: BrandId;
  readonly availability: Exclude<BrandAvailability, 'ready'>;
};

/** Called at every search. */
export type UnreadyBrands = () => readonly UnreadyBrand[];

type Rating = Property['rating'];

/** A score is always a number: 0 without a review, which says nothing about the home. */
export function hasScore({ score, reviewCount }: Rating): boolean {
  return score > 0 || (reviewCount ?? 0) > 0;
}

export function isNotYetRated(rating: Rating): boolean {
  return !hasScore(rating) && rating.reviewCount === 0;
}

export function isRatingUnpublished(rating: Rating): boolean {
  return !hasScore(rating) && rating.reviewCount === null;
}

/** 48 bits of a hash: enough to recognise a changed listing, and still a plain number. */
export type ListingDigest = number;

const DIGEST_BYTES = 6;

/** Hashes the JSON of a listing. One reader builds all listings, so members have the same order. */
export function digestOfText(text: string): ListingDigest {
  return hash('sha256', text, 'buffer').readUIntBE(0, DIGEST_BYTES);
}

export function listingDigest(property: Property): ListingDigest {
  return digestOfText(JSON.stringify(property));
}

const MAX_LENGTH = 24;
const MAX_WORDS = 2;
const MAX_WORD_LENGTH = 12;
// "tel-2121234" is a number to call, and so is 351912345678.
const MAX_DIGITS_BESIDE_LETTERS = 6;
const MAX_DIGITS = 8;

/**
 * Whether a reference can be shown to language models unchanged: too short for a sentence, a phone number, an account or the name of a
 * site.
 */
function isPlainReference(reference: string): boolean {
  if (reference.length > MAX_LENGTH || !/^[A-Za-z0-9._-]+$/.test(reference)) return false;
  if (/\.[A-Za-z]{2,}(?:$|[.-])/.test(reference)) return false;
  const digits = reference.replace(/[^0-9]/g, '').length;
  if (digits > (/[A-Za-z]/.test(reference) ? MAX_DIGITS_BESIDE_LETTERS : MAX_DIGITS)) return false;
  const words = reference.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word.length > 1);
  return words.length <= MAX_WORDS && words.every(({ length }) => length <= MAX_WORD_LENGTH);
}
