import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { readBookingsyncRentals } from './payloads.ts';

/** The sample of the vendor's reference, with other names. */
const RENTAL = {
  links: {
    account: 7,
    availability: 31,
    change_over: 32,
    nightly_rate_map: 33,
    rental_cancelation_policy: 5,
    photos: [11, 12],
    rentals_amenities: [21],
  },
  id: 2,
  name: 'Moulin du Lac',
  headline: { en: 'A mill by a lake' },
  rental_type: 'mill',
  bedrooms_count: 4,
  sleeps: 8,
  sleeps_max: 9,
  bathrooms_count: 3,
  surface: 120,
  surface_unit: 'metric',
  bookable_online: false,
  currency: 'EUR',
  city: 'Annecy',
  state: null,
  country_code: 'FR',
  contact_name: 'Nobody',
  reviews_count: 5,
  reviews_average_rating: '4.0',
  published_at: '2026-01-21T11:46:15Z',
  checkin_time: 16,
  checkout_time: 10,
  website_url: { en: 'https://mill.example/en/rentals/2' },
};

const PHOTO = {
  links: { rental: 2 },
  id: 11,
  description: { en: 'The wheel', fr: 'La roue' },
  kind: 'livingroom',
  large_url: 'http://pictures.s3.amazonaws.com/large.jpg',
  grande_url: 'http://pictures.s3.amazonaws.com/grande.jpg',
  position: 2,
};

function read(document: unknown, language = 'en') {
  return [...readBookingsyncRentals(new TextEncoder().encode(JSON.stringify(document)), { language })];
}
function readOne(changes: Record<string, unknown> = {}, language = 'en') {
  const [rental] = read({ rentals: [{ ...RENTAL, ...changes }] }, language);
  assert.ok(rental);
  return rental;
}

describe('a rental of BookingSync', () => {
  it('becomes a listing, and says where its calendar is', () => {
    const { listing, ...rest } = readOne();
    assert.deepEqual(listing, {
      reference: '2',
      name: 'Moulin du Lac',
      place: 'Annecy',
      location: 'Annecy, FR',
      max_guests: 9,
      summary: '4 bedrooms · 3 bathrooms · 120 m²',
      bedrooms: 4,
      bathrooms: 3,
      rating: { score: 4, scale: 5, review_count: 5 },
      check_in_time: '16:00',
      check_out_time: '10:00',
      currency: 'EUR',
      country: 'FR',
      booking_mode: 'request',
    });
    assert.deepEqual(rest, {
      reference: '2',
      account: '7',
      isPublished: true,
      page: 'https://mill.example/en/rentals/2',
      minimumStay: 1,
      photos: { records: [], missing: ['11', '12'] },
      amenities: { records: [], missing: ['21'] },
      policy: { records: [], missing: ['5'] },
      availability: '31',
      changeOver: '32',
      nightlyRateMap: '33',
    });
  });

  it('keeps nothing of who is behind it', () => {
    assert.doesNotMatch(
      JSON.stringify(readOne({ owner_email: 'x@y.example', checkin_details: { en: 'code 1234' } })),
      /Nobody|x@y|1234/,
    );
  });

  it('is booked at once only when the vendor says so', () => {
    const modeOf = (changes: Record<string, unknown>) => readOne(changes).listing.booking_mode;
    assert.equal(modeOf({ instantly_bookable: true }), 'instant');
    assert.equal(modeOf({ bookable_online: true }), 'instant');
    assert.equal(modeOf({ bookable_online: true, instantly_bookable: false }), 'request');
  });

  it('is read the same with numbers as text, and with what it lacks left out or null', () => {
    const asText = { sleeps_max: '9', bedrooms_count: '4', checkin_time: '16' };
    assert.deepEqual(readOne(asText).listing, readOne().listing);
    const { listing, isPublished, page } = readOne({
      sleeps_max: null,
      surface: null,
      checkin_time: 25,
      reviews_count: 0,
      reviews_average_rating: null,
      website_url: {},
      published_at: null,
    });
    assert.deepEqual(
      [listing.max_guests, listing.summary, listing.check_in_time, listing.rating, page, isPublished],
      [8, '4 bedrooms · 3 bathrooms', null, null, '', false],
    );
  });

  it('is one that nobody has rated when it has no reviews, and else one whose rating is not known', () => {
    const ratingOf = (reviews_average_rating: unknown, reviews_count: unknown) =>
      readOne({ reviews_average_rating, reviews_count }).listing.rating;
    assert.equal(ratingOf('0.0', 0), null);
    assert.equal(ratingOf('4.5', 0), null);
    assert.equal(ratingOf(null, null), undefined);
    assert.equal(ratingOf('0.0', 3), undefined);
    assert.deepEqual(ratingOf('4.5', null), { score: 4.5, scale: 5, review_count: null });
  });

  it('brings its records inside itself, or beside it, in either place', () => {
    const picture = {
      resource: 'photos',
      id: '11',
      position: 2,
      image: {
        url: 'https://pictures.s3.amazonaws.com/grande.jpg',
        alt: 'The wheel',
        type: 'living_area',
      },
    };
    const inside = readOne({ photos: [PHOTO] });
    const [beside] = read({ rentals: [RENTAL], photos: [PHOTO] });
    const [linked] = read({ rentals: [RENTAL], linked: { photos: [PHOTO] } });
    for (const { photos } of [inside, beside ?? inside, linked ?? inside]) {
      assert.deepEqual(photos, { records: [picture], missing: ['12'] });
    }
  });

  it('speaks the language asked for, and English where there is none', () => {
    const altIn = (language: string) => readOne({ photos: [PHOTO] }, language).photos.records[0]?.image.alt;
    assert.deepEqual(['fr', 'de'].map(altIn), ['La roue', 'The wheel']);
  });

  it('brings its policy with the steps that are read later', () => {
    const policy = {
      id: 5,
      links: { rental_cancelation_policy_items: [1, 2] },
      body: 'We keep the deposit.',
      body_translations: { en: '', fr: 'Nous gardons l’acompte.' },
    };
    const record = {
      resource: 'rental_cancelation_policies',
      id: '5',
      account: null,
      preset: '',
      items: ['1', '2'],
    };
    const policyIn = (language: string) => readOne({ rental_cancelation_policy: policy }, language).policy;
    assert.deepEqual(policyIn('fr'), {
      records: [{ ...record, text: 'Nous gardons l’acompte.' }],
      missing: [],
    });
  });

  it('does not ask again for a record that came and could not be understood', () => {
    const { photos } = readOne({ photos: [{ id: 11 }, { ...PHOTO, id: 12 }] });
    assert.deepEqual([photos.records.length, photos.missing], [1, []]);
  });

  it('is left out without a number, and costs the others nothing', () => {
    assert.deepEqual(
      read({ rentals: [{ ...RENTAL, id: 'villa' }, null, RENTAL] }).map(({ reference }) => reference),
      ['2'],
    );
  });

  it('has its pictures for itself, so that a page does not grow by what its rentals share', () => {
    const rentals = [1, 2, 3].map((id) => ({ ...RENTAL, id, links: { photos: [11] } }));
    assert.deepEqual(
      read({ rentals, photos: [PHOTO] }).map(({ photos }) => [photos.records.length, photos.missing]),
      [
        [1, []],
        [0, ['11']],
        [0, ['11']],
      ],
    );
  });

  it('has one policy, whatever it links to', () => {
    const policies = Array.from({ length: 200 }, (_, index) => ({
      id: 1000 + index,
      body: 'p'.repeat(20_000),
    }));
    const links = { rental_cancelation_policy: policies.map(({ id }) => id) };
    const rentals = [1, 2, 3].map((id) => ({ ...RENTAL, id, links }));
    const found = read({ rentals, rental_cancelation_policies: policies });
    assert.deepEqual(
      found.map(({ policy }) => [policy.records.map(({ id }) => id), policy.missing]),
      Array.from({ length: 3 }, () => [['1000'], []]),
    );
    assert.ok(weightOf(found) < 3 * 5000, `${weightOf(found)} bytes leave the thread`);
    const inside = readOne({ links, rental_cancelation_policy: policies });
    assert.deepEqual([inside.policy.records.length, inside.policy.missing], [1, []]);
  });

  it('shares a policy with others, of which no more is kept than is checked', () => {
    const rentals = Array.from({ length: 1000 }, (_, id) => ({
      id,
      links: { rental_cancelation_policy: 5 },
    }));
    const found = read({ rentals, rental_cancelation_policies: [{ id: 5, body: 'p'.repeat(20_000) }] });
    assert.ok(found.every(({ policy }) => policy.records[0]?.text.length === 4001));
  });

  it('is one of a thousand on a page at most', () => {
    const page = (count: number) => ({ rentals: Array.from({ length: count }, (_, id) => ({ id })) });
    assert.equal(read(page(1000)).length, 1000);
    assert.throws(() => read(page(1001)), /more than 1000 rentals/);
  });

  it('comes in a list, or the answer is garbled', () => {
    for (const answer of [{}, { rentals: {} }, [], null]) {
      assert.throws(
        () => read(answer),
        (error) => error instanceof BookingSystemFailure && error.kind === 'garbled',
      );
    }
  });
});
