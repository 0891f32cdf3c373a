import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { readQloappsFeatures, readQloappsHotels, readQloappsRoomTypes } from './catalogue.ts';
import { readQloappsCapacities } from './quote.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function drained<Item, Summary>(reading: Generator<Item, Summary>) {
  const items: Item[] = [];
  for (let next = reading.next(); ; next = reading.next()) {
    if (next.done) return { items, summary: next.value };
    items.push(next.value);
  }
}

const hotel = {
  id: 1,
  phone: '0987654321',
  address: 'Rua do Cais 7',
  email: 'hotel@example.com',
  city: 'Lisbon',
  use_global_max_order_date: 1,
  max_order_date: '0000-00-00',
  rating: 3,
  check_in: '14:00',
  check_out: '11:00:00',
  active: 1,
  use_global_preparation_time: 1,
  preparation_time: '0000-00-00',
  active_refund: 1,
  policies: '<div>Free until a week before arrival.</div>',
  hotel_name: 'Harbour Hotel',
  associations: {
    room_types: [{ id: 4 }],
    hotel_features: [{ id: '11' }, { id: 12 }, {}],
  },
};
const hotelsOf = (changes: object) =>
  drained(readQloappsHotels(bytesOf({ hotels: [{ ...hotel, ...changes }] }), null));

describe('hotels of QloApps', () => {
  it('are read without their contacts', () => {
    assert.deepEqual(hotelsOf({}), {
      items: [
        {
          id: '1',
          name: 'Harbour Hotel',
          city: 'Lisbon',
          policies: 'Free until a week before arrival.',
          checkIn: '14:00',
          checkOut: '11:00',
          features: ['11', '12'],
          bookableUntil: null,
          leadDays: null,
          isNonRefundable: false,
        },
      ],
      summary: null,
    });
  });

  it('have a last day of their own, unless they follow the website', () => {
    const last = (changes: object) => hotelsOf(changes).items[0]?.bookableUntil;
    assert.equal(
      last({ use_global_max_order_date: 0, max_order_date: '2027-11-15' }),
      parseDay('2027-11-15'),
    );
    assert.equal(last({ use_global_max_order_date: '0', max_order_date: '0000-00-00' }), null);
    assert.equal(last({ max_order_date: '2027-11-15' }), null);
  });

  it('are booked some days ahead, unless they follow the website', () => {
    const ahead = (changes: object) => hotelsOf(changes).items[0]?.leadDays;
    assert.equal(ahead({ use_global_preparation_time: 0, preparation_time: 5 }), 5);
    assert.equal(ahead({ use_global_preparation_time: '0', preparation_time: '0' }), 0);
    assert.equal(ahead({ use_global_preparation_time: 0, preparation_time: 4000 }), 365);
    assert.equal(ahead({ use_global_preparation_time: 0, preparation_time: '0000-00-00' }), null);
    assert.equal(ahead({ preparation_time: 5 }), null);
  });

  it('are left out when they are not active, or have no number', () => {
    assert.deepEqual(hotelsOf({ active: '0' }).items, []);
    assert.deepEqual(hotelsOf({ id: '1</id_hotel>' }).items, []);
    // PHP writes an empty object as a list.
    assert.deepEqual(drained(readQloappsHotels(bytesOf([]), null)).items, []);
  });

  it('cannot be read from errors, from other than a list, and beyond the limit', () => {
    for (const [answer, kind] of [
      [{ errors: [{ code: 18, message: 'Invalid authentication key format' }] }, 'rejected'],
      [{ hotels: { 0: hotel } }, 'garbled'],
      [{ hotels: Array.from({ length: 501 }, () => hotel) }, 'too_large'],
    ] as const) {
      assert.throws(() => drained(readQloappsHotels(bytesOf(answer), null)), { kind });
    }
  });

  it('have policies in the lines that a browser shows', () => {
    const policies = '<p>Free &amp; easy.</p><ul><li>One</li><li><b>Tw</b>o</li></ul>5 < 6';
    assert.equal(hotelsOf({ policies }).items[0]?.policies, 'Free & easy.\nOne\nTwo\n5 < 6');
  });
});

describe('features of QloApps', () => {
  it('have names, of which only the active ones are read', () => {
    const features = [
      { id: 1, name: 'Wi-Fi' },
      { id: 2, name: 'Moat', active: '0' },
      { id: 3, name: '', active: 1 },
      { name: 'Gym' },
    ];
    const document = bytesOf({ room_type_features: features });
    assert.deepEqual(drained(readQloappsFeatures(document, { name: 'room_type_features' })).items, [
      ['1', 'Wi-Fi'],
    ]);
  });
});

describe('capacities of QloApps', () => {
  const room = (max_adult: unknown, max_occupancy: unknown) => ({ id_room: 1, max_adult, max_occupancy });
  const capacities = (room_types: unknown) =>
    drained(readQloappsCapacities(bytesOf({ hotel_ari: { currency: 'USD', room_types } }), null));

  it('are the most adults of a free room, and come with the currency', () => {
    const read = capacities([
      { id_room_type: 1, rooms: { available: { 1: room(2, 4), 2: room(3, 4) } } },
      { id_room_type: '2', rooms: { available: { 6: room(5, 4) } } },
      { id_room_type: 3, rooms: { available: [] } },
      { id_room_type: 4, rooms: { available: { 9: {} } } },
    ]);
    assert.deepEqual(read, {
      items: [
        ['1', 3],
        ['2', 4],
      ],
      summary: { currency: 'USD' },
    });
  });
});

const [knownHotel] = hotelsOf({}).items;
assert.ok(knownHotel);
const parameters = {
  stayUrl: 'https://harbour.example/index.php?id_product={reference}&controller=product&date_from={check_in}',
  hotels: new Map([['1', knownHotel]]),
  hotelFeatures: new Map([['11', 'Spa']]),
  roomTypeFeatures: new Map([
    ['1', 'Wi-Fi'],
    ['2', 'News Paper'],
  ]),
  currency: 'USD',
  capacities: new Map([['4', 3]]),
  picturesUrl: 'https://harbour.example',
  bookingMode: 'instant' as const,
  cancellationText: null,
  leadDays: 2,
};
const roomType = {
  id: 4,
  id_hotel: 1,
  adults: 2,
  children: 2,
  id_default_image: 123,
  active: 1,
  show_at_front: 1,
  available_for_order: 1,
  name: 'Sea Rooms',
  description_short: '<p>With a view.</p>',
  associations: {
    images: [{ id: 7 }, { id: 123 }],
    room_type_features: [{ id: 1 }, { id: 2 }, { id: 3 }],
    hotel_rooms: [{ id: 1 }],
  },
};
const roomTypesOf = (changes: object, more: object = {}) =>
  drained(
    readQloappsRoomTypes(bytesOf({ room_types: [{ ...roomType, ...changes }] }), { ...parameters, ...more }),
  ).items;

describe('room types of QloApps', () => {
  it('are put into the shape that every listing has', () => {
    assert.deepEqual(roomTypesOf({}), [
      {
        listing: {
          reference: '4',
          name: 'Harbour Hotel, Sea Rooms',
          place: 'Lisbon',
          location: 'Lisbon',
          max_guests: 3,
          summary: '<p>With a view.</p>',
          bedrooms: null,
          bathrooms: null,
          amenities: { wifi: 'Wi-Fi', spa: 'Spa' },
          cancellation: { summary: 'Free until a week before arrival.' },
          check_in_time: '14:00',
          check_out_time: '11:00',
          images: [
            { url: 'https://harbour.example/img/p/1/2/3/123.jpg', alt: '', type: 'other' },
            { url: 'https://harbour.example/img/p/7/7.jpg', alt: '', type: 'other' },
          ],
          url: 'https://harbour.example/index.php?id_product=4&controller=product',
          currency: 'USD',
          booking_mode: 'instant',
          lead_days: 2,
        },
        known: {
          currency: 'USD',
          maxGuests: 3,
          minimumStay: null,
          maximumStay: null,
          hotel: '1',
          bookableUntil: null,
        },
        unmapped: ['News Paper'],
      },
    ]);
  });

  it('take their base number of adults when no room was free to look at', () => {
    assert.equal(roomTypesOf({ adults: '2' }, { capacities: new Map() })[0]?.known?.maxGuests, 2);
  });

  it('are left out when the website does not show them', () => {
    for (const hidden of [
      { active: 0 },
      { show_at_front: '0' },
      { available_for_order: false },
      { id_hotel: 9 },
    ]) {
      assert.deepEqual(roomTypesOf(hidden), [], JSON.stringify(hidden));
    }
  });

  it('tolerate lists of PHP for objects', () => {
    const [one] = roomTypesOf({ associations: [], id_default_image: false });
    assert.deepEqual([one?.listing.images, one?.listing.amenities], [[], { spa: 'Spa' }]);
  });

  it('have the policy of a hotel without refunds, and the days ahead of one that has its own', () => {
    const [own] = hotelsOf({ active_refund: 0, use_global_preparation_time: 0, preparation_time: 5 }).items;
    assert.ok(own);
    const hotels = new Map([['1', own]]);
    const [one] = roomTypesOf({}, { hotels });
    assert.equal(one?.listing.lead_days, 5);
    assert.deepEqual(one?.listing.cancellation, {
      summary: 'Free until a week before arrival.',
      free_until: null,
      refundable: false,
    });
    const [ours] = roomTypesOf({}, { hotels, cancellationText: 'Ours.' });
    assert.deepEqual(ours?.listing.cancellation, { summary: 'Ours.' });
  });

  it('are not priced when their number is none', () => {
    const [one] = roomTypesOf({ id: '4<x/>' });
    assert.deepEqual([one?.listing.reference, one?.known], ['', null]);
  });
});
