import type { AmenityKey } from '../../catalogue/amenities.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amenityWord, COMMON_AMENITY_NAMES, createAmenityMap } from '../shared/listings/amenities.ts';
import type { ListingStayLimits } from '../shared/listings/known-listings.ts';
import {
  fullHour,
  type ListingContext,
  listingPage,
  placeInWords,
  type RawListing,
  rawImage,
  specLineOf,
} from '../shared/listings/listing.ts';
import {
  type LooseRecord,
  looseFlag,
  looseIdentifier,
  looseInteger,
  looseList,
  looseNumber,
  loosePositive,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';

export type HostawayListingsParameters = Pick<ListingContext, 'hosts' | 'pagePattern' | 'stayUrl'> & {
  /** Names of amenities by identifier. */
  readonly amenityNames: ReadonlyMap<string, string>;
  readonly policies: ReadonlyMap<string, HostawayPolicy>;
  /** The policy of direct bookings, where the entry names it. */
  readonly directPolicy: string | null;
  /** The owner's words, used when that policy is not named or not found. */
  readonly cancellationText: string | null;
};

export type HostawayStayTerms = ListingStayLimits & {
  /** The factor from the calculated price to the website's price; null when the published value is not a valid factor. */
  readonly markup: number | null;
};

type HostawayListing = {
  readonly listing: RawListing;
  readonly limits: HostawayStayTerms;
  readonly unmapped: readonly string[];
};

type HostawayPageSummary = {
  /** The number of listings on the page, including archived ones. */
  readonly onPage: number;
  /** The total number of listings; null when the answer does not say. */
  readonly count: number | null;
  /** Recognises a page that is sent twice. */
  readonly firstId: string | null;
};

const MAX_LISTINGS = 1000;
const MAX_IMAGES = 500;
const MAX_IMAGES_SORTED = 2000;
const MAX_AMENITIES = 500;
const MAX_URLS = 20;
/** A greater value would be a percentage. */
const MAX_MARKUP = 3;
const HOURS_A_DAY = 24;
const MAX_LEAD_DAYS = 365;

/**
 * Names of amenities as `GET /amenities` returns them. Hostaway publishes no list: these names are common among booking systems, and any
 * other is reported as unmapped.
 */
const HOSTAWAY_AMENITIES: Readonly<Record<string, AmenityKey>> = {
  ...COMMON_AMENITY_NAMES,
  Elevator: 'lift',
  'Free street parking': 'street_parking',
  'Ping pong table': 'table_tennis',
  'Ski-in/Ski-out': 'ski_in_ski_out',
  WiFi: 'wifi',
};

const mapAmenities = createAmenityMap(HOSTAWAY_AMENITIES, { areNames: true });

/** Intake task: reads one page of `GET /listings`. Access codes, passwords and contacts in it are not read. */
export function* readHostawayListings(
  document: Uint8Array,
  parameters: HostawayListingsParameters,
): Generator<HostawayListing, HostawayPageSummary> {
  const { result, count } = hostawayResult(document);
  if (!Array.isArray(result)) throw new BookingSystemFailure('garbled', 'the page holds no list of listings');
  if (result.length > MAX_LISTINGS) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_LISTINGS} listings`);
  }
  for (const published of result) {
    const listing = looseRecord(published);
    if (listing.specialStatus !== 'archived') yield readOne(listing, parameters);
  }
  return {
    onPage: result.length,
    count: looseInteger(count) ?? null,
    firstId: looseIdentifier(looseRecord(result[0]).id) ?? null,
  };
}

function readOne(published: LooseRecord, parameters: HostawayListingsParameters): HostawayListing {
  const reference = looseIdentifier(published.id) ?? '';
  const bedrooms = looseInteger(published.bedroomsNumber);
  const bathrooms = looseNumber(published.bathroomsNumber);
  const { amenities, unmapped } = mapAmenities(amenityWords(published, parameters.amenityNames));
  const currency = looseText(published.currencyCode);
  const maxGuests = looseInteger(published.personCapacity);
  const rating = looseNumber(published.averageReviewRating);
  const listing: RawListing = {
    reference,
    name: looseText(published.name) ?? looseText(published.externalListingName),
    place: looseText(published.city),
    country: looseText(published.countryCode) ?? looseText(published.country),
    location:
      looseText(published.publicAddress)?.slice(0, 2000) ??
      placeInWords(published, ['city', 'state', 'country']),
    max_guests: maxGuests,
    summary: specLineOf({
      bedrooms,
      bathrooms,
      beds: looseInteger(published.bedsNumber),
      squareMetres: looseNumber(published.squareMeters),
    }),
    bedrooms: bedrooms ?? null,
    bathrooms: bathrooms ?? null,
    amenities,
    // The vendor states no number of reviews, so a home without a rating may still have reviews.
    rating: rating ? { score: rating, scale: 10, review_count: null } : undefined,
    cancellation: policyOf(published, parameters),
    check_in_time: fullHour(published.checkInTimeStart),
    check_out_time: fullHour(published.checkOutTime),
    images: imagesOf(published),
    url: pageOf(published, reference, parameters),
    currency,
    booking_mode: isInstant(published) ? 'instant' : 'request',
    lead_days: leadDaysOf(published),
  };
  const limits = {
    minimumStay: loosePositive(published.minNights),
    maximumStay: loosePositive(published.maxNights),
    markup: markupOf(published.bookingEngineMarkup),
  };
  return { listing, limits, unmapped };
}

/** Bookings within the lead time need confirmation. Its unit is not documented, so any lead time rules out instant booking. */
function isInstant({ instantBookable, instantBookableLeadTime }: LooseRecord): boolean {
  return looseFlag(instantBookable) === true && loosePositive(instantBookableLeadTime) === null;
}

/** Rounded up to whole days, because the hour until which the website takes bookings is not documented. */
function leadDaysOf({ allowSameDayBooking, sameDayBookingLeadTime }: LooseRecord): number {
  const days = Math.ceil((loosePositive(sameDayBookingLeadTime) ?? 0) / HOURS_A_DAY);
  return Math.min(MAX_LEAD_DAYS, Math.max(days, looseFlag(allowSameDayBooking) === false ? 1 : 0));
}

function markupOf(published: unknown): number | null {
  if (published === null || published === undefined) return 1;
  const factor = looseNumber(published);
  if (factor === 0) return 1;
  return factor !== undefined && factor >= 1 && factor <= MAX_MARKUP ? factor : null;
}

/** An identifier without a name is reported as it is. */
function amenityWords(published: LooseRecord, names: ReadonlyMap<string, string>): string[] {
  return looseList(published.listingAmenities)
    .slice(0, MAX_AMENITIES)
    .flatMap((amenity) => {
      const id = looseIdentifier(looseRecord(amenity).amenityId);
      return id === undefined ? [] : [names.get(id) ?? `amenity ${id}`];
    });
}

/**
 * A listing names the policy of bookings through other channels. Without one for direct bookings its words are shown, but they promise
 * no refund.
 */
function policyOf(
  published: LooseRecord,
  { policies, directPolicy, cancellationText }: HostawayListingsParameters,
): RawListing['cancellation'] {
  const direct = directPolicy === null ? undefined : policies.get(directPolicy);
  if (direct) return direct;
  if (cancellationText !== null) return { summary: cancellationText };
  const policy = policies.get(looseIdentifier(published.cancellationPolicyId) ?? '');
  if (policy) return { summary: policy.summary };
  const name = looseText(published.cancellationPolicy);
  return { summary: name && `Cancellation policy: ${name}` };
}

function imagesOf(published: LooseRecord): RawListing['images'] {
  return looseList(published.listingImages)
    .slice(0, MAX_IMAGES_SORTED)
    .map(looseRecord)
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .slice(0, MAX_IMAGES)
    .flatMap(({ url, caption, airbnbCaption, vrboCaption }) => {
      const text = looseText(caption) ?? looseText(airbnbCaption) ?? vrboCaption;
      return rawImage(url, text) ?? [];
    });
}

function orderOf(image: LooseRecord): number {
  return looseInteger(image.sortOrder) ?? Number.MAX_SAFE_INTEGER;
}

/** The first page on a host of the brand, or else the first of all, for the report. Pages were seen as texts and as objects. */
function pageOf(
  published: LooseRecord,
  reference: string,
  { hosts, pagePattern, stayUrl }: HostawayListingsParameters,
): string {
  let elsewhere = '';
  for (const page of looseList(published.bookingEngineUrls).slice(0, MAX_URLS)) {
    const text = looseText(page) ?? looseText(looseRecord(page).url) ?? '';
    const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
    if (url && hosts.includes(url.host)) return url.href;
    elsewhere ||= url?.href ?? '';
  }
  return listingPage(reference, { pagePattern: pagePattern ?? null, stayUrl: stayUrl ?? null }) || elsewhere;
}

const MAX_AMENITY_NAMES = 5000;

/** Intake task: reads `GET /amenities`, the name of each identifier. */
export function* readHostawayAmenities(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, name: string], null> {
  for (const amenity of looseList(hostawayResult(document).result).slice(0, MAX_AMENITY_NAMES)) {
    const { id, name } = looseRecord(amenity);
    const [key, text] = [looseIdentifier(id), looseText(name)];
    if (key !== undefined && text !== undefined) yield [key, amenityWord(text)];
  }
  return null;
}

/** A cancellation policy in the shape of a listing's. */
type HostawayPolicy = {
  readonly summary: string;
  readonly free_until: { readonly days_before: number; readonly time: string } | null;
  readonly refundable: boolean | null;
};

type HostawayPolicyItem = {
  readonly refund: number;
  readonly isPercentage: boolean;
  /** Negative before the event, positive after it. */
  readonly seconds: number;
  readonly event: 'arrival' | 'reservation';
};

const MAX_POLICIES = 1000;
const MAX_ITEMS = 50;
const MAX_NAME = 200;
const MAX_DAYS_BEFORE = 365;
const SECONDS_PER_DAY = 86_400;
const SECONDS_PER_HOUR = 3600;

/** Intake task: reads `GET /cancellationPolicies`. A policy with an invalid item is reduced to its name. */
export function* readHostawayPolicies(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, HostawayPolicy], null> {
  for (const published of looseList(hostawayResult(document).result).slice(0, MAX_POLICIES)) {
    const policy = looseRecord(published);
    const [id, name] = [looseIdentifier(policy.id), looseText(policy.name)?.slice(0, MAX_NAME)];
    if (id !== undefined && name !== undefined) yield [id, readPolicy(name, policy.cancellationPolicyItem)];
  }
  return null;
}

function readPolicy(name: string, published: unknown): HostawayPolicy {
  const items = looseList(published)
    .slice(0, MAX_ITEMS)
    .map((item) => readItem(looseRecord(item)));
  const understood = items.filter((item) => item !== undefined);
  if (understood.length === 0 || understood.length < items.length) {
    return { summary: `Cancellation policy: ${name}`, free_until: null, refundable: null };
  }
  const inOrder = understood.toSorted((one, other) => one.seconds - other.seconds);
  return {
    summary: `${name}: ${inOrder.map(inWords).join('; ')}.`,
    free_until: freeUntil(inOrder),
    refundable: inOrder.some(({ refund }) => refund > 0),
  };
}

function readItem({
  refundAmount,
  refundType,
  timeDelta,
  event,
}: LooseRecord): HostawayPolicyItem | undefined {
  const [refund, seconds] = [looseNumber(refundAmount), looseInteger(timeDelta)];
  if (refund === undefined || refund < 0 || seconds === undefined) return undefined;
  if (refundType !== 'percentage' && refundType !== 'flat') return undefined;
  if (event !== 'arrival' && event !== 'reservation') return undefined;
  return { refund, isPercentage: refundType === 'percentage', seconds, event };
}

function inWords({ refund, isPercentage, seconds, event }: HostawayPolicyItem): string {
  const amount = isPercentage ? `${refund}% of the total price` : `an amount of ${refund}`;
  const moment = event === 'arrival' ? 'arrival' : 'the booking';
  const relation = seconds <= 0 ? 'before' : 'after';
  const limit = seconds === 0 ? moment : `${durationInWords(Math.abs(seconds))} ${relation} ${moment}`;
  return `${amount} is refunded until ${limit}`;
}

function durationInWords(seconds: number): string {
  if (seconds % SECONDS_PER_DAY === 0) return counted(seconds / SECONDS_PER_DAY, 'day');
  if (seconds % SECONDS_PER_HOUR === 0) return counted(seconds / SECONDS_PER_HOUR, 'hour');
  return counted(Math.round(seconds / 60), 'minute');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The end of the full refund. It counts from midnight at the start of the day of arrival, so that it promises no extra hours. */
function freeUntil(items: readonly HostawayPolicyItem[]): HostawayPolicy['free_until'] {
  const latest = items.findLast(
    ({ refund, isPercentage, event, seconds }) =>
      isPercentage && refund >= 100 && event === 'arrival' && seconds <= 0,
  );
  if (!latest) return null;
  const before = Math.abs(latest.seconds);
  const days = Math.ceil(before / SECONDS_PER_DAY);
  if (days > MAX_DAYS_BEFORE) return null;
  const minutes = Math.floor((days * SECONDS_PER_DAY - before) / 60);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return { days_before: days, time: `${hour}:${minute}` };
}

/** The envelope of every answer of Hostaway. */
type HostawayEnvelope =
  | { readonly kind: 'success'; readonly result: unknown; readonly count: unknown }
  /** The reason is free text, so nothing is derived from it. */
  | { readonly kind: 'fail' };

export function readHostawayEnvelope(document: Uint8Array): HostawayEnvelope {
  const { status, result, count } = looseRecord(parseDocument(document));
  if (status === 'success') return { kind: 'success', result, count };
  if (status === 'fail') return { kind: 'fail' };
  throw new BookingSystemFailure(
    'garbled',
    'the answer says neither that it is a success nor that it is none',
  );
}

/** The result of an answer; a failure throws. */
export function hostawayResult(document: Uint8Array): { readonly result: unknown; readonly count: unknown } {
  const envelope = readHostawayEnvelope(document);
  if (envelope.kind === 'fail') throw new BookingSystemFailure('rejected', 'Hostaway refused the request');
  return envelope;
}
