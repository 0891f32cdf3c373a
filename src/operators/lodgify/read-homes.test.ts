import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { mapLodgifyAmenities } from './amenities.ts';
import { readLodgifyProperties } from './read-properties.ts';
import { readLodgifyRoom } from './read-room.ts';
import { readLodgifySettings } from './read-settings.ts';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('the list of properties', () => {
  const PROPERTY = {
    id: 9,
    name: 'Harbour Loft',
    description: '<p>Quiet.</p>',
    address: ' - ',
    city: 'Lisbon',
    country: 'Portugal',
    image_url: '//l.icdbcdn.com/oh/a.jpg?f=32',
    contact: { spoken_languages: ['EN'] },
    rooms: [{ id: 7, name: 'Harbour Loft' }],
    currency_code: 'EUR',
    updated_at: '2026-10-02T17:05:21',
    is_active: true,
  };

  it('is read in its envelope or bare, and says how many there are', () => {
    const home = {
      id: '9',
      name: 'Harbour Loft',
      city: 'Lisbon',
      country: 'Portugal',
      imageUrl: '//l.icdbcdn.com/oh/a.jpg?f=32',
      currency: 'EUR',
      rooms: ['7'],
      isActive: true,
      updatedAt: '2026-10-02T17:05:21',
    };
    assert.deepEqual([...readLodgifyProperties(bytes({ count: 1, items: [PROPERTY] }), null)], [home]);
    assert.deepEqual([...readLodgifyProperties(bytes([PROPERTY]), null)], [home]);
    const reading = readLodgifyProperties(bytes({ count: 120, items: [PROPERTY, { id: 'x' }] }), null);
    reading.next();
    assert.deepEqual(reading.next(), { done: true, value: { count: 120, listed: 2, errorCode: null } });
    const refused = readLodgifyProperties(bytes({ message: 'No.', code: 999 }), null);
    assert.deepEqual(refused.next(), { done: true, value: { count: null, listed: 0, errorCode: 999 } });
  });

  it('is a list, or the answer is garbled', () => {
    const isGarbled = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'garbled';
    assert.throws(() => [...readLodgifyProperties(bytes({ items: {} }), null)], isGarbled);
  });
});

describe('a room', () => {
  const ROOM = {
    images: [{ text: 'The quay', url: '//l.icdbcdn.com/oh/a.jpg?f=32' }, { text: '' }],
    amenities: {
      cooking: [{ name: 'CookingEatingOven', text: 'Oven' }],
      sleeping: [{ name: 'SleepingDoubleBed', prefix: '2', text: '2 Double bed' }],
      outside: [],
    },
    max_people: 5,
    bedrooms: 2,
    bathrooms: 0,
    area: 300,
    area_unit: 'sqm',
    has_wifi: true,
    has_parking: false,
    pets_allowed: null,
    currency: { code: 'EUR' },
  };

  it('has pictures with a scheme, and 0 for what was not filled in', () => {
    assert.deepEqual(
      [...readLodgifyRoom(bytes(ROOM), null)],
      [
        {
          maxGuests: 5,
          bedrooms: 2,
          bathrooms: null,
          squareMetres: 300,
          currency: 'EUR',
          images: [{ url: 'https://l.icdbcdn.com/oh/a.jpg?f=32', alt: 'The quay', type: 'other' }],
          amenities: ['has_wifi', 'CookingEatingOven', 'SleepingDoubleBed'],
        },
      ],
    );
  });

  it('is read as far as it goes', () => {
    const [room] = readLodgifyRoom(
      bytes({ amenities: [], images: null, area: 900, area_unit: 'sqft' }),
      null,
    );
    assert.deepEqual(room, {
      maxGuests: null,
      bedrooms: null,
      bathrooms: null,
      squareMetres: null,
      currency: '',
      images: [],
      amenities: [],
    });
  });
});

describe('settings', () => {
  it('have hours and the notice that the operator wants', () => {
    const settings = { check_in_hour: 15, check_out_hour: 11, advance_notice_days: 2 };
    assert.deepEqual(
      [...readLodgifySettings(bytes(settings), null)],
      [{ checkInTime: '15:00', checkOutTime: '11:00', leadDays: 2 }],
    );
  });

  it('are unknown where both hours are midnight', () => {
    assert.deepEqual(
      [...readLodgifySettings(bytes({ check_in_hour: 0, check_out_hour: 0 }), null)],
      [{ checkInTime: null, checkOutTime: null, leadDays: 0 }],
    );
  });
});

describe('the amenities of a room', () => {
  it('are cut in length and number where they are read', () => {
    const cooking = Array.from({ length: 3000 }, (_, at) => ({ name: `${at}${'\ufdfa'.repeat(500)}` }));
    const [room] = readLodgifyRoom(bytes({ amenities: { cooking, outside: cooking } }), null);
    assert.equal(room?.amenities.length, 300);
    assert.ok(room.amenities.every((word) => word.length <= 100 && word === word.normalize('NFKC')));
  });

  it('are mapped by name or flag; beds are none, and what is unknown is not guessed', () => {
    const published = ['has_wifi', 'CookingEatingOven', 'SleepingDoubleBed', 'RoomsBedroom', 'OutsideMoat'];
    assert.deepEqual(mapLodgifyAmenities(published), {
      amenities: { wifi: 'Wi-Fi', oven: 'Oven' },
      unmapped: ['OutsideMoat'],
    });
  });
});
