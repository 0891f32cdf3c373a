import type { Brand, Property } from '../../catalogue/catalogue.ts';
import type { Option } from '../../contract/option.ts';

type MembersBeforeTerms = Pick<
  Option,
  'property_id' | 'name' | 'brand' | 'location' | 'capacity' | 'amenities' | 'rating'
>;
type MembersAfterTerms = Pick<Option, 'check_in_time' | 'check_out_time' | 'images' | 'availability'>;

export type HomeMember = keyof MembersBeforeTerms | keyof MembersAfterTerms;

/** What an option says of a home whatever the stay, as members of a JSON object without its braces. */
export type HomeText = {
  readonly beforeTerms: string;
  readonly afterTerms: string;
  /** Its page, if that has neither query nor fragment and so takes a query as it is. */
  readonly plainPage: string | null;
};

type RememberedText = HomeText & { readonly brand: Brand };

/** Two thirds of a result: they are written once for as long as a listing is kept, not for every search that shows it. */
const remembered = new WeakMap<Property, RememberedText>();

export function homeText(property: Property, brand: Brand): HomeText {
  const known = remembered.get(property);
  if (known?.brand === brand) return known;
  const text = {
    brand,
    beforeTerms: membersText(membersBeforeTerms(property, brand)),
    afterTerms: membersText(membersAfterTerms(property, brand)),
    plainPage: plainPage(property.url),
  };
  remembered.set(property, text);
  return text;
}

/** Without the braces. */
export function membersText(members: object): string {
  return JSON.stringify(members).slice(1, -1);
}

function membersBeforeTerms(property: Property, brand: Brand): MembersBeforeTerms {
  return {
    property_id: property.id,
    name: property.name,
    brand: brand.name,
    location: property.location,
    capacity: {
      max_guests: property.maxGuests,
      summary: property.summary,
      bedrooms: property.bedrooms,
      bathrooms: property.bathrooms,
    },
    amenities: property.amenities,
    rating: {
      score: property.rating.score,
      scale: property.rating.scale,
      review_count: property.rating.reviewCount,
    },
  };
}

function membersAfterTerms(property: Property, brand: Brand): MembersAfterTerms {
  const [primary, ...gallery] = property.images;
  return {
    check_in_time: property.checkInTime,
    check_out_time: property.checkOutTime,
    images: {
      primary: { url: primary.url, alt: primary.alt },
      gallery: gallery.map(({ url, alt, type }) => ({ url, alt, type })),
    },
    availability: {
      status: 'available',
      booking_mode: property.bookingMode,
      inventory_source: brand.inventorySource,
      confirmation_hours: property.bookingMode === 'request' ? (property.confirmationHours ?? null) : null,
    },
  };
}

function plainPage(url: string): string | null {
  const { href } = new URL(url);
  return /[?#]/.test(href) ? null : href;
}
