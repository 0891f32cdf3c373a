import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { plainContext } from '../../../test/support/plain-listing.ts';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { mapLodgifyAmenities } from './amenities.ts';
import {
  type LodgifyProperty,
  readLodgifyProperties,
  readLodgifyRoom,
  readLodgifySettings,
} from './catalogue.ts';
import { createLodgifyCatalogueReader, type LodgifyCatalogueCalls } from './connector.ts';

const pass = { signal: new AbortController().signal };
const isTooLarge = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'too_large';

const property = (id: number, changes: Partial<LodgifyProperty> = {}): LodgifyProperty => ({
  id: String(id),
  name: 'Harbour Loft',
  city: 'Lisboa',
  country: 'Portugal',
  imageUrl: '',
  currency: 'EUR',
  room: '7',
  roomTypes: 1,
  updatedAt: '',
  ...changes,
});

function reader(
  properties: readonly LodgifyProperty[],
  { roomBytes = 100, budget = DEFAULT_BRAND_BUDGET }: { roomBytes?: number; budget?: BrandBudget } = {},
) {
  const rooms: string[] = [];
  const calls: LodgifyCatalogueCalls = {
    properties: async () => properties,
    async room(id, _room, _pass, sent) {
      rooms.push(id);
      sent(roomBytes);
      return {
        maxGuests: 4,
        bedrooms: 1,
        bathrooms: 1,
        squareMetres: null,
        currency: 'EUR',
        images: [{ url: 'https://casas.example/img/1.jpg', alt: '', type: 'other' }],
        amenities: [],
      };
    },
    async settings(_id, _pass, sent) {
      sent(roomBytes);
      return { checkInTime: null, checkOutTime: null, leadDays: 0 };
    },
  };
  const context = {
    ...plainContext,
    stayUrl: 'https://casas.example/{reference}?{check_in}{check_out}{guests}',
  };
  const read = createLodgifyCatalogueReader({
    calls,
    intake: createInlineIntake(context),
    context,
    budget,
    clock: createFakeClock(Date.UTC(2027, 2, 10)),
    terms: { bookingMode: 'request', cancellationText: 'No refunds.' },
    parallel: 2,
  });
  return { read, rooms };
}

describe('the catalogue of Lodgify', () => {
  it('keeps the details of homes that were accepted, and of no others', async () => {
    const { read, rooms } = reader([property(1), property(2, { city: 'Atlantis' }), property(3)]);
    const { reading } = await read(pass);
    assert.deepEqual(
      reading.properties.map(({ reference }) => reference),
      ['1', '3'],
    );
    await read(pass);
    assert.deepEqual(rooms, ['1', '2', '3', '2']);
  });

  it('knows a home that is listed twice by its first room', async () => {
    const { read } = reader([property(1), property(2), property(1, { room: '8' })]);
    const { rooms } = await read(pass);
    assert.equal(rooms.get('1'), '7');
  });

  it('ends when rooms and settings are more than the budget of the brand, whatever becomes of the homes', async () => {
    for (const city of ['Lisboa', 'Atlantis']) {
      const homes = Array.from({ length: 100 }, (_, id) => property(id, { city }));
      // Four bytes may be sent for each that is kept.
      const budget = { listings: 1000, bytes: 10_000 };
      const { read, rooms } = reader(homes, { roomBytes: 2000, budget });
      await assert.rejects(read(pass), isTooLarge);
      assert.deepEqual(rooms, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    }
  });
});

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
      room: '7',
      roomTypes: 1,
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

  it('has no property that is not active, and says how many room types one has', () => {
    const items = [
      { ...PROPERTY, is_active: false },
      { ...PROPERTY, rooms: [] },
      { ...PROPERTY, rooms: [{ id: 7 }, { id: 8 }, { name: 'x' }] },
    ];
    const reading = readLodgifyProperties(bytes({ items }), null);
    const rooms = [reading.next(), reading.next()].map(({ value }) => [
      value && 'room' in value && value.room,
      value && 'room' in value && value.roomTypes,
    ]);
    assert.deepEqual(rooms, [
      [null, 0],
      ['7', 2],
    ]);
    assert.deepEqual(reading.next(), { done: true, value: { count: null, listed: 3, errorCode: null } });
  });

  it('is refused before anything of it is handed over when a page has too many', () => {
    const page = (length: number) => bytes({ items: Array.from({ length }, (_, id) => ({ id })) });
    assert.equal([...readLodgifyProperties(page(1000), null)].length, 1000);
    assert.throws(() => readLodgifyProperties(page(1001), null).next(), isTooLarge);
  });

  it('is cut where it is read, and does not become right by it', () => {
    const long = 'あ'.repeat(20_000);
    const rooms = Array.from({ length: 5000 }, (_, id) => ({ id }));
    const texts = { name: long, city: long, country: long, image_url: long, updated_at: long };
    const [home] = readLodgifyProperties(bytes([{ id: 9, ...texts, rooms, currency_code: 'EUROS' }]), null);
    assert.ok(weightOf(home) < 3000, String(weightOf(home)));
    assert.equal(home?.currency, 'EURO');
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

  it('has few more pictures than are shown, and short captions', () => {
    const image = (length: number) => ({
      url: `https://x.example/${'a'.repeat(length)}`,
      text: 'あ'.repeat(2000),
    });
    const roomWith = (length: number) =>
      [...readLodgifyRoom(bytes({ images: Array.from({ length: 500 }, () => image(length)) }), null)][0];
    const [short, long] = [roomWith(10), roomWith(1900)];
    assert.deepEqual([short?.images.length, short?.images[0]?.alt.length], [56, 400]);
    for (const room of [short, long]) assert.ok(weightOf(room) < 32_000, String(weightOf(room)));
    const bare = Array.from({ length: 500 }, (_, at) => ({ url: `https://x.example/${at}`, text: '' }));
    assert.equal([...readLodgifyRoom(bytes({ images: bare }), null)][0]?.images.length, 60);
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
