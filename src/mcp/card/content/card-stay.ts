import type { Option, Quote } from '../../../contract/option.ts';
import type { ToolOption } from '../../../contract/tools/stay-answer.ts';
import type { StaySort } from '../../../contract/tools/stay-arguments.ts';

/** One option as the card shows it, from either part of the tool result. Null means unknown. */
export type CardStay = {
  readonly id: string;
  readonly rank: number;
  readonly name: string;
  readonly brand: string;
  readonly location: string;
  readonly total: number;
  readonly nightly: number;
  readonly maxGuests: number;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly capacitySummary: string | null;
  readonly rating: Option['rating'] | null;
  readonly cancellation: CardCancellation;
  readonly bookingMode: Option['availability']['booking_mode'];
  readonly confirmationHours: number | null;
  readonly checkInTime: string | null;
  readonly checkOutTime: string | null;
  readonly picture: Option['images']['primary'] | null;
  readonly amenities: CardAmenities;
  readonly quote: Quote | null;
  readonly url: string;
};

export type CardCancellation = {
  readonly operatorWords: string;
  /** As of the time when the price was read. */
  readonly free: Option['cancellation']['free_cancellation'];
  readonly freeUntil: string | null;
  /** The same instant in the local time of the home. */
  readonly freeUntilLocal: string | null;
  readonly refundable: boolean | null;
};

/** `left_out` when the part of the result with the amenities did not arrive. */
export type CardAmenities = Readonly<Record<string, string>> | 'unpublished' | 'left_out';

export function stayOfOption(option: Option): CardStay {
  const { capacity, cancellation, availability, quote } = option;
  return {
    id: option.property_id,
    rank: option.rank,
    name: option.name,
    brand: option.brand,
    location: option.location,
    total: quote.amount,
    nightly: quote.nightly_average,
    maxGuests: capacity.max_guests,
    bedrooms: capacity.bedrooms,
    bathrooms: capacity.bathrooms,
    capacitySummary: capacity.summary,
    rating: option.rating,
    cancellation: {
      operatorWords: cancellation.summary,
      free: cancellation.free_cancellation,
      freeUntil: cancellation.free_cancellation_until,
      freeUntilLocal: cancellation.free_cancellation_until_local ?? null,
      refundable: cancellation.refundable ?? null,
    },
    bookingMode: availability.booking_mode,
    confirmationHours: availability.confirmation_hours ?? null,
    checkInTime: option.check_in_time,
    checkOutTime: option.check_out_time,
    picture: option.images.primary,
    amenities: option.amenities ?? 'unpublished',
    quote,
    url: option.url,
  };
}

export function stayOfStructuredOption(option: ToolOption): CardStay {
  return {
    id: option.property_id,
    rank: option.rank,
    name: option.name,
    brand: option.brand,
    location: option.location,
    total: option.total,
    nightly: option.nightly_average,
    maxGuests: option.max_guests,
    bedrooms: option.bedrooms,
    bathrooms: option.bathrooms,
    capacitySummary: null,
    rating: option.rating,
    cancellation: {
      operatorWords: '',
      free: option.free_cancellation,
      freeUntil: option.free_cancellation_until,
      freeUntilLocal: null,
      refundable: option.refundable,
    },
    bookingMode: option.booking_mode,
    confirmationHours: null,
    checkInTime: null,
    checkOutTime: null,
    picture: null,
    amenities: 'left_out',
    quote: null,
    url: option.url,
  };
}

export type StayOrder = { readonly by: StaySort; readonly direction: 'ascending' | 'descending' };

/** The usual direction of each order: cheapest, best rated or largest first. */
export const NATURAL_ORDERS: Readonly<Record<StaySort, StayOrder>> = {
  price: { by: 'price', direction: 'ascending' },
  rating: { by: 'rating', direction: 'descending' },
  capacity: { by: 'capacity', direction: 'descending' },
};

const VALUES: Readonly<Record<StaySort, (stay: CardStay) => number>> = {
  price: ({ total }) => total,
  // Operators rate on different scales.
  rating: ({ rating }) => (rating === null ? 0 : rating.score / rating.scale),
  capacity: ({ maxGuests }) => maxGuests,
};

export function isRated({ rating }: CardStay): boolean {
  return rating !== null && rating.score > 0;
}

/** Ties keep the order of the set, and stays without a rating come last in both directions. */
export function sortStays(stays: readonly CardStay[], { by, direction }: StayOrder): readonly CardStay[] {
  const sortValue = VALUES[by];
  const sign = direction === 'ascending' ? 1 : -1;
  const missing = (stay: CardStay) => Number(by === 'rating' && !isRated(stay));
  return stays.toSorted(
    (one, other) =>
      missing(one) - missing(other) || sign * (sortValue(one) - sortValue(other)) || one.rank - other.rank,
  );
}

export function reversed({ by, direction }: StayOrder): StayOrder {
  return { by, direction: direction === 'ascending' ? 'descending' : 'ascending' };
}

export const ORDER_NAMES: Readonly<Record<`${StaySort}-${StayOrder['direction']}`, string>> = {
  'price-ascending': 'Lowest total',
  'price-descending': 'Highest total',
  'rating-descending': 'Best rated',
  'rating-ascending': 'Lowest rated',
  'capacity-descending': 'Most guests',
  'capacity-ascending': 'Fewest guests',
};

/** Whether an address may become a link or a picture: only http and https, never a script or a file. */
export function isWebLink(address: string): boolean {
  return URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);
}
