import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import {
  type HostawayListingsParameters,
  readHostawayAmenities,
  readHostawayListings,
  readHostawayPolicies,
} from './catalogue.ts';

const bytesOf = (result: unknown, more: object = {}) =>
  new TextEncoder().encode(JSON.stringify({ status: 'success', result, ...more }));

const IN_A_WEEK = { days_before: 7, time: '00:00' };
const parameters: HostawayListingsParameters = {
  hosts: ['harbour.example'],
  pagePattern: null,
  stayUrl: 'https://harbour.example/listings/{reference}?start={check_in}&end={check_out}',
  amenityNames: new Map([
    ['2', 'Kitchen'],
    ['3', 'Moat'],
  ]),
  policies: new Map([
    ['11', { summary: 'Flexible: all is refunded.', free_until: IN_A_WEEK, refundable: true }],
    ['12', { summary: 'Firm: half is refunded.', free_until: IN_A_WEEK, refundable: true }],
  ]),
  directPolicy: null,
  cancellationText: null,
};

const published = {
  id: 40160,
  name: 'Apartment close to the centre',
  country: 'Germany',
  city: 'Bremerhaven',
  street: 'Schulstraße 7',
  publicAddress: 'Bremerhaven, Germany',
  doorSecurityCode: 'secret-door',
  wifiPassword: 'secret-wifi',
  contactEmail: 'secret@example.com',
  averageReviewRating: 9.2,
  personCapacity: 6,
  checkInTimeStart: 15,
  checkOutTime: 9,
  cancellationPolicy: 'strict',
  cancellationPolicyId: 11,
  squareMeters: 60,
  specialStatus: null,
  bedroomsNumber: 1,
  bedsNumber: 2,
  bathroomsNumber: 1,
  minNights: 2,
  maxNights: 1125,
  instantBookable: 1,
  currencyCode: 'EUR',
  listingAmenities: [
    { id: 1, amenityId: 2 },
    { id: 2, amenityId: 3 },
    { id: 3, amenityId: 99 },
  ],
  listingImages: [
    { id: 2, caption: null, airbnbCaption: 'The hall', url: 'https://cdn.example/2.jpg', sortOrder: 2 },
    { id: 1, caption: 'The kitchen', url: '//cdn.example/1.jpg', sortOrder: 1 },
    { id: 3, caption: 'lost', url: null },
  ],
  bookingEngineUrls: [],
};

function read(listings: unknown, changes: Partial<HostawayListingsParameters> = {}, more: object = {}) {
  const found = readHostawayListings(bytesOf(listings, more), { ...parameters, ...changes });
  const read = [];
  for (let next = found.next(); ; next = found.next()) {
    if (next.done) return { read, summary: next.value };
    read.push(next.value);
  }
}
function readOne(changes: object = {}, more: Partial<HostawayListingsParameters> = {}) {
  const [one] = read([{ ...published, ...changes }], more).read;
  assert.ok(one);
  return one;
}

describe('listings of Hostaway', () => {
  it('are put into the shape that every listing has, without anything private', () => {
    const one = readOne();
    assert.deepEqual(one, {
      listing: {
        reference: '40160',
        name: 'Apartment close to the centre',
        place: 'Bremerhaven',
        country: 'Germany',
        location: 'Bremerhaven, Germany',
        max_guests: 6,
        summary: '1 bedroom · 2 beds · 1 bathroom · 60 m²',
        bedrooms: 1,
        bathrooms: 1,
        amenities: { kitchen: 'Kitchen' },
        rating: { score: 9.2, scale: 10, review_count: null },
        cancellation: { summary: 'Flexible: all is refunded.' },
        check_in_time: '15:00',
        check_out_time: '09:00',
        images: [
          { url: 'https://cdn.example/1.jpg', alt: 'The kitchen', type: 'other' },
          { url: 'https://cdn.example/2.jpg', alt: 'The hall', type: 'other' },
        ],
        url: 'https://harbour.example/listings/40160',
        currency: 'EUR',
        booking_mode: 'instant',
        lead_days: 0,
      },
      limits: { minimumStay: 2, maximumStay: 1125, markup: 1 },
      unmapped: ['Moat', 'amenity 99'],
    });
    assert.ok(!/secret|Schul/.test(JSON.stringify(one)));
  });

  it('tolerate numbers as texts, null and [] for what is missing', () => {
    const { listing, limits } = readOne({
      id: '40161',
      personCapacity: '3',
      bedroomsNumber: null,
      listingAmenities: null,
      listingImages: {},
      averageReviewRating: null,
      publicAddress: null,
      instantBookable: null,
      checkInTimeStart: 25,
      minNights: null,
      maxNights: 0,
    });
    assert.deepEqual(
      [listing.reference, listing.max_guests, listing.bedrooms, listing.amenities, listing.images],
      ['40161', 3, null, null, []],
    );
    assert.deepEqual(
      [listing.rating, listing.location, listing.booking_mode, listing.check_in_time],
      [undefined, 'Bremerhaven, Germany', 'request', null],
    );
    assert.deepEqual(limits, { minimumStay: null, maximumStay: null, markup: 1 });
  });

  it('are linked by the first page on a host of the brand, as a text or an object', () => {
    const urlOf = (bookingEngineUrls: unknown) => readOne({ bookingEngineUrls }).listing.url;
    const page = 'https://harbour.example/listings/40160-apartment';
    assert.equal(urlOf(['https://elsewhere.example/1', page]), page);
    assert.equal(urlOf([{ url: page }]), page);
    assert.equal(urlOf(['//harbour.example/listings/40160-apartment']), page);
    assert.equal(urlOf(['not an address', 7, null]), 'https://harbour.example/listings/40160');
    // Without a template, a page on another host is named, so that its host can be registered.
    const without = { pagePattern: null, stayUrl: null };
    const elsewhere = { bookingEngineUrls: ['https://elsewhere.example/1', 'https://third.example/1'] };
    assert.equal(readOne(elsewhere, without).listing.url, 'https://elsewhere.example/1');
  });

  it('have the policy of direct bookings where it is named, with what it refunds', () => {
    const firm = { summary: 'Firm: half is refunded.', free_until: IN_A_WEEK, refundable: true };
    for (const cancellationText of [null, 'Half is kept.']) {
      const { cancellation } = readOne({}, { directPolicy: '12', cancellationText }).listing;
      assert.deepEqual(cancellation, firm);
    }
  });

  it('have the owner’s words, else those of the policy of other channels, which promises nothing', () => {
    const cancellationOf = (changes: object, more: Partial<HostawayListingsParameters> = {}) =>
      readOne(changes, more).listing.cancellation;
    const owners = { cancellationText: 'Half is kept.' };
    assert.deepEqual(cancellationOf({}, owners), { summary: 'Half is kept.' });
    assert.deepEqual(cancellationOf({}, { ...owners, directPolicy: '99' }), { summary: 'Half is kept.' });
    assert.deepEqual(cancellationOf({}), { summary: 'Flexible: all is refunded.' });
    assert.deepEqual(cancellationOf({}, { directPolicy: '99' }), { summary: 'Flexible: all is refunded.' });
    assert.deepEqual(cancellationOf({ cancellationPolicyId: 77 }), {
      summary: 'Cancellation policy: strict',
    });
    const none = { cancellationPolicyId: null, cancellationPolicy: null };
    assert.deepEqual(cancellationOf(none), { summary: undefined });
  });

  it('come in pages that are counted, without those that are archived', () => {
    const archived = { ...published, id: 1, specialStatus: 'archived' };
    const { read: found, summary } = read([archived, published], {}, { count: '7' });
    assert.deepEqual([found.length, summary], [1, { onPage: 2, count: 7, firstId: '1' }]);
    assert.deepEqual(read([]).summary, { onPage: 0, count: null, firstId: null });
    assert.throws(
      () => read({}),
      (error) => error instanceof BookingSystemFailure && error.kind === 'garbled',
    );
    const fail = new TextEncoder().encode('{"status":"fail","result":"no"}');
    assert.throws(
      () => readHostawayListings(fail, parameters).next(),
      (error) => error instanceof BookingSystemFailure && error.kind === 'rejected',
    );
  });
});

describe('the tables of Hostaway', () => {
  it('name amenities', () => {
    const names = [
      ...readHostawayAmenities(
        bytesOf([{ id: 1, name: 'Cable TV' }, { id: '2', name: ' TV ' }, { id: 3 }, 4]),
        null,
      ),
    ];
    assert.deepEqual(names, [
      ['1', 'Cable TV'],
      ['2', 'TV'],
    ]);
  });

  const item = (refundAmount: unknown, timeDelta: unknown, changes: object = {}) => ({
    id: '1',
    refundAmount,
    refundType: 'percentage',
    refundField: 'totalPrice',
    timeDelta,
    event: 'arrival',
    ...changes,
  });
  const policyOf = (cancellationPolicyItem: unknown) => {
    const [entry] = readHostawayPolicies(
      bytesOf([{ id: 2, name: 'Flexible', cancellationPolicyItem }]),
      null,
    );
    assert.equal(entry?.[0], '2');
    return entry?.[1];
  };

  it('say what a policy refunds, and until when all of it', () => {
    assert.deepEqual(policyOf([item('50', '-604800'), item('100', '-1209600')]), {
      summary:
        'Flexible: 100% of the total price is refunded until 14 days before arrival; 50% of the total price is refunded until 7 days before arrival.',
      free_until: { days_before: 14, time: '00:00' },
      refundable: true,
    });
  });

  it('promise no hour more than is written', () => {
    const freeUntil = (seconds: number) => policyOf([item(100, seconds)])?.free_until;
    assert.deepEqual(freeUntil(-36 * 3600), { days_before: 2, time: '12:00' });
    assert.deepEqual(freeUntil(0), { days_before: 0, time: '00:00' });
    assert.equal(freeUntil(3600), null);
    assert.equal(freeUntil(-400 * 86_400), null);
    assert.equal(policyOf([item(50, -86_400)])?.free_until, null);
    assert.equal(policyOf([item(100, -86_400, { refundType: 'flat' })])?.free_until, null);
    const afterBooking = policyOf([item(100, 172_800, { event: 'reservation' })]);
    assert.deepEqual(afterBooking, {
      summary: 'Flexible: 100% of the total price is refunded until 2 days after the booking.',
      free_until: null,
      refundable: true,
    });
    assert.equal(policyOf([item(0, -86_400)])?.refundable, false);
  });

  it('give a policy by its name only when an item cannot be understood', () => {
    const named = { summary: 'Cancellation policy: Flexible', free_until: null, refundable: null };
    for (const items of [
      [],
      null,
      {},
      [item('all', -5)],
      [item(100, -5, { event: 'moon' })],
      [item(100, -5), {}],
    ]) {
      assert.deepEqual(policyOf(items), named);
    }
  });
});
