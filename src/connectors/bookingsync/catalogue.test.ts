import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBookingsyncAmenities, readBookingsyncRentals } from './catalogue.ts';

const document = (page: unknown) => new TextEncoder().encode(JSON.stringify(page));
const amenities = new Map(
  readBookingsyncAmenities(
    document({ amenities: [{ id: 3, key: 'sauna' }, { id: 4, key: 'moat' }, { id: 'x' }] }),
    null,
  ),
);
const PHOTO = {
  id: 11,
  description: { en: 'The wheel', fr: 'La roue' },
  kind: 'livingroom',
  large_url: 'http://pictures.s3.amazonaws.com/large.jpg',
  grande_url: 'http://pictures.s3.amazonaws.com/grande.jpg',
  position: 2,
};
/** The sample of the vendor's reference, with other names. */
const RENTAL = {
  links: { account: 7, availability: 31, change_over: 32 },
  id: 2,
  name: 'Moulin du Lac',
  headline: { en: 'A mill by a lake' },
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
  photos: [PHOTO, { id: 12, position: 1, compact_url: '//a.example/2.jpg' }, { id: 13 }],
  rentals_amenities: [{ links: { amenity: 3 } }, { links: { amenity: 4 } }, { links: { amenity: 9 } }],
  rental_cancelation_policy: { id: 5, body: 'Half is kept.' },
};

function read(rentals: unknown, changes: { language?: string; accountId?: string; text?: string } = {}) {
  const { language = 'en', accountId = null, text = null } = changes;
  const parameters = { language, accountId, amenities, cancellationText: text };
  return [...readBookingsyncRentals(document({ rentals }), parameters)];
}
function readOne(changes: Record<string, unknown> = {}, parameters?: Parameters<typeof read>[1]) {
  const [rental] = read([{ ...RENTAL, ...changes }], parameters);
  assert.ok(rental);
  return rental;
}

test('a rental becomes a listing without anything of who is behind it, and says where its calendar is', () => {
  const { listing, known, unmapped } = readOne();
  assert.deepEqual(listing, {
    reference: '2',
    name: 'Moulin du Lac',
    place: 'Annecy',
    country: 'FR',
    location: 'Annecy, FR',
    max_guests: 9,
    summary: '4 bedrooms · 3 bathrooms · 120 m²',
    bedrooms: 4,
    bathrooms: 3,
    amenities: { sauna: 'Sauna' },
    rating: { score: 4, scale: 5, review_count: 5 },
    cancellation: { summary: 'Half is kept.', free_until: null, refundable: null },
    check_in_time: '16:00',
    check_out_time: '10:00',
    images: [
      { url: 'https://a.example/2.jpg', alt: '', type: 'other' },
      { url: 'https://pictures.s3.amazonaws.com/grande.jpg', alt: 'The wheel', type: 'living_area' },
    ],
    url: 'https://mill.example/en/rentals/2',
    currency: 'EUR',
    booking_mode: 'request',
  });
  assert.deepEqual(known, {
    currency: 'EUR',
    maxGuests: 9,
    minimumStay: 1,
    maximumStay: null,
    availability: '31',
    changeOver: '32',
  });
  assert.deepEqual(unmapped, ['moat', 'amenity 9']);
  assert.match(JSON.stringify(readOne({}, { language: 'fr' }).listing.images), /La roue/);
});

test('values that are missing or written otherwise are read as such', () => {
  const modeOf = (changes: Record<string, unknown>) => readOne(changes).listing.booking_mode;
  assert.equal(modeOf({ instantly_bookable: true }), 'instant');
  assert.equal(modeOf({ bookable_online: true }), 'instant');
  assert.equal(modeOf({ bookable_online: true, instantly_bookable: false }), 'request');
  assert.deepEqual(readOne({ sleeps_max: '9', checkin_time: '16' }).listing, readOne().listing);
  const { listing } = readOne({ sleeps_max: null, surface: null, checkin_time: 25 });
  assert.deepEqual(
    [listing.max_guests, listing.summary, listing.check_in_time],
    [8, '4 bedrooms · 3 bathrooms', null],
  );
  const ratingOf = (reviews_average_rating: unknown, reviews_count: unknown) =>
    readOne({ reviews_average_rating, reviews_count }).listing.rating;
  assert.equal(ratingOf('4.5', 0), null);
  assert.equal(ratingOf(null, null), undefined);
  assert.equal(ratingOf('0.0', 3), undefined);
  assert.deepEqual(ratingOf('4.5', null), { score: 4.5, scale: 5, review_count: null });
});

test('a policy is its text, else that of its preset, else that of the entry', () => {
  const policyOf = (policy: unknown, text?: string) =>
    readOne({ rental_cancelation_policy: policy }, text === undefined ? {} : { text }).listing.cancellation as
      | Record<string, unknown>
      | undefined;
  const translated = { body: 'We keep it.', body_translations: { en: '', fr: 'Gardé.' } };
  assert.equal(policyOf(translated)?.summary, 'Gardé.');
  assert.deepEqual(policyOf({ preset: 'moderate' }), {
    summary:
      'Moderate: full refund until 5 days before check-in. After that the first night is kept, half of the other nights and all fees are refunded.',
    free_until: { days_before: 5, time: '16:00' },
    refundable: true,
  });
  assert.equal(policyOf({ preset: 'strict' })?.free_until, null);
  // Steps may keep more than the preset says.
  const steps = { preset: 'moderate', links: { rental_cancelation_policy_items: [1] } };
  assert.equal(policyOf(steps)?.refundable, null);
  assert.equal(policyOf({ preset: 'constructor' }), undefined);
  assert.deepEqual(policyOf(null, 'Ours.'), { summary: 'Ours.', free_until: null, refundable: null });
});

test('rentals that are unpublished, unnumbered or of another account are left out', () => {
  const numbers = (rentals: unknown, accountId?: string) =>
    read(rentals, accountId === undefined ? {} : { accountId }).map(({ listing }) => listing.reference);
  assert.deepEqual(numbers([{ ...RENTAL, id: 'villa' }, null, { ...RENTAL, published_at: null }, RENTAL]), [
    '2',
  ]);
  assert.deepEqual([numbers([RENTAL], '7'), numbers([RENTAL], '8')], [['2'], []]);
  assert.throws(() => read(Array(1001).fill(RENTAL)), { kind: 'too_large' });
  assert.throws(() => read({}), { kind: 'garbled' });
});
