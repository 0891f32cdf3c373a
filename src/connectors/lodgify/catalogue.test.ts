import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { plainContext } from '../../../test/support/plain-listing.ts';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { QuoteOutcome } from '../../quotes/booking-system.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import type { VendorAnswer, VendorCalls } from '../shared/vendors/vendor-calls.ts';
import { createLodgifyApi, type LodgifyApi } from './api.ts';
import { createLodgifyCatalogueReader } from './catalogue.ts';
import type { LodgifyProperty } from './payloads.ts';

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
  const refused: QuoteOutcome = { kind: 'unavailable', reference: '', reason: 'booked' };
  const api: LodgifyApi = {
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
    availability: async () => undefined,
    rates: async () => undefined,
    quote: async () => ({ outcome: refused, policy: '' }),
  };
  const context = {
    ...plainContext,
    stayUrl: 'https://casas.example/{reference}?{check_in}{check_out}{guests}',
  };
  const read = createLodgifyCatalogueReader({
    api,
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
    const { reading } = await read(undefined, pass);
    assert.deepEqual(
      reading.properties.map(({ reference }) => reference),
      ['1', '3'],
    );
    await read(undefined, pass);
    assert.deepEqual(rooms, ['1', '2', '3', '2']);
  });

  it('knows a home that is listed twice by its first room', async () => {
    const { read } = reader([property(1), property(2), property(1, { room: '8' })]);
    const { homes } = await read(undefined, pass);
    assert.equal(homes.get('1')?.room, '7');
  });

  it('ends when rooms and settings are more than the budget of the brand, whatever becomes of the homes', async () => {
    for (const city of ['Lisboa', 'Atlantis']) {
      const homes = Array.from({ length: 100 }, (_, id) => property(id, { city }));
      // Four bytes may be sent for each that is kept.
      const budget = { listings: 1000, bytes: 10_000 };
      const { read, rooms } = reader(homes, { roomBytes: 2000, budget });
      await assert.rejects(read(undefined, pass), isTooLarge);
      assert.deepEqual(rooms, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    }
  });

  it('lets the event loop have its turns while properties are held back', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { read } = reader(
      Array.from({ length: 4000 }, (_, id) => property(id, { room: null, roomTypes: 0 })),
    );
    const { reading } = await read(undefined, pass);
    isOver = true;
    assert.equal(reading.properties.length, 0);
    assert.ok(turns >= 19, `${turns} turns`);
  });
});

describe('the pages of properties', () => {
  it('end when there are more than all pages may have, though each is full of what is not active', async () => {
    let calls = 0;
    const read: VendorCalls['read'] = async () => {
      calls += 1;
      const answer = {
        items: [],
        summary: { count: 1e9, listed: 1000, errorCode: null },
        status: 200,
        header: () => undefined,
        bytes: 1,
      } satisfies VendorAnswer<'lodgify_properties'>;
      return answer as never;
    };
    const api = createLodgifyApi({ v1: { read }, v2: { read }, account: 'harbor' });
    await assert.rejects(
      api.properties(pass, () => undefined),
      isTooLarge,
    );
    assert.equal(calls, 21);
  });
});
