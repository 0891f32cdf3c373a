import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { allStored } from '../../test/support/all-stored.ts';
import { loadedHome } from '../../test/support/loaded-home.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { type Calendar, emptyCalendar } from '../catalogue/calendar.ts';
import type { Property } from '../catalogue/catalogue.ts';
import { listingDigest } from '../catalogue/catalogue.ts';
import type { InventoryStore, LoadedHome } from './inventory-store.ts';

const READ_AT = Date.parse('2026-11-15T23:30:00.123Z');

/** A new store for one test, closed and deleted after it. */
export type NewInventoryStore = (test: TestContext) => Promise<InventoryStore>;

/** The cases that every inventory store must pass. */
export function inventoryStoreContract({ newStore }: { readonly newStore: NewInventoryStore }): void {
  it('loads nothing at first', async (t) => {
    assert.deepEqual(await allStored(await newStore(t)), []);
  });

  it('loads properties that have a calendar, whatever their script', async (t) => {
    const store = await newStore(t);
    const withCalendar = aProperty('azul:1', {
      name: 'Quinta da Água 🏡 別荘',
      amenities: { pool: 'Piscina' },
    });
    await store.replaceCatalogue('azul', [withCalendar, aProperty('azul:2')]);
    const calendar = aCalendar(7);
    await store.saveCalendars([{ property: 'azul:1', calendar, readAt: READ_AT }]);
    assert.deepEqual(await allStored(store), [loadedHome(withCalendar, calendar, READ_AT)]);
  });

  it('has the whole listing of each home in its catalogues, with a calendar or without', async (t) => {
    const store = await newStore(t);
    const { listings } = store;
    assert.deepEqual([listings.get('azul:1'), listings.home('azul:1')], [undefined, undefined]);
    const first = aProperty('azul:1', { name: '別荘', amenities: {}, cut: ['name'], leadDays: 3 });
    await store.replaceCatalogue('azul', [first, aProperty('azul:2')]);
    await store.replaceCatalogue('verde', [aProperty('verde:1', { amenities: { pool: 'Pool "25 m"' } })]);
    assert.deepEqual(listings.get('azul:1'), first);
    assert.deepEqual(listings.get('azul:2'), aProperty('azul:2'));
    assert.deepEqual(listings.home('azul:1'), {
      home: loadedHome(first, aCalendar(1), READ_AT).content?.home,
      digest: listingDigest(first),
    });
    assert.deepEqual(listings.home('verde:1')?.home.amenities, { pool: 'Pool "25 m"' });

    const renamed = { ...first, name: 'Renamed', maxGuests: 9 };
    await store.replaceCatalogue('azul', [renamed]);
    assert.deepEqual(listings.get('azul:1'), renamed);
    assert.equal(listings.home('azul:1')?.home.maxGuests, 9);
    assert.deepEqual([listings.get('azul:2'), listings.home('azul:2')], [undefined, undefined]);
    assert.equal(listings.get('verde:1')?.brand, 'verde');
  });

  it('keeps calendars exactly', async (t) => {
    const store = await newStore(t);
    await store.replaceCatalogue('azul', [aProperty('azul:1')]);
    const oneByte = () => fc.uint8Array({ minLength: 9, maxLength: 9, max: 1 });
    const twoBytes = () => fc.uint16Array({ minLength: 9, maxLength: 9 });
    const calendars = fc.record({
      firstDay: fc.integer({ min: -1_000, max: 100_000 }),
      available: oneByte(),
      minimumStay: twoBytes(),
      maximumStay: twoBytes(),
      closedToArrival: oneByte(),
      closedToDeparture: oneByte(),
      price: fc.uint32Array({ minLength: 9, maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(calendars, fc.integer({ min: 0, max: 9 }), async (nine, nights) => {
        const calendar = firstNights(nine, nights);
        await store.saveCalendars([{ property: 'azul:1', calendar, readAt: READ_AT }]);
        assert.deepEqual((await allStored(store))[0]?.content?.calendar, calendar);
      }),
      { numRuns: scaledCases(40) },
    );
  });

  it('hands out copies: changing them changes nothing that is stored', async (t) => {
    const store = await newStore(t);
    await store.replaceCatalogue('azul', [aProperty('azul:1')]);
    const calendar = aCalendar(3);
    await store.saveCalendars([{ property: 'azul:1', calendar, readAt: READ_AT }]);
    calendar.price.fill(0);
    (await allStored(store))[0]?.content?.calendar.available.fill(0);
    assert.deepEqual((await allStored(store))[0]?.content?.calendar, aCalendar(3));
  });

  it('reads no calendar that the caller has in the same state', async (t) => {
    const store = await newStore(t);
    const homes = Array.from({ length: 600 }, (_, number) => aProperty(`azul:${number}`));
    await store.replaceCatalogue('azul', homes);
    await store.saveCalendars(
      homes.map(({ id }, number) => ({ property: id, calendar: aCalendar(number % 7), readAt: READ_AT })),
    );
    const all = await allStored(store);
    const known = new Map(all.map(({ id, version }) => [id, version]));
    const changed = aProperty('azul:3', { maxGuests: 77 });
    await store.replaceCatalogue('azul', [...homes.slice(0, 3), changed, ...homes.slice(4)]);
    await store.saveCalendars([{ property: 'azul:400', calendar: aCalendar(8), readAt: READ_AT + 1 }]);
    await store.saveCalendars([{ property: 'azul:401', calendar: aCalendar(401 % 7), readAt: READ_AT + 2 }]);
    const loaded: LoadedHome[] = [];
    await store.load(
      (few) => loaded.push(...few),
      ({ id, version: { listing, calendar } }) =>
        known.get(id)?.listing === listing && known.get(id)?.calendar === calendar,
    );
    assert.deepEqual(
      loaded.map(({ id }) => id),
      all.map(({ id }) => id),
    );
    const read = loaded
      .filter(({ content }) => content !== null)
      .sort((one, other) => one.id.localeCompare(other.id));
    assert.deepEqual(read, [
      loadedHome(changed, aCalendar(3), READ_AT),
      loadedHome(homes[400] ?? changed, aCalendar(8), READ_AT + 1),
    ]);
    const again = loaded.find(({ id }) => id === 'azul:401');
    assert.deepEqual([again?.readAt, again?.content], [READ_AT + 2, null]);
  });

  it('removes what a new catalogue no longer holds, with its calendar, in that brand only', async (t) => {
    const store = await newStore(t);
    await store.replaceCatalogue('azul', [aProperty('azul:1'), aProperty('azul:2')]);
    await store.replaceCatalogue('verde', [aProperty('verde:1')]);
    const calendars = ['azul:1', 'azul:2', 'verde:1'].map((property) => ({
      property,
      calendar: aCalendar(5),
      readAt: READ_AT,
    }));
    await store.saveCalendars(calendars);

    const renamed = aProperty('azul:2', { name: 'Renamed' });
    await store.replaceCatalogue('azul', [renamed, aProperty('azul:3')]);
    assert.deepEqual(await loadedById(store), ['azul:2 Renamed', 'verde:1 A home']);

    // A home that is listed again does not get its old calendar back.
    await store.replaceCatalogue('azul', [renamed, aProperty('azul:1')]);
    assert.deepEqual(await loadedById(store), ['azul:2 Renamed', 'verde:1 A home']);
    await store.replaceCatalogue('azul', []);
    assert.deepEqual(await loadedById(store), ['verde:1 A home']);
  });

  it('ignores calendars of properties that are not in the catalogue', async (t) => {
    const store = await newStore(t);
    await store.saveCalendars([{ property: 'azul:1', calendar: aCalendar(5), readAt: READ_AT }]);
    await store.replaceCatalogue('azul', [aProperty('azul:1')]);
    assert.deepEqual(await allStored(store), []);
  });

  it('replaces a calendar by a later one', async (t) => {
    const store = await newStore(t);
    await store.replaceCatalogue('azul', [aProperty('azul:1')]);
    await store.saveCalendars([{ property: 'azul:1', calendar: aCalendar(5), readAt: READ_AT }]);
    await store.saveCalendars([{ property: 'azul:1', calendar: aCalendar(2), readAt: READ_AT }]);
    assert.deepEqual((await allStored(store))[0]?.content?.calendar, aCalendar(2));
  });

  it('keeps when each calendar was read, also when the catalogue is replaced', async (t) => {
    const store = await newStore(t);
    const homes = [aProperty('azul:1'), aProperty('azul:2')];
    await store.replaceCatalogue('azul', homes);
    const calendar = aCalendar(2);
    await store.saveCalendars([
      { property: 'azul:1', calendar, readAt: READ_AT },
      { property: 'azul:2', calendar, readAt: READ_AT + 1 },
    ]);
    // The host's clock was set back in between: the later reading counts.
    await store.saveCalendars([{ property: 'azul:2', calendar, readAt: 5 }]);
    await store.replaceCatalogue('azul', homes);
    const readAtOf = Object.fromEntries((await allStored(store)).map(({ id, readAt }) => [id, readAt]));
    assert.deepEqual(readAtOf, { 'azul:1': READ_AT, 'azul:2': 5 });
  });

  it('takes catalogues of thousands, and two at the same time', async (t) => {
    const store = await newStore(t);
    const many = Array.from({ length: 1_500 }, (_, at) => aProperty(`azul:${at}`));
    const few = many.slice(0, 3);
    await Promise.all([store.replaceCatalogue('azul', few), store.replaceCatalogue('azul', many)]);
    await store.saveCalendars(
      many.map(({ id }) => ({ property: id, calendar: aCalendar(540), readAt: READ_AT })),
    );
    assert.equal((await allStored(store)).length, 1_500);
    await Promise.all([store.replaceCatalogue('azul', many), store.replaceCatalogue('azul', few)]);
    assert.equal((await allStored(store)).length, 3);
  });

  it('keeps one document under each name, to the letter', async (t) => {
    const store = await newStore(t);
    const document = async (name: string) => {
      const bytes = await store.document(name);
      return bytes && new TextDecoder().decode(bytes);
    };
    assert.equal(await document('azul'), undefined);
    await store.saveDocument('azul', new TextEncoder().encode('{ "properties": [] }'));
    await store.saveDocument('verde', new TextEncoder().encode('{"é": "🏡"}'));
    await store.saveDocument('azul', new TextEncoder().encode('{"properties":[ ]}'));
    assert.equal(await document('azul'), '{"properties":[ ]}');
    assert.equal(await document('verde'), '{"é": "🏡"}');
  });

  it('keeps what was learned of a brand apart from documents and its catalogue', async (t) => {
    const store = await newStore(t);
    assert.equal(await store.learned('azul'), undefined);
    await store.saveDocument('azul', new TextEncoder().encode('a card'));
    await store.saveLearned('azul', '[1]');
    await store.saveLearned('azul', '[1, "é"]');
    await store.saveLearned('verde', '[2]');
    await store.replaceCatalogue('azul', []);
    assert.equal(await store.learned('azul'), '[1, "é"]');
    assert.equal(await store.learned('verde'), '[2]');
    assert.deepEqual(await store.document('azul'), new TextEncoder().encode('a card'));
  });
}

async function loadedById(store: InventoryStore): Promise<string[]> {
  const stored = await allStored(store);
  return stored.map(({ id }) => `${id} ${store.listings.get(id)?.name}`).toSorted();
}

function aCalendar(nights: number): Calendar {
  const calendar = emptyCalendar(20_000, nights);
  for (let night = 0; night < nights; night += 1) {
    calendar.available[night] = night % 2;
    calendar.minimumStay[night] = 300 + night;
    calendar.maximumStay[night] = 65_535 - night;
    calendar.closedToArrival[night] = night % 3 === 0 ? 1 : 0;
    calendar.closedToDeparture[night] = night % 5 === 0 ? 1 : 0;
    calendar.price[night] = 4_000_000_000 + night;
  }
  return calendar;
}

function firstNights(calendar: Calendar, nights: number): Calendar {
  return {
    firstDay: calendar.firstDay,
    available: calendar.available.slice(0, nights),
    minimumStay: calendar.minimumStay.slice(0, nights),
    maximumStay: calendar.maximumStay.slice(0, nights),
    closedToArrival: calendar.closedToArrival.slice(0, nights),
    closedToDeparture: calendar.closedToDeparture.slice(0, nights),
    price: calendar.price.slice(0, nights),
  };
}

function aProperty(id: string, given: Partial<Property> = {}): Property {
  const [brand = '', reference = ''] = id.split(':');
  return {
    id,
    brand,
    reference,
    name: 'A home',
    place: 'lisbon-pt',
    location: 'Alfama, Lisbon',
    maxGuests: 4,
    summary: '2 bedrooms',
    bedrooms: 2,
    bathrooms: null,
    amenities: null,
    rating: { score: 4.5, scale: 5, reviewCount: null },
    cancellation: { summary: 'Free for a week.', free: { daysBefore: 7, time: '18:00' } },
    checkInTime: '15:00',
    checkOutTime: null,
    images: [{ url: 'https://azul.example/1.jpg', alt: 'The house', type: 'exterior' }],
    url: `https://${brand}.example/${reference}`,
    currency: 'EUR',
    bookingMode: 'instant',
    leadDays: 0,
    ...given,
  };
}
