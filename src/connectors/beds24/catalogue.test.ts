import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { readBeds24Properties } from './catalogue.ts';

const parameters = {
  stayUrl: 'https://www.beds24.com/booking2.php?roomid={reference}&checkin={check_in}&numnight={nights}',
  language: 'de',
  cancellationText: null,
  pictureUrl: 'https://harbour.example/{reference}.jpg',
};
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const room = {
  id: 5,
  propertyId: 1,
  name: 'Double',
  roomType: 'double',
  qty: 3,
  maxPeople: 4,
  maxAdult: 2,
  minStay: 2,
  maxStay: null,
  securityDeposit: 150.5,
  roomSize: 28,
  sellPriority: 1,
  featureCodes: [['BEDROOM', 'BED_KING'], ['WIFI']],
  texts: [
    { language: 'en', displayName: 'Sea room' },
    { language: 'de', displayName: 'Meerzimmer' },
  ],
};
const property = {
  id: 1,
  name: 'House above the harbour',
  propertyType: 'guesthouse',
  currency: 'EUR',
  address: 'Rua 7',
  city: 'Lisbon',
  state: '',
  country: 'PT',
  phone: '+351 900 000 000',
  email: 'owner@example.com',
  contactFirstName: 'Ana',
  checkInStart: '15:00',
  checkOutEnd: '24:00',
  sellPriority: 1,
  bookingRules: { bookingType: 'autoConfirmed', bookingNearType: 'blackoutPeriod', bookingNearTypeDays: 1 },
  featureCodes: [['POOL'], ['MOAT']],
  texts: [{ language: 'en', cancellationPolicy: 'Free until a week before arrival.' }],
  roomTypes: [room, { ...room, id: 6, name: 'Single', texts: [] }],
};

function read(changes: object = {}, more: object = {}) {
  const document = bytesOf({ success: true, data: [{ ...property, ...changes }] });
  return [...readBeds24Properties(document, { ...parameters, ...more })];
}

describe('properties of Beds24', () => {
  it('give a listing for each room type, in the shape that every listing has', () => {
    const [one, other, ...rest] = read();
    assert.deepEqual(rest, []);
    assert.deepEqual(one, {
      listing: {
        reference: '5',
        name: 'House above the harbour, Meerzimmer',
        place: 'Lisbon',
        location: 'Lisbon, PT',
        max_guests: 2,
        summary: '28 m²',
        bedrooms: null,
        bathrooms: null,
        amenities: { wifi: 'Wi-Fi', pool: 'Swimming pool' },
        cancellation: { summary: 'Free until a week before arrival.' },
        check_in_time: '15:00',
        check_out_time: null,
        images: [{ url: 'https://harbour.example/5.jpg', alt: '', type: 'other' }],
        url: 'https://www.beds24.com/booking2.php?roomid=5',
        currency: 'EUR',
        country: 'PT',
        booking_mode: 'instant',
        lead_days: 2,
      },
      known: { currency: 'EUR', maxGuests: 2, minimumStay: 2, maximumStay: null, deposit: 150_50 },
      unmapped: ['BEDROOM', 'BED_KING', 'MOAT'],
    });
    assert.equal(other?.listing.name, 'House above the harbour, Single');
  });

  it('go by the name of the property where it has a single room type', () => {
    assert.equal(read({ roomTypes: [room] })[0]?.listing.name, 'House above the harbour');
  });

  it('leave out what is hidden, and what is no stay', () => {
    assert.deepEqual(read({ sellPriority: null }), []);
    const roomTypes = [
      { ...room, sellPriority: null },
      { ...room, roomType: 'tour' },
      { ...room, id: 7 },
    ];
    assert.deepEqual(
      read({ roomTypes }).map(({ listing }) => listing.reference),
      ['7'],
    );
  });

  it('take each text in the language of the entry, or else in English, or else in the first that has it', () => {
    const policyIn = (texts: unknown, language = 'de') =>
      read({ texts }, { language })[0]?.listing.cancellation;
    const text = (language: unknown, cancellationPolicy?: unknown) => ({ language, cancellationPolicy });
    const all = [text('fr', 'Gratuit.'), text('en', 'Free.'), text('de', 'Kostenlos.')];
    assert.deepEqual(policyIn(all), { summary: 'Kostenlos.' });
    assert.deepEqual(policyIn(all, 'it'), { summary: 'Free.' });
    assert.deepEqual(policyIn([text('fr', 'Gratuit.'), text('es', 'Gratis.')]), { summary: 'Gratuit.' });
    assert.deepEqual(policyIn([text('fr', ' '), text('DE', ''), text('EN', 'Free.')]), { summary: 'Free.' });
    assert.deepEqual(policyIn([text('EN', 'Free.'), text('DE', 'Kostenlos.')]), { summary: 'Kostenlos.' });
    assert.deepEqual(policyIn([text(null, 'Free.')]), { summary: 'Free.' });
    assert.deepEqual(policyIn([text('de')]), { summary: undefined });
    const rooms = [
      { ...room, texts: [{ language: 'de', displayName: '' }, ...room.texts.slice(0, 1)] },
      room,
    ];
    assert.equal(read({ roomTypes: rooms })[0]?.listing.name, 'House above the harbour, Sea room');
  });

  it('carry no contact and no street', () => {
    assert.doesNotMatch(JSON.stringify(read()), /Rua|900|example\.com|Ana/);
  });

  it('tolerate numbers as texts, and null for what is missing', () => {
    const roomTypes = [
      { ...room, id: '5', maxPeople: '3', maxAdult: null, securityDeposit: null, roomSize: null },
    ];
    const [one] = read(
      { roomTypes, featureCodes: null, texts: null, bookingRules: [] },
      {
        cancellationText: 'Ours.',
      },
    );
    assert.deepEqual(
      [one?.listing.reference, one?.known, one?.listing.cancellation, one?.listing.booking_mode],
      [
        '5',
        { currency: 'EUR', maxGuests: 3, minimumStay: 2, maximumStay: null, deposit: null },
        { summary: 'Ours.' },
        'request',
      ],
    );
  });

  it('have the picture of the entry, because Beds24 describes none', () => {
    const roomTypes = [{ ...room, pictures: [{ url: 'https://elsewhere.example/1.jpg' }] }];
    assert.deepEqual(read({ roomTypes })[0]?.listing.images, [
      { url: 'https://harbour.example/5.jpg', alt: '', type: 'other' },
    ]);
  });

  it('are not known to prices without a currency or a number of guests', () => {
    for (const currency of [null, 'euro', 'EURO', 978])
      assert.equal(read({ currency })[0]?.known, null, String(currency));
    assert.equal(read({ roomTypes: [{ ...room, maxPeople: 'many' }] })[0]?.known, null);
  });

  it('say whether there is another page, and how this one begins', () => {
    const document = bytesOf({
      success: true,
      pages: { nextPageExists: true },
      data: [property],
    });
    const reading = readBeds24Properties(document, parameters);
    let next = reading.next();
    while (!next.done) next = reading.next();
    assert.deepEqual(next.value, { hasNextPage: true, firstId: '1' });
  });

  for (const [what, answer, kind] of [
    ['a refusal', { success: false, type: 'error', code: 400, error: 'no' }, 'rejected'],
    ['no list', { success: true, data: { 0: property } }, 'garbled'],
    ['too many entries', { success: true, data: Array.from({ length: 5001 }, () => 1) }, 'too_large'],
    [
      'too many room types',
      { success: true, data: [{ roomTypes: Array.from({ length: 501 }, () => 1) }] },
      'too_large',
    ],
  ] as const) {
    it(`are ${kind} when the answer is ${what}`, () => {
      assert.throws(
        () => [...readBeds24Properties(bytesOf(answer), parameters)],
        (error) => error instanceof BookingSystemFailure && error.kind === kind,
      );
    });
  }
});
