import { Compile } from 'typebox/compile';
import { firstFault, found, type PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { Listing } from '../../../connectors/shared/listings/listing.ts';
import { ownText } from '../../../parsing/owned-memory.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { MAX_PRICE_LENGTH, type TableRow } from './table.ts';

/** A home as one row describes it. */
type ListingRow = {
  readonly listing: Listing;
  /** In the words of the file. */
  readonly amenities: readonly string[];
  readonly terms: HomeTerms;
};

/** Defaults for nights whose calendar row leaves them blank. */
export type HomeTerms = {
  /** As the file writes it. */
  readonly price: string;
  readonly minimumStay: number;
  /** 0 when there is none. */
  readonly maximumStay: number;
};

export const REQUIRED_LISTING_COLUMNS: readonly string[] = ['id', 'name', 'accommodates', 'picture_url'];

const MAX_NAME_LENGTH = 300;
const MAX_AMENITIES = 500;
/** Twice the length that the mapping of amenities reads. */
const MAX_AMENITY_LENGTH = 200;
const NO_TERMS =
  'The imported file does not say how a booking can be cancelled. The terms are on the page of the home.';

const listingSchema = Compile(Listing);

/** The columns of the members of a listing, to name the column in a fault. */
const COLUMNS: Readonly<Record<string, string>> = {
  reference: 'id',
  max_guests: 'accommodates',
  images: 'picture_url',
  url: 'listing_url',
};

/** The column of a member of a listing, or of a part of it. */
export function columnOf(field: string): string {
  const [member = ''] = field.split('/');
  return COLUMNS[member] ?? field;
}

export function readListingRow(
  row: TableRow,
  { place, city, currency }: { readonly place: string; readonly city: string; readonly currency: string },
): Reading<ListingRow, PlacedFault> {
  if (row.fault) return invalid(row.fault);
  const { cell } = row;
  const reference = ownText(cell('id'));
  const guests = wholeNumber(cell('accommodates'));
  if (guests === undefined || guests < 1 || guests > 100) {
    const reason = 'must be a whole number from 1 to 100';
    return invalid({ field: 'accommodates', rule: 'out_of_range', reason, ...found(cell('accommodates')) });
  }
  const picture = cell('picture_url');
  if (picture === '') {
    return invalid({
      field: 'picture_url',
      rule: 'missing_member',
      reason: 'is empty: a home needs a picture',
    });
  }
  const kind = cell('property_type') || cell('room_type') || 'Home';
  const name = (cell('name') || `${kind} in ${city}`).slice(0, MAX_NAME_LENGTH);
  const neighbourhood = cell('neighbourhood_cleansed') || cell('neighbourhood_group_cleansed');
  const rating = ratingOf(row);
  const listing: Listing = {
    reference,
    name,
    place,
    location: neighbourhood === '' ? city : `${neighbourhood}, ${city}`,
    max_guests: guests,
    summary: summaryOf(row, kind, guests),
    bedrooms: wholeNumber(cell('bedrooms')) ?? null,
    bathrooms: bathroomsOf(row) ?? null,
    amenities: null,
    ...(rating === undefined ? {} : { rating }),
    cancellation: { summary: cancellationOf(cell('cancellation_policy')) },
    images: [{ url: picture, alt: name, type: 'other' }],
    url: cell('listing_url') || publishedPageOf(reference),
    currency,
    booking_mode: cell('instant_bookable') === 't' ? 'instant' : 'request',
  };
  if (!listingSchema.Check(listing)) {
    const fault = firstFault(listingSchema, listing);
    return invalid({ ...fault, field: columnOf(fault.field) });
  }
  return valid({
    listing,
    amenities: publishedAmenities(cell('amenities')),
    terms: {
      // A longer text is no price: one character too many is enough to refuse it.
      price: ownText(cell('price').slice(0, MAX_PRICE_LENGTH + 1)),
      minimumStay: wholeNumber(cell('minimum_nights')) || 1,
      maximumStay: wholeNumber(cell('maximum_nights')) ?? 0,
    },
  });
}

/** `2`, `2.0`; undefined for anything else. */
export function wholeNumber(text: string): number | undefined {
  return /^\d{1,10}(?:\.0+)?$/.test(text) ? Number(text) : undefined;
}

function summaryOf({ cell }: TableRow, kind: string, guests: number): string {
  const [bedrooms, beds] = [wholeNumber(cell('bedrooms')), wholeNumber(cell('beds'))];
  const counted = (count: number | undefined, one: string) =>
    count === undefined || count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`];
  const baths = cell('bathrooms_text');
  return [
    kind,
    ...counted(guests, 'guest'),
    ...(bedrooms === 0 ? ['studio'] : counted(bedrooms, 'bedroom')),
    ...counted(beds, 'bed'),
    ...(baths === '' ? counted(bathroomsOf({ cell }), 'bath') : [baths.slice(0, 60)]),
  ].join(' · ');
}

/** Old and new files have a number; files between them only words, such as "1.5 shared baths" or "Half-bath". */
function bathroomsOf({ cell }: Pick<TableRow, 'cell'>): number | undefined {
  const words = cell('bathrooms_text');
  const [number] = /^\d{1,2}(?:\.\d+)?/.exec(cell('bathrooms') || words) ?? [];
  if (number !== undefined) return Number(number);
  return /\bhalf-bath\b/i.test(words) ? 0.5 : undefined;
}

/**
 * Out of 100 until 2021, out of 5 since then; the old scale began at 20. Null for a home without reviews, undefined when the file has no
 * rating.
 */
function ratingOf({ cell }: TableRow): Listing['rating'] | undefined {
  const score = /^\d{1,3}(?:\.\d+)?$/.test(cell('review_scores_rating'))
    ? Number(cell('review_scores_rating'))
    : undefined;
  const reviews = wholeNumber(cell('number_of_reviews'));
  if (reviews === 0) return null;
  if (score === undefined || score > 100) return undefined;
  return { score, scale: score > 5 ? 100 : 5, review_count: reviews ?? null };
}

/** Old files name a policy, such as `strict_14_with_grace_period`. */
function cancellationOf(policy: string): string {
  const words = policy.replaceAll('_', ' ').slice(0, 100);
  return words === '' ? NO_TERMS : `Cancellation policy: ${words}. The terms are on the page of the home.`;
}

/** `["Wifi", "Kitchen"]`, or `{Wifi,"Air conditioning"}` in old files. */
export function publishedAmenities(cell: string): readonly string[] {
  if (cell.startsWith('[')) return namesIn(parsedOrNull(cell));
  if (!cell.startsWith('{') || !cell.endsWith('}')) return [];
  return [...cell.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,"]+)/g)]
    .slice(0, MAX_AMENITIES)
    .map(([, quoted, bare = '']) => amenityText((quoted?.replace(/\\(.)/g, '$1') ?? bare).trim()));
}

function namesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, MAX_AMENITIES)
    .flatMap((name) => (typeof name === 'string' ? [amenityText(name)] : []));
}

/** A copy, because the amenity map stores the words. */
function amenityText(name: string): string {
  return ownText(name.slice(0, MAX_AMENITY_LENGTH));
}

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const PAGES = 'www.airbnb.com';
const PICTURES = /^a\d\.muscache\.com$/;

/** The parameters of a stay in the address of a home's page. */
export const STAY_PARAMETERS_OF_PAGES = {
  check_in: 'check_in',
  check_out: 'check_out',
  guests: 'adults',
} as const;

/** The address of a home's page, for files that leave it blank. */
function publishedPageOf(reference: string): string {
  return `https://${PAGES}/rooms/${encodeURIComponent(reference)}`;
}

/** Whether every published file uses the host for its pages or pictures. Any other host may come from a manipulated file. */
export function isPublishedHost(host: string): boolean {
  return host === PAGES || PICTURES.test(host);
}
