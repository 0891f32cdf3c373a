import type { ImageType } from '../src/catalogue/catalogue.ts';
import type { Listing } from '../src/connectors/shared/listings/listing.ts';
import { AMENITIES } from './amenities.ts';
import type { Property } from './properties.ts';
import { KINDS } from './properties.ts';

/** The website promises an answer within a day. */
const CONFIRMATION_HOURS = 24;

/** What the operator publishes about a property. `site` is the address of its website. */
export function listingOf(property: Property, site: string): Listing {
  const { brand, city, reference } = property;
  const facts = brand.publishesFacts;
  return {
    reference,
    name: property.name,
    place: brand.usesLocalNames ? city.localName : city.id,
    location: `${capitalised(property.neighbourhood)}, ${city.name}`,
    max_guests: property.maxGuests,
    summary: summaryOf(property),
    bedrooms: facts ? property.bedrooms : null,
    bathrooms: facts ? property.bathrooms : null,
    amenities: facts ? Object.fromEntries(property.amenities.map((key) => [key, AMENITIES[key]])) : null,
    rating: ratingOf(property),
    cancellation: {
      summary: property.cancellation.summary,
      free_until: facts ? property.cancellation.freeUntil : null,
      refundable: facts ? property.cancellation.freeUntil !== null : null,
    },
    check_in_time: facts ? property.checkInTime : null,
    check_out_time: facts ? property.checkOutTime : null,
    images: property.pictures.map((type) => ({
      url: `${site}/pictures/${reference}/${type}.svg`,
      alt: altTextOf(property, type),
      type,
    })),
    url: `${site}/stays/${reference}`,
    currency: city.currency,
    booking_mode: property.bookingMode,
    confirmation_hours: facts && property.bookingMode === 'request' ? CONFIRMATION_HOURS : null,
    lead_days: property.leadDays,
  };
}

function ratingOf({ brand, reviewScore, reviewCount }: Property): Exclude<Listing['rating'], undefined> {
  if (reviewScore === null) return null;
  return {
    score: Math.round(reviewScore * brand.ratingScale * 10) / 10,
    scale: brand.ratingScale,
    review_count: brand.publishesFacts ? reviewCount : null,
  };
}

function summaryOf({ brand, kind, bedrooms, bathrooms, squareMetres, maxGuests }: Property): string {
  const word = capitalised(KINDS[kind].word);
  if (!brand.publishesFacts) return `${word} for up to ${maxGuests}`;
  const rooms = bedrooms === 0 ? 'one room' : counted(bedrooms, 'bedroom');
  return [word, `sleeps ${maxGuests}`, rooms, counted(bathrooms, 'bathroom'), `${squareMetres} m²`].join(
    ' · ',
  );
}

function altTextOf({ name, city, neighbourhood }: Property, type: ImageType): string {
  const where = `${neighbourhood}, ${city.name}`;
  const words: Partial<Record<ImageType, string>> = {
    exterior: `The front of ${name} in ${where}`,
    view: `The view over ${city.name} from ${name}`,
    living_area: `The living room of ${name}`,
    bedroom: `A bedroom of ${name}, with the bed made`,
    kitchen: `The kitchen of ${name}`,
    bathroom: `The bathroom of ${name}`,
    outdoor: `Where to sit outside at ${name}`,
    floor_plan: `Floor plan of ${name}`,
  };
  return words[type] ?? `${name} in ${where}`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
