import type { EmulatedHome } from '../homes.ts';
import { availabilityOf, calendarChangedAt, changeOverOf, ratesOf } from './calendars.ts';
import { decimalText, withPoint } from './decimals.ts';
import {
  type BookingsyncRecord,
  type RecordSource,
  rentalIdOf,
  secondsText,
  times,
  type UnwrittenRecord,
} from './record.ts';

type BookingsyncResource = {
  readonly records: (source: RecordSource) => UnwrittenRecord[];
  /** Beyond `public`, which every token has. */
  readonly scope?: string;
  /** The member of the answer, where it is not the name in the path. */
  readonly key?: string;
};

const ACCOUNT_ID = 7;
const ACCOUNT_POLICY_ID = 90_001;
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
  rentals: { records: oneForEachHome(rentalOf) },
  photos: { records: someForEachHome(photosOf, ({ images }) => images.length) },
  amenities: { records: written(({ amenities }) => amenities.map(amenityOf)) },
  rentals_amenities: { records: someForEachHome(rentalsAmenitiesOf, ({ amenities }) => amenities.length) },
  rental_cancelation_policies: { records: policiesOf },
  rental_cancelation_policy_items: {
    records: someForEachHome(policyItemsOf, (home) =>
      home.freeCancellationDays === null || !hasOwnPolicy(home) ? 0 : 1,
    ),
  },
  availabilities: { records: oneForEachHome(availabilityOf, calendarChangedAt) },
  change_overs: { records: oneForEachHome(changeOverOf, calendarChangedAt) },
  rates: { records: written(ratesOf) },
};

/** The number of such a record is that of its rental. */
function oneForEachHome(
  write: (home: EmulatedHome, source: RecordSource) => BookingsyncRecord,
  changedAt: (home: EmulatedHome, source: RecordSource) => number = (_home, { createdAt }) => createdAt,
) {
  return (source: RecordSource): UnwrittenRecord[] =>
    source.world.homes.map((home) => ({
      id: rentalIdOf(home.id),
      changedAt: changedAt(home, source),
      write: () => write(home, source),
    }));
}

function someForEachHome(
  write: (home: EmulatedHome, source: RecordSource) => BookingsyncRecord[],
  countOf: (home: EmulatedHome) => number,
) {
  return (source: RecordSource): UnwrittenRecord[] =>
    source.world.homes.flatMap((home) =>
      partIds(home, countOf(home)).map((id, index) => ({
        id,
        changedAt: source.createdAt,
        write: () => write(home, source)[index] ?? { id },
      })),
    );
}

function written(records: (source: RecordSource) => BookingsyncRecord[]) {
  return (source: RecordSource): UnwrittenRecord[] =>
    records(source).map((record) => ({ id: record.id, changedAt: source.createdAt, write: () => record }));
}

/** Of what a rental has several of. */
function partIds(home: EmulatedHome, count: number): number[] {
  return Array.from({ length: count }, (_, index) => rentalIdOf(home.id) * 100 + index);
}

function rentalOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord {
  const id = rentalIdOf(home.id);
  const reference = source.world.today();
  const rate = decimalText(home.nightlyPrice(reference), home.currency);
  return {
    links: {
      account: ACCOUNT_ID,
      availability: id,
      change_over: id,
      destination: DESTINATION_ID + source.cities.indexOf(home.city),
      ...(hasOwnPolicy(home) ? { rental_cancelation_policy: id } : {}),
      photos: partIds(home, home.images.length),
      rentals_amenities: partIds(home, home.amenities.length),
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

export function amenitiesOf(homes: readonly EmulatedHome[]): string[] {
  return [...new Set([...Object.keys(AMENITIES), ...homes.flatMap(({ amenities }) => amenities)])];
}

function amenityOf(neutral: string, index: number): BookingsyncRecord {
  const words = neutral.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const [key, title] = AMENITIES[neutral] ?? [neutral, words.join(' ')];
  return { id: index + 1, key, title: { en: title } };
}

function rentalsAmenitiesOf(home: EmulatedHome, source: RecordSource): BookingsyncRecord[] {
  return home.amenities.map((amenity, index) => ({
    links: { amenity: source.amenities.indexOf(amenity) + 1, rental: rentalIdOf(home.id) },
    id: rentalIdOf(home.id) * 100 + index,
    details: {},
    ...times(source),
  }));
}

/** A home without words of its own has no policy, and the one of the account holds for it. */
function hasOwnPolicy({ cancellation }: EmulatedHome): boolean {
  return cancellation !== '';
}

function policiesOf(source: RecordSource): UnwrittenRecord[] {
  const { homes } = source.world;
  const own = homes.filter(hasOwnPolicy).map((home) => ({
    id: rentalIdOf(home.id),
    changedAt: source.createdAt,
    write: () => policyOf(home, source),
  }));
  return homes.every(hasOwnPolicy) ? own : [...own, ...written(accountPoliciesOf)(source)];
}

function accountPoliciesOf(source: RecordSource): BookingsyncRecord[] {
  return [
    {
      links: {
        account: ACCOUNT_ID,
        rental_cancelation_policy_items: [],
        policeable_id: ACCOUNT_ID,
        policeable_type: 'Account',
      },
      id: ACCOUNT_POLICY_ID,
      body: '',
      body_translations: {},
      preset: 'moderate',
      ...times(source),
    },
  ];
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
  if (home.freeCancellationDays === null || !hasOwnPolicy(home)) return [];
  return [
    {
      links: { rental_cancelation_policy: rentalIdOf(home.id) },
      id: rentalIdOf(home.id) * 100,
      eligible_days: home.freeCancellationDays,
      penalty_percentage: '50.0',
      ...times(source),
    },
  ];
}
