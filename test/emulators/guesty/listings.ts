import { toDecimal } from '../../../src/stay/money.ts';
import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import { type EmulatedHome, nightsBetween } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { type GuestyShape, wrongParameters } from './refusals.ts';

const DEFAULT_LIMIT = 20;
const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });
const TIME_ZONES: Readonly<Record<string, string>> = {
  PT: 'Europe/Lisbon',
  FR: 'Europe/Paris',
  DE: 'Europe/Berlin',
};
const AMENITIES: Readonly<Record<string, string>> = {
  wifi: 'Wireless Internet',
  pool: 'Swimming pool',
  kitchen: 'Kitchen',
  parking: 'Free parking on premises',
  air_conditioning: 'Air conditioning',
  washing_machine: 'Washer',
  pets_allowed: 'Pets allowed',
};

/** 24 hexadecimal digits, as the vendor's database makes them. */
export function guestyIdOf(id: number): string {
  return `64b0c0de0000${id.toString(16).padStart(12, '0')}`;
}

export function homeOfGuestyId(world: EmulatedWorld, text: string): EmulatedHome | undefined {
  const id = Number.parseInt(text.slice(-12), 16);
  return guestyIdOf(id) === text ? world.home(id) : undefined;
}

export function citiesOf(world: EmulatedWorld): { country: string; state: string; city: string }[] {
  const cities = new Map(world.homes.map((home) => [home.city, home]));
  return [...cities.values()].map(({ city, countryCode }) => ({
    country: countryName(countryCode),
    state: '',
    city,
  }));
}

export function listingsPage(
  { query, host }: EmulatedRequest,
  world: EmulatedWorld,
  { shape, maxLimit }: { readonly shape: GuestyShape; readonly maxLimit: number },
): EmulatedAnswer {
  const limit = Number(query.get('limit') ?? Math.min(DEFAULT_LIMIT, maxLimit));
  if (!Number.isInteger(limit) || limit < 1) return wrongParameters(shape, '"limit" must be greater than 0');
  if (limit > 100) return wrongParameters(shape, '"limit" must be less than or equal to 100');
  const start = offsetIn(query.get('cursor'));
  if (start === undefined) return wrongParameters(shape, '"cursor" is not valid');
  const checkIn = query.get('checkIn');
  const checkOut = query.get('checkOut');
  const minOccupancy = Number(query.get('minOccupancy') ?? 1);
  if (!(minOccupancy > 0)) return wrongParameters(shape, '"minOccupancy" must be greater than 0');

  const stay = checkIn !== null && checkOut !== null ? { checkIn, checkOut } : undefined;
  const found = world.homes.filter(
    (home) =>
      home.maxGuests >= minOccupancy &&
      (query.get('city') ?? home.city) === home.city &&
      (query.get('country') ?? countryName(home.countryCode)) === countryName(home.countryCode) &&
      (!stay || !('refused' in world.stay(home.id, stay.checkIn, stay.checkOut, minOccupancy))),
  );
  const end = start + Math.min(limit, maxLimit);
  const fields = query.get('fields')?.split(/[ ,]/);
  return jsonAnswer(200, {
    results: found.slice(start, end).map((home) => {
      const listing = { ...listingOf(home, host, world, 'list'), ...(stay ? nightsOf(home, stay) : {}) };
      return fields
        ? Object.fromEntries(
            Object.entries(listing).filter(([name]) => name === '_id' || fields.includes(name)),
          )
        : listing;
    }),
    pagination: { total: found.length, cursor: { next: end < found.length ? cursorAt(end) : null } },
  });
}

export function listingOf(home: EmulatedHome, host: string, world: EmulatedWorld, where: 'list' | 'single') {
  // Only a picture of the list has the original.
  const pictures = home.images.map(({ path, caption }) => {
    const url = `http://${host}${path}`;
    return { large: url, regular: url, thumbnail: url, caption };
  });
  const money = (minorUnits: number) => toDecimal(minorUnits, home.currency);
  return {
    _id: guestyIdOf(home.id),
    type: 'SINGLE',
    title: home.name,
    propertyType: 'House',
    roomType: 'Entire home/apt',
    accommodates: home.maxGuests,
    bedrooms: home.bedrooms,
    bathrooms: home.bathrooms,
    beds: home.bedrooms,
    address: {
      full: `${home.city}, ${countryName(home.countryCode)}`,
      city: home.city,
      country: countryName(home.countryCode),
      lat: home.latitude,
      lng: home.longitude,
    },
    timezone: TIME_ZONES[home.countryCode] ?? 'Etc/UTC',
    amenities: home.amenities.map((amenity) => AMENITIES[amenity] ?? words(amenity)),
    picture: pictures[0] ?? null,
    pictures: pictures.map((picture) => ({ original: picture.large, ...picture })),
    prices: {
      basePrice: money(home.nightlyPrice(world.today())),
      currency: home.currency,
      cleaningFee: money(home.cleaningFee),
    },
    publicDescription: { summary: home.description },
    // Of 10, and nothing where nobody has written one.
    reviews: {
      avg: home.rating ? Math.round(home.rating.average * 20) / 10 : null,
      total: home.rating?.count ?? 0,
    },
    tags: [],
    ...(where === 'single'
      ? {
          terms: { minNights: home.minimumStay(world.today()), maxNights: home.maximumStay },
          defaultCheckInTime: `${String(home.checkInHour).padStart(2, '0')}:00`,
          defaultCheckOutTime: `${String(home.checkOutHour).padStart(2, '0')}:00`,
        }
      : {}),
  };
}

function nightsOf(home: EmulatedHome, { checkIn, checkOut }: { checkIn: string; checkOut: string }) {
  const nights = nightsBetween(checkIn, checkOut);
  return {
    allotment: Object.fromEntries(nights.map((day) => [day, 1])),
    nightlyRates: Object.fromEntries(
      nights.map((day) => [day, toDecimal(home.nightlyPrice(day), home.currency)]),
    ),
  };
}

function countryName(code: string): string {
  return COUNTRY_NAMES.of(code) ?? code;
}

function words(amenity: string): string {
  return amenity.charAt(0).toUpperCase() + amenity.slice(1).replaceAll('_', ' ');
}

function cursorAt(offset: number): string {
  return Buffer.from(`after:${offset}`).toString('base64url');
}

function offsetIn(cursor: string | null): number | undefined {
  if (cursor === null) return 0;
  const match = /^after:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString());
  return match ? Number(match[1]) : undefined;
}
