import { type Static, Type } from 'typebox';
import { type BrandId, IMAGE_TYPES, type Place, type PlaceId } from '../../../catalogue/catalogue.ts';
import type { Rejection } from '../../../catalogue/rejections/rejection.ts';
import { pageAddress } from '../../../catalogue/stay-address.ts';
import { type LooseRecord, looseInteger, looseText } from '../vendors/loose-values.ts';

/** The description of a property, in the open protocol and in rate cards. All of its texts are untrusted. */
export const Reference = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'What the booking system calls the property.',
});
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' });
const TimeOfDay = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'HH:MM on the property’s clock.',
});
const Nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** More than any home has had guests. */
const MAX_REVIEWS = 1_000_000;

const ListingImage = Type.Object({
  url: Type.String({
    maxLength: 2048,
    description: 'https, on a host registered for the brand, at most 500 characters.',
  }),
  alt: Type.String({ maxLength: 2000 }),
  type: Type.Enum([...IMAGE_TYPES]),
});

export const Listing = Type.Object({
  reference: Reference,
  name: Type.String({ minLength: 1, maxLength: 2000 }),
  place: Type.String({
    minLength: 1,
    maxLength: 120,
    description: 'The city: its identifier on the network, or a name that the network file maps to one.',
  }),
  location: Type.String({ maxLength: 2000, description: 'Where it is, in words.' }),
  max_guests: Type.Integer({ minimum: 1, maximum: 100 }),
  summary: Type.String({ maxLength: 2000, description: 'The spec line of the listing page.' }),
  bedrooms: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  bathrooms: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
  amenities: Nullable(
    Type.Record(
      Type.String({ pattern: '^[a-z0-9_-]{1,40}$' }),
      Type.String({ minLength: 1, maxLength: 200 }),
      {
        description: 'Amenity key to label. Left out or null: not published.',
      },
    ),
  ),
  rating: Nullable(
    Type.Object(
      {
        score: Type.Number({ minimum: 0, maximum: 100 }),
        scale: Type.Number({ minimum: 1, maximum: 100 }),
        review_count: Nullable(Type.Integer({ minimum: 0, maximum: MAX_REVIEWS })),
      },
      { description: 'Null: nobody has rated it yet. Left out: not published.' },
    ),
  ),
  cancellation: Type.Object({
    summary: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'The policy, repeated word for word.',
    }),
    free_until: Nullable(
      Type.Object(
        { days_before: Type.Integer({ minimum: 0, maximum: 365 }), time: TimeOfDay },
        { description: 'Cancelling is free until this time, so many days before check-in.' },
      ),
    ),
    refundable: Nullable(
      Type.Boolean({ description: 'Whether the stay can be cancelled for a refund, in full or in part.' }),
    ),
  }),
  check_in_time: Nullable(TimeOfDay),
  check_out_time: Nullable(TimeOfDay),
  images: Type.Array(ListingImage, {
    minItems: 1,
    maxItems: 500,
    description: 'The first one is the primary image; the first 40 are shown.',
  }),
  url: Type.String({
    maxLength: 2048,
    description: 'The property’s page on the operator’s website, at most 300 characters.',
  }),
  currency: Currency,
  booking_mode: Type.Enum(['instant', 'request']),
  confirmation_hours: Nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 720,
      description: 'Within how many hours a booking on request is answered.',
    }),
  ),
  lead_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365, default: 0 })),
});
export type Listing = Static<typeof Listing>;

export type ListingContext = {
  readonly brand: BrandId;
  /** Hosts on which the brand's links and images may point, in the form in which `URL` writes them. */
  readonly hosts: readonly string[];
  /** Patterns of the addresses of its pages and pictures, if the network file has them. */
  readonly pagePattern?: string | null;
  readonly imagePattern?: string | null;
  /** The template of links to stays, if the network file has one. */
  readonly stayUrl?: string | null;
  /** The operator's name of a city → its identifier on the network. */
  readonly placeAliases: ReadonlyMap<string, PlaceId>;
  readonly places: ReadonlyMap<PlaceId, Place>;
};

export const MAX_POLICY_LENGTH = 2000;

/** A vendor's property in the shape of `Listing`, not checked yet. */
export type RawListing = { readonly [Member in keyof Listing]?: unknown } & {
  /** The country of the city, as a code or a name. Not a part of a property: `staywire connect` places the city by it. */
  readonly country?: unknown;
};

/** Adds a text that says so to a listing without a policy, and reports it. */
export function withPolicy(listing: RawListing): {
  readonly listing: RawListing;
  readonly rejections: readonly Rejection[];
} {
  const { cancellation, reference } = listing;
  const summary =
    typeof cancellation === 'object' && cancellation ? Reflect.get(cancellation, 'summary') : undefined;
  if (typeof summary === 'string' && summary.trim() !== '') return { listing, rejections: [] };
  return {
    listing: {
      ...listing,
      cancellation: { ...(cancellation as object | undefined), summary: POLICY_NOT_PUBLISHED },
    },
    rejections: typeof reference === 'string' ? [policyMissing(reference)] : [],
  };
}

function policyMissing(reference: string): Rejection {
  const reason = 'is not published by the booking system, and the listing says so';
  return { reference, field: 'cancellation/summary', rule: 'missing_member', reason, repaired: true };
}

/** Shown when a booking system has no policy: the home is accepted, but never shown as cancellable. */
export const POLICY_NOT_PUBLISHED =
  'The booking system of the operator states no cancellation policy. Read it on the operator’s website before booking.';

/** The page of a property by the brand's templates, for a vendor that does not send its address. Without a template it is empty, and the listing is rejected for that. */
export function listingPage(
  reference: string,
  { pagePattern, stayUrl }: Pick<ListingContext, 'pagePattern' | 'stayUrl'>,
): string {
  const template = pagePattern || stayUrl;
  // A lone surrogate cannot be encoded; such a reference is rejected later.
  return template ? pageAddress(template, reference.toWellFormed()) : '';
}

export type RawImage = { readonly url: string; readonly alt: string; readonly type: 'other' };

const MAX_ADDRESS = 2048;
const MAX_ALT = 2000;
const MAX_PLACE = 2000;

/** A picture of unknown type. Undefined without a usable address, so that one bad entry does not cost the others. */
export function rawImage(address: unknown, caption: unknown): RawImage | undefined {
  const text = looseText(address);
  if (text === undefined || text.length > MAX_ADDRESS) return undefined;
  const url = text.startsWith('//') ? `https:${text}` : text;
  return { url, alt: (looseText(caption) ?? '').slice(0, MAX_ALT), type: 'other' };
}

/** Where a home is, in words, from members such as its city. Leaves out the street: only booked guests learn the exact address. */
export function placeInWords(published: LooseRecord, members: readonly string[]): string {
  const parts = members.flatMap((name) => looseText(published[name])?.slice(0, MAX_PLACE) ?? []);
  return [...new Set(parts)].join(', ').slice(0, MAX_PLACE);
}

/** An hour of the day on the property's clock, which some vendors send in place of a time. */
export function fullHour(published: unknown): string | null {
  const hour = looseInteger(published);
  return hour !== undefined && hour >= 0 && hour < 24 ? `${String(hour).padStart(2, '0')}:00` : null;
}

/**
 * The spec line of a listing for which only the numbers are known: `2 bedrooms · 3 beds · 1 bathroom · 70 m²`. `sleeps` only fills a line
 * that would be empty otherwise, because it is shown beside the line.
 */
export function specLineOf({
  sleeps,
  bedrooms,
  beds,
  bathrooms,
  squareMetres,
}: {
  readonly sleeps?: number | null | undefined;
  readonly bedrooms?: number | null | undefined;
  readonly beds?: number | null | undefined;
  readonly bathrooms?: number | null | undefined;
  readonly squareMetres?: number | null | undefined;
}): string {
  const parts = [
    counted(bedrooms, 'bedroom'),
    counted(beds, 'bed'),
    counted(bathrooms, 'bathroom'),
    squareMetres ? `${squareMetres} m²` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0 && sleeps) return `Sleeps ${sleeps}`;
  return parts.join(' · ');
}

function counted(count: number | null | undefined, noun: string): string {
  if (!count) return '';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
