import type { EmulatedHome } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { availabilityOf, changeOverOf, nightlyRateMapOf, ratesOf } from './calendars.ts';
import { decimalText, withPoint } from './decimals.ts';
import { type BookingsyncRecord, type RecordSource, rentalIdOf, secondsText, times } from './record.ts';

type BookingsyncResource = {
  readonly records: (source: RecordSource) => BookingsyncRecord[];
  /** Beyond `public`, which every token has. */
  readonly scope?: string;
  /** The member of the answer, where it is not the name in the path. */
  readonly key?: string;
};

const ACCOUNT_ID = 7;
const DESTINATION_ID = 3212;
/** Keys and titles of the vendor's list; it has no amenities of an account's own. */
const AMENITIES: Readonly<Record<string, readonly [key: string, title: string]>> = {
  wifi: ['internet', 'Internet'],
  pool: ['pool_private', 'Pool Private'],
  kitchen: ['full_equipped_kitchen', 'Full Equipped Kitchen'],
  parking: ['parking_included', 'Parking Included'],
  air_conditioning: ['air_conditioning', 'Air Conditioning'],
  washing_machine: ['washing_machine', 'Washing Machine'],
  pets_allowed: ['pets_considered', 'Pets Considered'],
};

export const BOOKINGSYNC_RESOURCES: Readonly<Record<string, BookingsyncResource>> = {
  rentals: { records: (source) => source.world.homes.map((home) => rentalOf(home, source)) },
  photos: { records: (source) => source.world.homes.flatMap((home) => photosOf(home, source)) },
  amenities: { records: ({ world }) => amenityKeys(world).map(amenityOf) },
  rentals_amenities: {
    records: (source) => source.world.homes.flatMap((home) => rentalsAmenitiesOf(home, source)),
  },
  rental_cancelation_policies: {
    records: (source) => source.world.homes.map((home) => policyOf(home, source)),
  },
  rental_cancelation_policy_items: {
    records: (source) => source.world.homes.flatMap((home) => policyItemsOf(home, source)),
  },
  destinations: { records: ({ world }) => destinationsOf(world) },
  accounts: { records: (source) => [{ id: ACCOUNT_ID, business_name: 'Emulated Stays', ...times(source) }] },
  me: {
    key: 'accounts_applications',
    records: () => [{ id: 1, links: { account: ACCOUNT_ID }, partnership_invoice_recipient: 'account' }],
  },
  availabilities: { records: (source) => source.world.homes.map((home) => availabilityOf(home, source)) },
  change_overs: { records: (source) => source.world.homes.map((home) => changeOverOf(home, source)) },
  nightly_rate_maps: {
    scope: 'rates_read',
    records: (source) => source.world.homes.map((home) => nightlyRateMapOf(home, source)),
  },
  rates: { records: ratesOf },
};

function rentalOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord {
  const id = rentalIdOf(home.id);
  const reference = source.world.today();
  const rate = decimalText(home.nightlyPrice(reference), home.currency);
  return {
    links: {
      account: ACCOUNT_ID,
      availability: id,
      change_over: id,
      nightly_rate_map: id,
      destination: DESTINATION_ID + distinctCities(source.world).indexOf(home.city),
      rental_cancelation_policy: id,
      photos: photosOf(home, source).map((photo) => photo.id),
      rentals_amenities: rentalsAmenitiesOf(home, source).map((amenity) => amenity.id),
      rentals_fees: [id],
      reviews: [],
      special_offers: [],
      rates: ratesOf({ ...source, world: { ...source.world, homes: [home] } }).map((each) => each.id),
      bathrooms: [],
      bedrooms: [],
      rentals_tags: [],
    },
    id,
    name: home.name,
    headline: { en: home.name },
    summary: { en: home.description },
    description: { en: home.description },
    rental_type: 'house',
    management_type: 'professional',
    downpayment: 30,
    bedrooms_count: home.bedrooms,
    sleeps: home.maxGuests,
    sleeps_max: home.maxGuests,
    bathrooms_count: home.bathrooms,
    full_bathrooms_count: home.bathrooms,
    surface: 90,
    surface_unit: 'metric',
    bookable_online: true,
    instantly_bookable: true,
    bookable_on_request: true,
    min_price: rate,
    max_price: rate,
    base_rate: rate,
    base_rate_kind: 'nightly',
    absolute_min_stay: home.minimumStay(reference),
    currency: home.currency,
    damage_deposit: decimalText(home.deposit, home.currency),
    lat: home.latitude,
    lng: home.longitude,
    city: home.city,
    state: null,
    country_code: home.countryCode,
    contact_name: 'The Reception',
    reviews_count: home.rating?.count ?? 0,
    reviews_average_rating: home.rating ? withPoint(home.rating.average) : null,
    checkin_time: home.checkInHour,
    checkin_end_time: 24,
    checkout_time: home.checkOutHour,
    initial_price: null,
    final_price: null,
    position: home.id,
    website_url: { en: `http://${source.request.host}/homes/${id}` },
    permit_number: null,
    published_at: secondsText(source.createdAt),
    ...times(source),
  };
}

function photosOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord[] {
  return home.images.map(({ path, caption }, index) => {
    const url = `http://${source.request.host}${path}`;
    return {
      links: { account: ACCOUNT_ID, rental: rentalIdOf(home.id) },
      id: rentalIdOf(home.id) * 100 + index,
      description: { en: caption },
      kind: index === 0 ? 'outside' : 'livingroom',
      micro_url: url,
      thumb_url: url,
      small_url: url,
      compact_url: url,
      medium_url: url,
      large_url: url,
      grande_url: url,
      giant_url: url,
      position: index + 1,
      height: 2000,
      ratio: '1.5',
      width: 3000,
      ...times(source),
    };
  });
}

function amenityKeys(world: EmulatedWorld): string[] {
  return [...new Set([...Object.keys(AMENITIES), ...world.homes.flatMap(({ amenities }) => amenities)])];
}

function amenityOf(neutral: string, index: number): BookingsyncRecord {
  const words = neutral.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const [key, title] = AMENITIES[neutral] ?? [neutral, words.join(' ')];
  return { id: index + 1, key, title: { en: title } };
}

function rentalsAmenitiesOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord[] {
  const keys = amenityKeys(source.world);
  return home.amenities.map((amenity, index) => ({
    links: { amenity: keys.indexOf(amenity) + 1, rental: rentalIdOf(home.id) },
    id: rentalIdOf(home.id) * 1000 + index,
    details: {},
    ...times(source),
  }));
}

function policyOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord {
  return {
    links: {
      rental: rentalIdOf(home.id),
      rental_cancelation_policy_items: policyItemsOf(home, source).map(({ id }) => id),
      policeable_type: 'Rental',
    },
    id: rentalIdOf(home.id),
    body: home.cancellation,
    body_translations: { en: home.cancellation },
    preset: null,
    ...times(source),
  };
}

/** From so many days before the arrival on, half of the price is kept; before, nothing. */
function policyItemsOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord[] {
  if (home.freeCancellationDays === null) return [];
  return [
    {
      links: { rental_cancelation_policy: rentalIdOf(home.id) },
      id: rentalIdOf(home.id),
      eligible_days: home.freeCancellationDays,
      penalty_percentage: '50.0',
      ...times(source),
    },
  ];
}

function distinctCities(world: EmulatedWorld): string[] {
  return [...new Set(world.homes.map(({ city }) => city))];
}

function destinationsOf(world: EmulatedWorld): BookingsyncRecord[] {
  return distinctCities(world).map((city, index) => ({
    id: DESTINATION_ID + index,
    name: { en: city },
    fullname: { en: `${city}, World` },
    permalink: { en: `world/${city.toLowerCase()}` },
    aliases: {},
    counter: world.homes.filter((home) => home.city === city).length,
    ancestor_ids: [1],
  }));
}
