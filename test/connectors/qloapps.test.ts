import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { aHome } from '../emulators/homes.ts';
import { type QloappsOptions, startQloapps } from '../emulators/qloapps.ts';
import { plainServer } from '../support/plain-server.ts';
import { connectVendorFor } from './connected-vendor.ts';
import { assertExactPrice } from './exact-price.ts';
import { HORIZON, patient, STAY } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, vendorOf } from './vendors.ts';
import { verdictOf } from './verdict.ts';

const qloapps: EmulatedVendorSystem<QloappsOptions> = { ...vendorOf('qloapps'), start: startQloapps };
/** QloApps shows no restriction of a stay in its nights. */
const anyLength = { minimumStay: () => 1, maximumStay: null };

/** Answers questions about each night of a stay with warnings when the night is one of them, as QloApps does when a room is out of order. */
function stumblingProxy(target: string, night: string) {
  return plainServer(async (request, response) => {
    const body = await text(request);
    const [, from = '', to = ''] = /<date_from>(.+)<.date_from><date_to>(.+)<.date_to>/.exec(body) ?? [];
    if (body.includes('<date_wise_breakdown>1') && from <= night && night < to) {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors: [{ code: 3, message: '[PHP Warning #2]' }] }));
      return;
    }
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization: request.headers.authorization ?? '' },
      ...(body === '' ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
}

describe('the connector to QloApps', () => {
  it('gives the room types of all hotels, and nothing private', async (t) => {
    const homes = Array.from({ length: 120 }, (_, index) =>
      aHome({ id: index + 1, amenities: ['wifi', 'roof_terrace'] }),
    );
    const { system, emulator } = await connectVendorFor(t, qloapps, { homes });
    const { properties, rejections, unmappedAmenities } = await system.catalogue(patient);
    assert.deepEqual(rejections, []);
    assert.deepEqual(
      properties.map(({ reference }) => reference),
      homes.map(({ id }) => emulator.referenceOf(id)),
    );
    const [first] = properties;
    assert.ok(first);
    assert.deepEqual(
      [first.name, first.checkInTime, first.checkOutTime, first.maxGuests, first.amenities, first.location],
      ['Lisbon Residences, Harbour House 1', '16:00', '10:00', 4, { wifi: 'Wi-Fi' }, 'Lisbon'],
    );
    assert.equal(unmappedAmenities?.[0]?.listings, 120);
    assert.match(first.cancellation.summary, /Free cancellation until 14 days before arrival/);
    assert.doesNotMatch(JSON.stringify(properties), /private|@|0987654321|Rua do Cais/);
    const pictures = await Promise.all(first.images.map(({ url }) => fetch(url)));
    assert.deepEqual(
      pictures.map(({ status }) => status),
      first.images.map(() => 200),
    );
  });

  it('tells how many days ahead rooms are booked, from the hotel or the entry', async (t) => {
    const leadDaysOf = async (options: Partial<QloappsOptions>) => {
      const entry = { minimum_booking_offset: 2 };
      const { system } = await connectVendorFor(t, qloapps, { ...options, entry });
      return (await system.catalogue(patient)).properties.map(({ leadDays }) => leadDays);
    };
    assert.deepEqual(await leadDaysOf({}), [2]);
    assert.deepEqual(await leadDaysOf({ preparationDays: 5 }), [5]);
    assert.deepEqual(await leadDaysOf({ preparationDays: 0 }), [0]);
  });

  it('does without amenities when the key may not read their names', async (t) => {
    const withheld = ['room_type_features', 'hotel_features'];
    const { system } = await connectVendorFor(t, qloapps, { withheld });
    const { properties, rejections } = await system.catalogue(patient);
    assert.deepEqual(rejections, []);
    assert.deepEqual(
      properties.map(({ amenities }) => amenities),
      [null],
    );
  });

  for (const withheld of ['hotels', 'room_types', 'hotel_ari']) {
    it(`says which permission is missing: ${withheld}`, async (t) => {
      const { system } = await connectVendorFor(t, qloapps, { withheld: [withheld] });
      await assert.rejects(system.catalogue(patient), {
        kind: 'rejected',
        message: new RegExp(`api_key of the account test.*${withheld}`),
      });
    });
  }

  it('says that the key may view and not add', async (t) => {
    const { system } = await connectVendorFor(t, qloapps, { viewOnly: true });
    await assert.rejects(system.catalogue(patient), {
      kind: 'rejected',
      message: /api_key of the account test.*may not add \(POST\) to hotel_ari/,
    });
  });

  it('prices all room types of a hotel with one call, to the cent, and the lines add up', async (t) => {
    const homes = Array.from({ length: 30 }, (_, index) =>
      aHome({
        id: index + 1,
        nightlyPrice: (text) => 99_99 + Number(text.slice(-2)) + index,
        taxPercent: 7,
        ...anyLength,
      }),
    );
    const { system, emulator } = await connectVendorFor(t, qloapps, { homes });
    await system.catalogue(patient);
    const before = emulator.requests.length;
    const references = homes.map(({ id }) => emulator.referenceOf(id));
    const outcomes = await system.quote({ references, ...STAY }, patient);
    assert.equal(emulator.requests.length - before, 1);
    assert.equal(outcomes.length, homes.length);
    for (const [index, outcome] of outcomes.entries()) {
      assert.equal(outcome.reference, references[index]);
      const truth = emulator.priceOf(index + 1, formatDay(STAY.checkIn), formatDay(STAY.checkOut), 2);
      const { lines } = assertExactPrice(outcome, truth, qloapps);
      assert.deepEqual(
        lines.map(({ label }) => label),
        ['Stay', 'Tax'],
      );
    }
  });

  it('offers a room type while one of its equal rooms is free', async (t) => {
    const homes = [aHome(anyLength)];
    const { system, emulator } = await connectVendorFor(t, qloapps, { homes, roomsOfEach: 2 });
    await system.catalogue(patient);
    const reference = emulator.referenceOf(1);
    const freeNights = async () => {
      const reading = (await system.calendars([reference], HORIZON, patient)).get(reference);
      assert.ok(reading?.kind === 'valid', JSON.stringify(reading));
      return [...reading.value.available].reduce((sum, free) => sum + free, 0);
    };
    const ask = async () => (await system.quote({ references: [reference], ...STAY }, patient))[0]?.kind;
    emulator.book(1, formatDay(STAY.checkIn), formatDay(STAY.checkOut));
    assert.deepEqual([await ask(), await freeNights()], ['quoted', HORIZON.nights]);
    emulator.book(1, formatDay(STAY.checkIn), formatDay(STAY.checkOut));
    assert.deepEqual([await ask(), await freeNights()], ['unavailable', HORIZON.nights - 4]);
  });

  it('offers nothing after the last day for which the website takes bookings', async (t) => {
    const entry = { last_booking_date: formatDay(STAY.checkIn + 2) };
    const { system, emulator } = await connectVendorFor(t, qloapps, { entry });
    await system.catalogue(patient);
    const reference = emulator.referenceOf(1);
    const reading = (await system.calendars([reference], HORIZON, patient)).get(reference);
    assert.ok(reading?.kind === 'valid');
    assert.equal(HORIZON.from + reading.value.available.lastIndexOf(1), STAY.checkIn + 1);
    const before = emulator.requests.length;
    const outcomes = await system.quote({ references: [reference], ...STAY }, patient);
    assert.deepEqual(outcomes.map(verdictOf), ['not_offered']);
    assert.equal(emulator.requests.length, before);
  });

  it('reads the other nights when QloApps stumbles over one of them', async (t) => {
    const homes = [aHome(anyLength)];
    const { system, emulator, reconnect } = await connectVendorFor(t, qloapps, { homes });
    const between = await stumblingProxy(emulator.url, formatDay(TODAY + 17));
    t.after(() => between.close());
    emulator.book(1, formatDay(TODAY + 2), formatDay(TODAY + 4));
    const stumbling = reconnect({ entry: { url: between.url, pictures_url: emulator.url } });
    const reference = emulator.referenceOf(1);
    const calendarOf = async (asked: typeof system) => {
      await asked.catalogue(patient);
      return (await asked.calendars([reference], { from: TODAY, nights: 60 }, patient)).get(reference);
    };
    const honest = await calendarOf(system);
    assert.ok(honest?.kind === 'valid');
    assert.deepEqual(await calendarOf(stumbling), honest);
    assert.ok(between.requests.length < 60, `${between.requests.length} requests`);
  });
});
