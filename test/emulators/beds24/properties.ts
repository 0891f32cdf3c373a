import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedRequest } from '../exchange.ts';
import type { EmulatedHome } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { numbersIn, valuesIn } from './envelope.ts';

const FEATURES: Readonly<Record<string, string>> = {
  wifi: 'WIFI',
  pool: 'POOL',
  kitchen: 'KITCHEN',
  parking: 'PARKING',
  air_conditioning: 'AIR_CONDITIONING',
  washing_machine: 'WASHER',
  pets_allowed: 'PETS_ALLOWED',
};

/** A home is a property with a single room; their numbers differ, so that one cannot be taken for the other. */
export function propertyIdOf(id: number): number {
  return 200_000 + id;
}

export function roomIdOf(id: number): number {
  return 500_000 + id;
}

/** The homes of the rooms and properties in the query; all of them when there is none. */
export function roomsAskedFor(request: EmulatedRequest, world: EmulatedWorld): EmulatedHome[] {
  const rooms = new Set(numbersIn(request, 'roomId'));
  // The catalogue calls it `id`, the inventory `propertyId`.
  const properties = new Set([...numbersIn(request, 'propertyId'), ...numbersIn(request, 'id')]);
  return world.homes.filter(
    ({ id }) =>
      (rooms.size === 0 || rooms.has(roomIdOf(id))) &&
      (properties.size === 0 || properties.has(propertyIdOf(id))),
  );
}

export function propertyOf(
  home: EmulatedHome,
  request: EmulatedRequest,
  {
    offerPrices,
    textLanguage,
    today,
  }: { readonly offerPrices: 'all_in' | 'room_only'; readonly textLanguage: string; readonly today: string },
) {
  const { query } = request;
  const texts = valuesIn(request, 'includeTexts');
  const withTexts = (kind: string) => texts.includes('all') || texts.includes(kind);
  const languages = valuesIn(request, 'includeLanguages');
  const isInLanguage =
    languages.length === 0 || languages.includes('all') || languages.includes(textLanguage.toLowerCase());
  const written = (text: object) => (isInLanguage ? [{ language: textLanguage, ...text }] : []);
  const money = (minorUnits: number) => toDecimal(minorUnits, home.currency);
  return {
    id: propertyIdOf(home.id),
    name: home.name,
    propertyType: 'house',
    currency: home.currency,
    address: '1 Harbour Road',
    city: home.city,
    state: '',
    country: home.countryCode,
    postcode: '',
    latitude: home.latitude,
    longitude: home.longitude,
    checkInStart: `${String(home.checkInHour).padStart(2, '0')}:00`,
    checkInEnd: '24:00',
    checkOutEnd: `${String(home.checkOutHour).padStart(2, '0')}:00`,
    offerType: 'perRoom',
    bookingRules: {
      bookingType: 'autoConfirmed',
      vatRatePercentage: home.taxPercent,
      allowGuestCancellation:
        home.freeCancellationDays === null
          ? { type: 'never', daysBeforeArrivalValue: null }
          : { type: 'daysBeforeArrival', daysBeforeArrivalValue: home.freeCancellationDays },
    },
    featureCodes: home.amenities.map((amenity) => [FEATURES[amenity] ?? amenity.toUpperCase()]),
    ...(withTexts('property')
      ? {
          texts: written({
            headline: home.name,
            propertyDescription: home.description,
            houseRules: '',
            generalPolicy: '',
            cancellationPolicy: home.cancellation,
            locationDescription: '',
          }),
        }
      : {}),
    ...(query.get('includeOffers') === 'true' ? { offers: [offerOf()] } : {}),
    ...(query.get('includeUpsellItems') === 'true' ? { upsellItems: extrasOf(home, offerPrices) } : {}),
    roomTypes: [
      {
        id: roomIdOf(home.id),
        propertyId: propertyIdOf(home.id),
        name: home.name,
        roomType: 'holidayHome',
        qty: 1,
        minPrice: money(home.nightlyPrice(today)),
        maxPeople: home.maxGuests,
        maxAdult: null,
        maxChildren: null,
        minStay: home.minimumStay(today),
        maxStay: home.maximumStay,
        restrictionStrategy: 'firstNight',
        taxPercentage: home.taxPercent,
        taxPerson: 0,
        rackRate: money(home.nightlyPrice(today)),
        cleaningFee: money(home.cleaningFee),
        securityDeposit: money(home.deposit),
        roomSize: null,
        // A group for each room of the home.
        featureCodes: [
          ...Array.from({ length: home.bedrooms }, () => ['BEDROOM', 'BED_DOUBLE']),
          ...Array.from({ length: home.bathrooms }, () => ['BATHROOM', 'TOILET']),
        ],
        ...(withTexts('roomType')
          ? { texts: written({ displayName: home.name, roomDescription: home.description }) }
          : {}),
      },
    ],
  };
}

function offerOf() {
  return { offerId: 1, enable: 'onlyIfAvailable', name: 'Standard', position: 1, bookingType: 'default' };
}

function extrasOf(home: EmulatedHome, offerPrices: 'all_in' | 'room_only') {
  if (offerPrices === 'all_in') return [];
  const amount = toDecimal(home.cleaningFee, home.currency);
  return [
    { index: 1, enable: true, type: 'obligatoryCleaning', amount, per: 'booking', period: 'oneTime', vat: 0 },
    {
      index: 2,
      enable: true,
      type: 'obligatoryPercentTax',
      amount: home.taxPercent,
      per: 'booking',
      period: 'oneTime',
      vat: 0,
    },
  ];
}
