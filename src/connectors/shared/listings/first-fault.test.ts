import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { EntryTerms } from '../../rate-card/rate-card.ts';
import { firstFault } from './first-fault.ts';
import { Listing } from './listing.ts';

const schema = Compile(
  Type.Object({ images: Type.Array(Type.Object({ url: Type.String() }), { maxItems: 500 }) }),
);

test('the first fault of a value is named with its place', () => {
  const images = [{ url: 'a' }, { url: 1 }, { url: 2 }];
  assert.deepEqual(firstFault(schema, { images }), {
    field: 'images/1/url',
    rule: 'wrong_type',
    reason: 'is 1, must be a text',
    value: '1',
  });
  assert.deepEqual(firstFault(schema, { images: Array(501).fill({ url: 'a' }) }), {
    field: 'images',
    rule: 'too_many_entries',
    reason: 'has 501 entries, may have at most 500',
    value: 'a list of 501',
  });
});

test('the faults of a value with tens of thousands of parts are not looked for', () => {
  const unasked = { Type: () => ({}), Errors: () => assert.fail('it would keep all of them') };
  const reason = 'breaks the schema, and has more than 20000 parts: too many to look for the first fault';
  for (const value of [Array(20_000).fill(0), { images: Array(150).fill(Array(150).fill({ url: 1 })) }]) {
    assert.deepEqual(firstFault(unasked, value), { field: '', rule: 'too_complex', reason });
  }
});

const listing = Compile(Listing);
const good = {
  reference: 'casa-1',
  name: 'Casa',
  place: 'lisbon-pt',
  location: 'Graça',
  max_guests: 2,
  summary: '',
  cancellation: { summary: 'None.' },
  images: [{ url: 'https://casas.example/1.jpg', alt: '', type: 'exterior' }],
  url: 'https://casas.example/1',
  currency: 'EUR',
  booking_mode: 'instant',
};
const { name: _, ...nameless } = good;

const CASES = [
  [null, '', 'wrong_type', 'is null, must be an object', 'null'],
  [nameless, 'name', 'missing_member', 'is missing, must be a text', undefined],
  [
    { ...good, cancellation: {} },
    'cancellation/summary',
    'missing_member',
    'is missing, must be a text',
    undefined,
  ],
  [
    { ...good, images: [{}] },
    'images/0/url',
    'missing_member',
    'is missing, must be a text; alt, type are missing too',
    undefined,
  ],
  [{ ...good, name: '' }, 'name', 'empty_text', 'is empty, must be a text', ''],
  [
    { ...good, place: 'x'.repeat(121) },
    'place',
    'too_long',
    'has 121 characters, may have at most 120',
    `${'x'.repeat(79)}…`,
  ],
  [
    { ...good, max_guests: '2' },
    'max_guests',
    'wrong_type',
    'is a text, must be a whole number from 1 to 100',
    '2',
  ],
  [
    { ...good, max_guests: 0 },
    'max_guests',
    'out_of_range',
    'is 0, must be a whole number from 1 to 100',
    '0',
  ],
  [
    { ...good, bedrooms: 'two' },
    'bedrooms',
    'wrong_type',
    'is a text, must be a whole number from 0 to 100',
    'two',
  ],
  [
    { ...good, currency: 'eur' },
    'currency',
    'wrong_format',
    'is another text, must be a currency code of three capitals, such as EUR',
    'eur',
  ],
  [
    { ...good, check_in_time: '25:00' },
    'check_in_time',
    'wrong_format',
    'is another text, must be a time of day, HH:MM',
    '25:00',
  ],
  [
    { ...good, booking_mode: 'now' },
    'booking_mode',
    'unknown_choice',
    'is another text, must be one of instant, request',
    'now',
  ],
  [
    { ...good, images: [] },
    'images',
    'too_few_entries',
    'has 0 entries, must have at least 1',
    'a list of 0',
  ],
  [{ ...good, amenities: { wifi: 1 } }, 'amenities/wifi', 'wrong_type', 'is 1, must be a text', '1'],
] as const;

test('each fault of a listing is named with its place, rule, reason and value', () => {
  for (const [value, field, rule, reason, shown] of CASES) {
    const expected = { field, rule, reason, ...(shown === undefined ? {} : { value: shown }) };
    assert.deepEqual(firstFault(listing, value), expected);
  }
});

test('of a union, the variant that was meant is named', () => {
  const terms = Compile(EntryTerms);
  const rates = { nightly: '100.00', seasons: [], discounts: [], fees: [] };
  const taxed = (tax: object) => firstFault(terms, { rates: { ...rates, taxes: [tax] }, booked: [] });
  assert.deepEqual(taxed({ label: 'City tax', amount: '2.00', per: 'week' }), {
    field: 'rates/taxes/0/per',
    rule: 'unknown_choice',
    reason: 'is another text, must be one of stay, night, guest, guest_night',
    value: 'week',
  });
  assert.equal(taxed({ label: 'City tax' }).rule, 'missing_member');
});
