import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedRequest } from '../exchange.ts';
import type { EmulatedHome } from '../homes.ts';

// Far apart, so that a room type taken for its property is noticed.
const PROPERTIES_FROM = 430_000;
const ROOM_TYPES_FROM = 498_000;

export function propertyIdOf(home: EmulatedHome): number {
  return PROPERTIES_FROM + home.id;
}

export function roomTypeIdOf(home: EmulatedHome): number {
  return ROOM_TYPES_FROM + home.id;
}

/** An account keeps its settings, so they are the same for every home. */
export type LodgifyRateSettings = {
  readonly vatPercent: number;
  readonly isVatExclusive: boolean;
};

export function propertyOf(home: EmulatedHome, request: EmulatedRequest) {
  const price = lowestPrice(home);
  return {
    id: propertyIdOf(home),
    name: home.name,
    description: `<p>${escapeHtml(home.description)}</p>`,
    latitude: home.latitude,
    longitude: home.longitude,
    address: ' - ',
    zip: '1100-148',
    city: home.city,
    country: countryName(home.countryCode, request),
    image_url: home.images[0] ? pictureUrl(home.images[0].path, request) : null,
    has_addons: false,
    has_agreement: false,
    agreement_text: null,
    agreement_url: null,
    contact: { spoken_languages: ['EN', 'PT'] },
    rating: home.rating?.average ?? 0,
    price_unit_in_days: 1,
    min_price: price,
    original_min_price: price,
    max_price: price,
    original_max_price: price,
    rooms: [{ id: roomTypeIdOf(home), name: home.name }],
    in_out_max_date: '0001-01-01',
    in_out: null,
    currency_code: home.currency,
    created_at: '2026-01-12T09:30:00',
    updated_at: '2026-10-02T17:05:21',
    is_active: true,
  };
}

export function roomTypeOf(home: EmulatedHome, request: EmulatedRequest) {
  const price = lowestPrice(home);
  return {
    images: home.images.map(({ path, caption }) => ({ text: caption, url: pictureUrl(path, request) })),
    amenities: amenitiesOf(home),
    description: null,
    breakfast_included: false,
    has_parking: home.amenities.includes('parking'),
    adults_only: false,
    pets_allowed: home.amenities.includes('pets_allowed') ? true : null,
    show_additional_key_facts: false,
    id: roomTypeIdOf(home),
    name: home.name,
    image_url: home.images[0] ? pictureUrl(home.images[0].path, request) : null,
    max_people: home.maxGuests,
    units: 1,
    has_wifi: home.amenities.includes('wifi'),
    has_meal_plan: false,
    bedrooms: home.bedrooms,
    bathrooms: home.bathrooms,
    area_unit: 'sqm',
    area: 84,
    min_price: price,
    original_min_price: price,
    max_price: price,
    original_max_price: price,
    price_unit_in_days: 1,
    currency: { id: 92, code: home.currency, name: home.currency, euro_forex: 1, symbol: home.currency },
  };
}

export function rateSettingsOf(home: EmulatedHome, { vatPercent, isVatExclusive }: LodgifyRateSettings) {
  return {
    bookability: 0,
    check_in_hour: home.checkInHour,
    check_out_hour: home.checkOutHour,
    booking_window_days: 730,
    advance_notice_days: 0,
    advance_notice_hours: 0,
    preparation_time_days: 0,
    currency_code: home.currency,
    vat: vatPercent,
    is_vat_exclusive: isVatExclusive,
  };
}

const AMENITY_GROUPS = [
  'room',
  'further-info',
  'cooking',
  'entertainment',
  'heating',
  'laundry',
  'livingroom',
  'miscellaneous',
  'outside',
  'parking',
  'sanitary',
  'sleeping',
] as const;
type AmenityGroup = (typeof AMENITY_GROUPS)[number];

/** Only the names of beds have been published; the others follow their pattern, the group and then the thing. */
const AMENITIES: Readonly<Record<string, { group: AmenityGroup; name: string; text: string }>> = {
  wifi: { group: 'entertainment', name: 'EntertainmentWifi', text: 'Wi-Fi' },
  tv: { group: 'entertainment', name: 'EntertainmentTv', text: 'TV' },
  kitchen: { group: 'cooking', name: 'CookingKitchen', text: 'Kitchen' },
  dishwasher: { group: 'cooking', name: 'CookingDishwasher', text: 'Dishwasher' },
  air_conditioning: { group: 'heating', name: 'HeatingAirConditioning', text: 'Air conditioning' },
  heating: { group: 'heating', name: 'HeatingHeating', text: 'Heating' },
  washing_machine: { group: 'laundry', name: 'LaundryWashingMachine', text: 'Washing machine' },
  dryer: { group: 'laundry', name: 'LaundryTumbleDryer', text: 'Tumble dryer' },
  pool: { group: 'outside', name: 'OutsideSwimmingPool', text: 'Swimming pool' },
  parking: { group: 'parking', name: 'ParkingFreeParking', text: 'Free parking' },
  pets_allowed: { group: 'further-info', name: 'FurtherInfoPetsAllowed', text: 'Pets allowed' },
};

type LodgifyAmenity = { name: string; prefix: string | null; bracket: string | null; text: string };

function amenitiesOf(home: EmulatedHome): Record<string, LodgifyAmenity[]> {
  const groups = Object.fromEntries(AMENITY_GROUPS.map((group) => [group, [] as LodgifyAmenity[]]));
  for (const key of home.amenities) {
    const words = key.split('_');
    const custom = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const { group, name, text } = AMENITIES[key] ?? {
      group: 'miscellaneous',
      name: `Miscellaneous${custom}`,
      text: words.join(' '),
    };
    groups[group]?.push({ name, prefix: null, bracket: null, text });
  }
  const beds = String(home.bedrooms);
  groups.sleeping?.push({
    name: 'SleepingDoubleBed',
    prefix: beds,
    bracket: null,
    text: `${beds} Double bed`,
  });
  return groups;
}

/** Without a scheme, as the vendor sends them. */
function pictureUrl(path: string, { host }: EmulatedRequest): string {
  return `//${host}${path}?f=32`;
}

function countryName(code: string, request: EmulatedRequest): string {
  const language = /^[a-z]{2}\b/.exec(request.headers['accept-language'] ?? '')?.[0] ?? 'en';
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}

function lowestPrice(home: EmulatedHome): number {
  return toDecimal(home.nightlyPrice('2026-01-01'), home.currency);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
