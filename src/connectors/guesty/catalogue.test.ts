import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDay } from '../../stay/day.ts';
import { readGuestyListing, readGuestyListings, readGuestyRates } from './catalogue.ts';

const parameters = {
  stayUrl: 'https://harbour.example/en/properties/{reference}?checkIn={check_in}',
  bookingMode: 'instant' as const,
  cancellationText: null,
};
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const published = {
  _id: '64b0c0de00000000000000ab',
  type: 'SINGLE',
  title: ' House above the harbour ',
  accommodates: 4,
  bedrooms: 2,
  bathrooms: 1.5,
  beds: 3,
  address: {
    full: 'Rua 7, Lisbon',
    street: 'Rua 7',
    city: 'Lisbon',
    country: 'Portugal',
    neighborhood: 'Graça',
  },
  amenities: ['Wireless Internet', 'WASHER', 'Moat', 7],
  pictures: [
    { original: '//assets.guesty.com/a.jpg', caption: 'The front' },
    { large: 'https://assets.guesty.com/b.jpg' },
    { caption: 'nothing to see' },
    null,
  ],
  prices: { basePrice: 100, currency: 'EUR' },
  reviews: { avg: 9.2, total: 38 },
  terms: { minNights: 2, maxNights: 28, cancellation: 'flexible' },
  defaultCheckInTime: '15:00',
  defaultCheckOutTime: '9:30',
};

function readOne(changes: object = {}, more: object = {}) {
  const [one] = readGuestyListings(bytesOf({ results: [{ ...published, ...changes }] }), {
    ...parameters,
    ...more,
  });
  assert.ok(one);
  return one;
}

describe('listings of Guesty', () => {
  it('are put into the shape that every listing has', () => {
    assert.deepEqual(readOne(), {
      listing: {
        reference: '64b0c0de00000000000000ab',
        name: 'House above the harbour',
        place: 'Lisbon',
        country: 'Portugal',
        location: 'Graça, Lisbon, Portugal',
        max_guests: 4,
        summary: '2 bedrooms · 3 beds · 1.5 bathrooms',
        bedrooms: 2,
        bathrooms: 1.5,
        amenities: { wifi: 'Wi-Fi', washing_machine: 'Washing machine' },
        rating: { score: 9.2, scale: 10, review_count: 38 },
        cancellation: { summary: 'Cancellation policy: flexible' },
        check_in_time: '15:00',
        check_out_time: '09:30',
        images: [
          { url: 'https://assets.guesty.com/a.jpg', alt: 'The front', type: 'other' },
          { url: 'https://assets.guesty.com/b.jpg', alt: '', type: 'other' },
        ],
        url: 'https://harbour.example/en/properties/64b0c0de00000000000000ab',
        currency: 'EUR',
        booking_mode: 'instant',
      },
      limits: { minimumStay: 2, maximumStay: 28 },
      unmapped: ['Moat'],
      hasTerms: true,
    });
  });

  it('tolerate numbers as texts, null for what is missing, and an envelope around a single one', () => {
    const { listing, limits, hasTerms } = readOne({
      accommodates: '4',
      bedrooms: null,
      amenities: null,
      reviews: { avg: null, total: 0 },
      terms: null,
      pictures: null,
      picture: { regular: 'https://assets.guesty.com/c.jpg' },
      defaultCheckInTime: 'after lunch',
    });
    assert.deepEqual(
      [listing.max_guests, listing.bedrooms, listing.amenities, listing.rating, listing.check_in_time],
      [4, null, null, null, null],
    );
    assert.deepEqual(listing.images, [{ url: 'https://assets.guesty.com/c.jpg', alt: '', type: 'other' }]);
    assert.deepEqual(limits, { minimumStay: null, maximumStay: null });
    assert.equal(hasTerms, false);
  });

  it('have their terms in an answer for one of them, in an envelope or bare, and nothing else crosses', () => {
    const { listing, limits } = readOne();
    const { cancellation, check_in_time, check_out_time } = listing;
    for (const answer of [published, { results: published }]) {
      const terms = [...readGuestyListing(bytesOf(answer), parameters)];
      assert.deepEqual(terms, [{ listing: { cancellation, check_in_time, check_out_time }, limits }]);
    }
  });

  it('have a policy that is cut where it is read, and is not made acceptable by it', () => {
    const words = 'free until '.repeat(100_000);
    for (const policy of [words, [words, words], Array.from({ length: 20 }, () => 'x'.repeat(5000))]) {
      const answer = { ...published, terms: { cancellation: policy } };
      const [terms] = readGuestyListing(bytesOf(answer), parameters);
      assert.equal(Reflect.get(Object(terms?.listing.cancellation), 'summary').length, 20_001);
    }
  });

  it('are not yet rated without a review, and else without a known rating', () => {
    const ratingOf = (reviews: unknown) => readOne({ reviews }).listing.rating;
    assert.equal(ratingOf({ avg: 0, total: 0 }), null);
    assert.equal(ratingOf({ avg: null, total: 4 }), undefined);
    assert.equal(ratingOf({ avg: 0 }), undefined);
    assert.equal(ratingOf(null), undefined);
    assert.deepEqual(ratingOf({ avg: 8 }), { score: 8, scale: 10, review_count: null });
  });

  it('publish no amenities with an empty list, nor with words that nobody knows', () => {
    assert.equal(readOne({ amenities: [] }).listing.amenities, null);
    const { listing, unmapped } = readOne({ amenities: ['Moat'] });
    assert.deepEqual([listing.amenities, unmapped], [null, ['Moat']]);
  });

  it('repeat a policy word for word, and have the owner’s words where Guesty has none', () => {
    const words = 'Half is kept. Always.';
    const policyOf = (terms: object, more: object = {}) => readOne({ terms }, more).listing.cancellation;
    assert.deepEqual(policyOf({ cancellation: words }), { summary: words });
    assert.deepEqual(policyOf({}, { cancellationText: words }), { summary: words });
    assert.deepEqual(policyOf({}), { summary: undefined });
  });

  it('come in pages, whose end is no cursor', () => {
    const summaryOf = (page: object) => {
      const found = readGuestyListings(bytesOf(page), parameters);
      for (let next = found.next(); ; next = found.next()) if (next.done) return next.value;
    };
    const pagination = (next: unknown) => ({
      results: [published],
      pagination: { total: 9, cursor: { next } },
    });
    assert.deepEqual(summaryOf(pagination('abc=')), { nextCursor: 'abc=' });
    assert.deepEqual(summaryOf(pagination(null)), { nextCursor: null });
    assert.deepEqual(summaryOf({ results: [] }), { nextCursor: null });
    const isGarbled = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'garbled';
    assert.throws(() => summaryOf({ results: {} }), isGarbled);
    assert.throws(() => summaryOf(pagination('x'.repeat(3000))), isGarbled);
  });
});

describe('a search of Guesty for a stay', () => {
  const checkIn = parseDay('2027-05-01') ?? 0;
  const stay = { checkIn, checkOut: checkIn + 2, currency: 'EUR' };
  const listing = {
    _id: 'a',
    prices: { currency: 'EUR', cleaningFee: 40 },
    nightlyRates: { '2027-05-01': 99.99, '2027-05-02': 110, '2027-05-03': 500 },
  };
  const totalOf = (changes: object) => {
    const [one] = readGuestyRates(bytesOf({ results: [{ ...listing, ...changes }] }), stay);
    return one?.total;
  };

  it('estimates it as the rates of its nights and the cleaning fee', () => {
    assert.equal(totalOf({}), 249_99);
    assert.equal(totalOf({ prices: { currency: 'EUR' } }), 209_99);
  });

  it('knows no total without each rate, or in another currency', () => {
    assert.equal(totalOf({ nightlyRates: { '2027-05-01': 99.99 } }), null);
    assert.equal(totalOf({ nightlyRates: [] }), null);
    assert.equal(totalOf({ prices: { currency: 'USD' } }), null);
    assert.equal(totalOf({ nightlyRates: { '2027-05-01': -40, '2027-05-02': 0 } }), null);
  });

  it('says where the next page is, and refuses what is no page', () => {
    const page = { results: [listing, { _id: null }], pagination: { cursor: { next: 'more' } } };
    const reading = readGuestyRates(bytesOf(page), stay);
    assert.deepEqual(reading.next().value, { reference: 'a', total: 249_99 });
    assert.deepEqual(reading.next(), { done: true, value: { nextCursor: 'more' } });
    assert.throws(() => [...readGuestyRates(bytesOf({}), stay)], BookingSystemFailure);
  });
});
