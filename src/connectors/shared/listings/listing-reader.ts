import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type CutPart, type Image, type Property, propertyIdOf } from '../../../catalogue/catalogue.ts';
import type { Rejection, RejectionFault } from '../../../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../../../catalogue/rejections/rejection-rules.ts';
import { cleanText, verbatimText } from '../../../catalogue/text/operator-text.ts';
import {
  ruleAgainstTextsTogether,
  TEXT_REASONS,
  type TextRule,
} from '../../../catalogue/text/text-for-a-model.ts';
import { readPublishedAmenities } from './amenities.ts';
import { type FaultFinder, firstFault, found } from './first-fault.ts';
import { Listing, type ListingContext, MAX_POLICY_LENGTH, Reference, specLineOf } from './listing.ts';
import { operatorAddress } from './operator-address.ts';

/**
 * `property` is null when the whole listing is rejected. Otherwise `rejections` names the parts that were dropped or replaced.
 */
export type ListingReading = {
  readonly property: Property | null;
  readonly rejections: readonly Rejection[];
};
const MAX_LENGTHS = { name: 120, location: 120, summary: 300, alt: 200 } as const;
const MAX_IMAGES = 40;
// An option of an answer holds no more. Together with the same limit for amenities this bounds the time for a listing.
const MAX_GALLERY_LETTERS = 4000;
const MAX_PAGE_ADDRESS = 300;
const MAX_IMAGE_ADDRESS = 500;
// Each fault costs time; after this many the other pictures are dropped.
const MAX_FAULTS = 10;
const NOT_YET_RATED = { score: 0, scale: 5, reviewCount: 0 } as const;
const RATING_NOT_PUBLISHED = { score: 0, scale: 5, reviewCount: null } as const;
/** "1", "2", "3": joined, the captions of numbered pictures would read as a phone number. */
const COUNTED_PICTURE = /^\P{L}{0,4}$/u;
const NO_REFERENCE = '(no reference)';

const confirmationHours = Compile(Listing.properties.confirmation_hours);
const ratingSchema = Compile(Listing.properties.rating);
const refundable = Compile(Listing.properties.cancellation.properties.refundable);
// A fault in an optional member must not reject the listing, so these members are checked separately.
const listingSchema = Compile(
  Type.Object({
    ...Listing.properties,
    confirmation_hours: Type.Optional(Type.Unknown()),
    rating: Type.Optional(Type.Unknown()),
    cancellation: Type.Object({
      ...Listing.properties.cancellation.properties,
      refundable: Type.Optional(Type.Unknown()),
    }),
  }),
);
const referenceSchema = Compile(Reference);

/** Builds a new property from a listing of an operator, without references to the incoming object. */
export function readListing(listing: unknown, context: ListingContext): ListingReading {
  const reference = referenceOf(listing);
  const rejections: Rejection[] = [];
  const report = (field: string, fault: RejectionFault) =>
    rejections.push({ reference, field, ...fault, repaired: true });
  const refuse = (field: string, ...[fault]: readonly RejectionFault[]): ListingReading => {
    if (!fault) throw new Error(`${field} is refused without a fault`);
    return { property: null, rejections: [{ reference, field, ...fault }] };
  };

  if (!listingSchema.Check(listing)) {
    const { field, ...fault } = firstFault(listingSchema, listing);
    return refuse(field, fault);
  }

  const place = context.places.get(context.placeAliases.get(listing.place) ?? listing.place);
  if (place?.kind !== 'city') {
    const reason = 'is neither the identifier of a city of the network nor a name that is mapped to one';
    return refuse('place', fault('unknown_place', reason, listing.place));
  }
  if (listing.currency !== place.currency) {
    const reason = `is ${listing.currency}, but ${place.id} is compared in ${place.currency}`;
    return refuse('currency', fault('other_currency', reason, listing.currency));
  }

  const cut: CutPart[] = [];
  const noteCut = ({ text, wasCut }: { text: string; wasCut: boolean }, part: CutPart | null): string => {
    if (wasCut && part !== null) cut.push(part);
    return text;
  };

  const name = cleanText(listing.name, MAX_LENGTHS.name);
  if (name.kind === 'invalid') return refuse('name', ...name.faults);
  const shownName = noteCut(name.value, 'name');
  if (shownName === '') return refuse('name', nothingToShow(listing.name));

  // A policy is quoted word for word, so nothing can replace it.
  const policy = verbatimText(listing.cancellation.summary, MAX_POLICY_LENGTH);
  if (policy.kind === 'invalid') return refuse('cancellation/summary', ...policy.faults);
  const shownPolicy = noteCut(policy.value, 'cancellation.summary');
  if (shownPolicy === '') return refuse('cancellation/summary', nothingToShow(listing.cancellation.summary));

  const { hosts, pagePattern = null, imagePattern = null } = context;
  const pages = { hosts, pattern: pagePattern, maxLength: MAX_PAGE_ADDRESS };
  const address = operatorAddress(listing.url, reference, pages);
  if (address.kind === 'invalid') return refuse('url', ...address.faults);

  const textOr = (
    field: string,
    part: CutPart | null,
    raw: string,
    maxLength: number,
    fallback: string,
  ): string => {
    const text = cleanText(raw, maxLength);
    if (text.kind === 'invalid') {
      for (const fault of text.faults) report(field, fault);
      return fallback;
    }
    return noteCut(text.value, part) || fallback;
  };

  const pictures = { hosts, pattern: imagePattern, maxLength: MAX_IMAGE_ADDRESS };
  const images: Image[] = [];
  let letters = 0;
  for (const [index, image] of listing.images.entries()) {
    if (images.length >= MAX_IMAGES || letters > MAX_GALLERY_LETTERS) {
      cut.push('images.gallery');
      break;
    }
    if (rejections.length >= MAX_FAULTS) {
      const reason = `has ${MAX_FAULTS} faults, and the pictures from images/${index} on were not read`;
      report('images', fault('too_many_faults', reason));
      break;
    }
    const picture = operatorAddress(image.url, reference, pictures);
    if (picture.kind === 'invalid') {
      for (const fault of picture.faults) report(`images/${index}/url`, fault);
      continue;
    }
    const alt = textOr(`images/${index}/alt`, null, image.alt, MAX_LENGTHS.alt, shownName);
    images.push({ url: picture.value, alt, type: image.type });
    letters += picture.value.length + alt.length;
  }
  const [primary, ...gallery] = images;
  if (!primary) return refuse('images', noUsableImage(rejections));

  const location = textOr('location', 'location', listing.location, MAX_LENGTHS.location, place.name);
  const summary = textOr(
    'summary',
    'capacity.summary',
    listing.summary,
    MAX_LENGTHS.summary,
    specLineOf({ sleeps: listing.max_guests, bedrooms: listing.bedrooms, bathrooms: listing.bathrooms }),
  );
  const published = listing.amenities ? readPublishedAmenities(listing.amenities, report) : null;
  if (published?.wasCut) cut.push('amenities');
  const alts = images.map(({ alt }) => alt).filter((alt) => !COUNTED_PICTURE.test(alt));
  const texts = [shownName, location, summary, ...Object.values(published?.amenities ?? {}), shownPolicy];
  const broken = ruleAgainstTextsTogether([...texts, ...alts]);
  if (broken !== undefined) return refuse('', spreadOverTexts(broken));

  const free = listing.cancellation.free_until;
  const optional = <T>(field: string, value: unknown, schema: FaultFinder<T>) => {
    if (value === undefined || schema.Check(value)) return value ?? null;
    const { field: member, ...broken } = firstFault(schema, value);
    report(member === '' ? field : `${field}/${member}`, broken);
    return null;
  };
  const rating = optional('rating', listing.rating, ratingSchema);
  if (rating && rating.score > rating.scale) {
    const reason = `is ${rating.score}, above its scale of ${rating.scale}`;
    report('rating/score', fault('rating_above_scale', reason, rating.score));
  }
  // An unreadable rating still exists, so the home does not count as unrated.
  const withoutRating = listing.rating === null ? NOT_YET_RATED : RATING_NOT_PUBLISHED;
  const canBeRefunded = optional('cancellation/refundable', listing.cancellation.refundable, refundable);
  const contradictsItself = canBeRefunded === false && Boolean(free);
  if (contradictsItself) {
    const reason = 'is false, but free_until says until when cancelling is free';
    report('cancellation/refundable', fault('contradicts_itself', reason, canBeRefunded));
  }

  const property: Property = {
    id: propertyIdOf(context.brand, reference),
    brand: context.brand,
    reference,
    name: shownName,
    place: place.id,
    location,
    maxGuests: listing.max_guests,
    summary,
    bedrooms: listing.bedrooms ?? null,
    bathrooms: twoDecimals(listing.bathrooms ?? null),
    amenities: published?.amenities ?? null,
    rating:
      rating && rating.score <= rating.scale
        ? {
            score: twoDecimals(rating.score),
            scale: twoDecimals(rating.scale),
            reviewCount: rating.review_count ?? null,
          }
        : withoutRating,
    cancellation: {
      summary: shownPolicy,
      free: free ? { daysBefore: free.days_before, time: free.time } : null,
      refundable: contradictsItself ? null : canBeRefunded,
    },
    checkInTime: listing.check_in_time ?? null,
    checkOutTime: listing.check_out_time ?? null,
    images: [primary, ...gallery],
    url: address.value,
    currency: listing.currency,
    bookingMode: listing.booking_mode,
    confirmationHours: twoDecimals(
      optional('confirmation_hours', listing.confirmation_hours, confirmationHours),
    ),
    leadDays: listing.lead_days ?? 0,
    ...(cut.length > 0 ? { cut } : {}),
  };
  return { property, rejections };
}

export function listedBefore(reference: string): Rejection {
  const reason = 'was listed before; the first listing counts';
  return { reference, field: 'reference', ...fault('listed_twice', reason, reference), repaired: true };
}

function fault(rule: RejectionRule, reason: string, value?: unknown): RejectionFault {
  return { rule, reason, ...found(value) };
}

function nothingToShow(text: string): RejectionFault {
  const reason = 'has nothing to show once markup and invisible characters are taken out';
  return fault('empty_text', reason, text);
}

function spreadOverTexts(rule: TextRule): RejectionFault {
  if (rule === 'addresses_assistant') {
    const reason = 'has texts that, read together, address the assistant instead of the traveller';
    return fault('texts_address_assistant', reason);
  }
  return fault(rule, `has texts of which at least two, read together, make one that ${TEXT_REASONS[rule]}`);
}

/** Names the first faulty picture; the listing is rejected, so its repaired parts are not reported. */
function noUsableImage(rejections: readonly Rejection[]): RejectionFault {
  const first = rejections.find(({ field }) => field.startsWith('images/'));
  const reason = `has no picture that can be shown: ${first?.field} ${first?.reason}`;
  return { rule: 'no_usable_image', reason, ...(first?.value === undefined ? {} : { value: first.value }) };
}

/** Rounds, because a phone number fits into the decimals of a number. */
function twoDecimals<Value extends number | null>(value: Value): Value {
  return (value === null ? null : Math.round(value * 100) / 100) as Value;
}

/** Also works for listings that break the schema elsewhere, so that the report can name them. */
function referenceOf(listing: unknown): string {
  if (typeof listing !== 'object' || listing === null || !('reference' in listing)) return NO_REFERENCE;
  return referenceSchema.Check(listing.reference) ? listing.reference : NO_REFERENCE;
}
