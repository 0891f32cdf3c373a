import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Place } from '../../src/catalogue/catalogue.ts';
import { DEFAULT_BRAND_BUDGET } from '../../src/catalogue/catalogue.ts';
import { systemClock } from '../../src/clock.ts';
import { createFeedPace } from '../../src/connectors/icalendar/fetch-feed.ts';
import { qloappsConnector } from '../../src/connectors/qloapps/connector.ts';
import { createAccounts } from '../../src/connectors/shared/account/accounts.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import type { OwnedBytes } from '../../src/parsing/owned-memory.ts';
import type { BookingSystem, QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { formatDay } from '../../src/stay/day.ts';
import { openLoopbackClient } from '../support/loopback-client.ts';

/** A real QloApps, on this machine and without guests: this test books rooms in it. */
const { STAYWIRE_TEST_QLOAPPS_URL: url, STAYWIRE_TEST_QLOAPPS_KEY: key } = process.env;
const skip =
  url && key
    ? false
    : 'NOT TESTED AGAINST A REAL QLOAPPS: set STAYWIRE_TEST_QLOAPPS_URL and STAYWIRE_TEST_QLOAPPS_KEY';
if (skip) console.warn(skip);

const HOST = 'hotel.example';
const NIGHTS = 40;
const patient = new AbortController().signal;
const headers = { authorization: `Basic ${btoa(`${key}:`)}` };

async function api<Answer>(path: string, body?: string): Promise<Answer> {
  const separator = path.includes('?') ? '&' : '?';
  const response = await fetch(`${url}/api/${path}${separator}output_format=JSON`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  return (await response.json()) as Answer;
}

type Ari = {
  readonly currency: string;
  readonly room_types?: readonly {
    readonly total_price_with_tax: number;
    readonly rooms: { readonly available: object };
  }[];
};

async function ariOf(hotel: number, roomType: string, from: number, to: number): Promise<Ari> {
  const { hotel_ari } = await api<{ hotel_ari: Ari }>(
    'hotel_ari',
    `<qloapps><hotel_ari><id_hotel>${hotel}</id_hotel><id_room_type>${roomType}</id_room_type><date_from>${formatDay(from)}</date_from><date_to>${formatDay(to)}</date_to></hotel_ari></qloapps>`,
  );
  return hotel_ari;
}

function connect(cities: readonly string[], currency: string): BookingSystem {
  const reading = qloappsConnector.readEntry(
    { kind: 'qloapps', account: 'live', url, pictures_url: `https://${HOST}`, timeout_ms: 30_000 },
    { env: { STAYWIRE_SECRET_LIVE_API_KEY: key }, directory: '.' },
  );
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  const city: Place = {
    id: 'here',
    name: 'Here',
    aliases: [],
    kind: 'city',
    parent: null,
    timeZone: 'Etc/UTC',
    currency,
  };
  const places = new Map([[city.id, city]]);
  const disk = new Map<string, OwnedBytes>();
  const stored = (name: string) => ({
    read: async () => disk.get(name)?.slice(),
    save: async (document: OwnedBytes) => {
      disk.set(name, document);
    },
  });
  return reading.value({
    context: {
      brand: 'hotel',
      hosts: [HOST],
      stayUrl: `https://${HOST}/index.php?id_product={reference}&controller=product&date_from={check_in}&date_to={check_out}`,
      placeAliases: new Map(cities.map((name) => [name, city.id])),
      places,
    },
    clock: systemClock,
    openClient: openLoopbackClient,
    openAccount: createAccounts({ stored, clock: systemClock, random: systemRandom }),
    feedPace: createFeedPace({ clock: systemClock, random: systemRandom }),
    isForeign: () => false,
    intake: createInlineIntake({ places }),
    budget: DEFAULT_BRAND_BUDGET,
    stored,
    maxDocumentAgeMs: 300_000,
    onLastDocumentUsed: () => undefined,
  });
}

/** The answer can be a list of warnings although the rooms are booked, so nobody reads it. */
async function book(
  hotel: number,
  roomType: string,
  stay: { readonly checkIn: number; readonly checkOut: number },
  rooms: number,
  currency: string,
): Promise<void> {
  const room =
    '<room><adults>1</adults><child>0</child><unit_price_without_tax>50</unit_price_without_tax><total_tax>0</total_tax></room>'.repeat(
      rooms,
    );
  await fetch(`${url}/api/bookings`, {
    method: 'POST',
    headers,
    body: `<qloapps><booking><id_property>${hotel}</id_property><currency>${currency}</currency><booking_status>1</booking_status><payment_status>1</payment_status><source>Staywire</source><associations><customer_detail><firstname>Test</firstname><lastname>Guest</lastname><email>guest@example.com</email><phone>5550100</phone></customer_detail><price_details><total_paid>0</total_paid><total_price_with_tax>100</total_price_with_tax></price_details><payment_detail><payment_type>pay at hotel</payment_type><payment_method>cash</payment_method></payment_detail><room_types><room_type><id_room_type>${roomType}</id_room_type><checkin_date>${formatDay(stay.checkIn)}</checkin_date><checkout_date>${formatDay(stay.checkOut)}</checkout_date><number_of_rooms>${rooms}</number_of_rooms><rooms>${room}</rooms></room_type></room_types></associations></booking></qloapps>`,
  });
}

describe('a real QloApps', { skip }, () => {
  it('is read, priced to the cent, and no longer offers a stay that was booked', async (t) => {
    const { hotels } = await api<{ hotels: { id: number; city: string }[] }>('hotels?display=full');
    const { room_types: roomTypes } = await api<{ room_types: { id: number; id_hotel: number }[] }>(
      'room_types?display=full',
    );
    const [sample] = roomTypes;
    assert.ok(sample, 'it has a room type');
    const from = Math.floor(systemClock.now() / 86_400_000) + 120;
    const { currency } = await ariOf(sample.id_hotel, String(sample.id), from, from + 1);
    const system = connect([...new Set(hotels.map(({ city }) => city))], currency);
    t.after(() => system.close());

    const { properties, rejections } = await system.catalogue(patient);
    assert.deepEqual(
      rejections.filter(({ repaired }) => !repaired),
      [],
    );
    assert.equal(properties.length, roomTypes.length);
    const [property] = properties;
    assert.ok(property);
    const { reference, maxGuests } = property;
    const hotel = roomTypes.find(({ id }) => String(id) === reference)?.id_hotel ?? 0;

    const freeNights = async () => {
      const readings = await system.calendars([reference], { from, nights: NIGHTS }, patient);
      const reading = readings.get(reference);
      assert.ok(reading?.kind === 'valid', JSON.stringify(reading));
      return reading.value;
    };
    const before = await freeNights();
    const arrival = before.available.findIndex(
      (free, night) => free === 1 && before.available[night + 1] === 1,
    );
    assert.ok(arrival >= 0, 'two nights in a row are free');
    assert.ok((before.price[arrival] ?? 0) > 0);

    const stay = { checkIn: from + arrival, checkOut: from + arrival + 2 };
    const ask = async (guests: number): Promise<QuoteOutcome | undefined> => {
      const asked = { references: [reference], ...stay, guests, currency };
      return (await system.quote(asked, patient))[0];
    };
    const quoted = await ask(maxGuests);
    assert.ok(quoted?.kind === 'quoted', JSON.stringify(quoted));
    const { room_types: [truth] = [] } = await ariOf(hotel, reference, stay.checkIn, stay.checkOut);
    assert.ok(truth);
    assert.equal(quoted.quote.total, Math.round(truth.total_price_with_tax * 100));
    assert.equal(
      quoted.quote.lines.reduce((sum, { amount }) => sum + amount, 0),
      quoted.quote.total,
    );
    assert.deepEqual(await ask(maxGuests + 1), {
      kind: 'unavailable',
      reference,
      reason: 'too_many_guests',
    });

    await book(hotel, reference, stay, Object.keys(truth.rooms.available).length, currency);
    assert.deepEqual(await ask(1), { kind: 'unavailable', reference, reason: 'booked' });
    const after = await freeNights();
    assert.deepEqual(
      [...after.available.keys()].filter((night) => after.available[night] !== before.available[night]),
      [arrival, arrival + 1],
    );
  });
});
