import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedRequest } from '../exchange.ts';
import type { EmulatedHome } from '../homes.ts';
import { amenityIdOf } from './amenities.ts';

const LISTINGS_FROM = 40_000;
const POLICIES_FROM = 4_000;

/** What the vendor sends to its customer and no traveller may ever see. */
export const HOSTAWAY_PRIVATE_VALUES = {
  keyPickup: 'Key under the third flower pot',
  doorSecurityCode: 'door-code-4711',
  wifiUsername: 'private-network-name',
  wifiPassword: 'private-network-password',
  contactName: 'Olga Owner-Private',
  contactPhone1: '+351000000001',
  contactEmail: 'owner-private@example.com',
  contactAddress: 'Rua Privada 1',
  guestName: 'Gustavo Guest-Private',
  guestEmail: 'guest-private@example.com',
} as const;

/** Undocumented: some clients read plain addresses, others objects. */
export type BookingEngineUrls = 'addresses' | 'objects';

export function listingIdOf(home: EmulatedHome): number {
  return LISTINGS_FROM + home.id;
}

export function policyIdOf(home: EmulatedHome): number {
  return POLICIES_FROM + home.id;
}

export function listingOf(
  home: EmulatedHome,
  request: EmulatedRequest,
  latestActivityOn: string,
  bookingEngineUrls: BookingEngineUrls,
) {
  const { guestName: _guestName, guestEmail: _guestEmail, ...contact } = HOSTAWAY_PRIVATE_VALUES;
  const decimal = (minor: number) => toDecimal(minor, home.currency);
  const country = new Intl.DisplayNames(['en'], { type: 'region' }).of(home.countryCode);
  return {
    id: listingIdOf(home),
    propertyTypeId: 1,
    name: home.name,
    externalListingName: home.name,
    internalListingName: `Property #${home.id}`,
    description: home.description,
    houseRules: 'No parties.',
    specialInstruction: null,
    ...contact,
    country,
    countryCode: home.countryCode,
    state: null,
    city: home.city,
    street: 'Rua do Cais 7',
    address: `Rua do Cais 7, ${home.city}, ${country}`,
    publicAddress: `${home.city}, ${country}`,
    zipcode: '1100-148',
    price: decimal(home.nightlyPrice('2026-01-01')),
    starRating: null,
    averageReviewRating: home.rating ? home.rating.average * 2 : null,
    weeklyDiscount: 1,
    monthlyDiscount: 1,
    propertyRentTax: home.taxPercent,
    refundableDamageDeposit: decimal(home.deposit),
    personCapacity: home.maxGuests,
    maxChildrenAllowed: null,
    maxInfantsAllowed: null,
    maxPetsAllowed: null,
    lat: home.latitude,
    lng: home.longitude,
    checkInTimeStart: home.checkInHour,
    checkInTimeEnd: 23,
    checkOutTime: home.checkOutHour,
    cancellationPolicy: 'moderate',
    cancellationPolicyId: policyIdOf(home),
    squareMeters: 84,
    specialStatus: null,
    roomType: 'entire_home',
    bathroomType: 'private',
    bedroomsNumber: home.bedrooms,
    bedsNumber: home.bedrooms,
    bathroomsNumber: home.bathrooms,
    guestBathroomsNumber: null,
    minNights: home.minimumStay('2026-01-01'),
    maxNights: home.maximumStay ?? 1125,
    guestsIncluded: home.maxGuests,
    cleaningFee: decimal(home.cleaningFee),
    priceForExtraPerson: 0,
    instantBookable: 1,
    instantBookableLeadTime: null,
    allowSameDayBooking: 1,
    sameDayBookingLeadTime: null,
    bookingEngineMarkup: null,
    currencyCode: home.currency,
    timeZoneName: 'Europe/Lisbon',
    airbnbListingUrl: null,
    vrboListingUrl: null,
    googleVrListingUrl: null,
    latestActivityOn,
    ...resourcesOf(home, request),
    bookingEngineUrls: request.query.getAll('attachObjects[]').includes('bookingEngineUrls')
      ? [bookingEngineUrl(home, request, bookingEngineUrls)]
      : [],
  };
}

/** Empty unless they are asked for. */
function resourcesOf(home: EmulatedHome, request: EmulatedRequest) {
  if (request.query.get('includeResources') !== '1') {
    return { listingAmenities: [], listingBedTypes: [], listingImages: [], customFieldValues: [] };
  }
  return {
    listingAmenities: home.amenities.map((key, index) => ({
      id: home.id * 1000 + index,
      amenityId: amenityIdOf(key),
    })),
    listingBedTypes: [{ id: home.id, bedTypeId: 2, quantity: home.bedrooms }],
    listingImages: home.images.map(({ path, caption }, index) => ({
      id: home.id * 100 + index,
      caption,
      vrboCaption: caption,
      airbnbCaption: caption,
      url: `http://${request.host}${path}`,
      sortOrder: index + 1,
    })),
    customFieldValues: [],
  };
}

function bookingEngineUrl(home: EmulatedHome, request: EmulatedRequest, form: BookingEngineUrls) {
  const url = `http://${request.host}/homes/${listingIdOf(home)}`;
  return form === 'addresses' ? url : { url };
}

/** The name is all the text that a policy has; the numbers are text, as in the vendor's samples. */
export function cancellationPolicyOf(home: EmulatedHome, accountId: number) {
  const id = policyIdOf(home);
  const item = (position: number, refundAmount: number, days: number) => ({
    id: String(id * 10 + position),
    cancellationPolicyId: String(id),
    refundAmount: String(refundAmount),
    refundType: 'percentage',
    refundField: 'totalPrice',
    timeDelta: String(-days * 86_400),
    event: 'arrival',
  });
  return {
    id,
    accountId,
    name: home.cancellation,
    cancellationPolicyItem:
      home.freeCancellationDays === null ? [] : [item(1, 100, home.freeCancellationDays)],
  };
}
