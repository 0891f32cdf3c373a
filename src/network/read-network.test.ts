import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Surroundings } from '../connectors/connector.ts';
import { serverOf } from '../parsing/web-address.ts';
import type { NetworkFile } from './network-file.ts';
import { describeNetwork, readNetwork } from './read-network.ts';

const file: NetworkFile = {
  name: 'Iberian Stays',
  contact: 'network@stays.example',
  refresh_seconds: 60,
  places: [
    { id: 'portugal', name: 'Portugal', kind: 'country', time_zone: 'Europe/Lisbon', currency: 'EUR' },
    {
      id: 'algarve-pt',
      name: 'Algarve',
      kind: 'region',
      parent: 'portugal',
      time_zone: 'Europe/Lisbon',
      currency: 'EUR',
    },
    {
      id: 'faro-pt',
      name: 'Faro',
      kind: 'city',
      parent: 'algarve-pt',
      time_zone: 'Europe/Lisbon',
      currency: 'EUR',
    },
    {
      id: 'lisbon-pt',
      name: 'Lisbon',
      aliases: ['Lisboa', 'リスボン'],
      kind: 'city',
      parent: 'portugal',
      time_zone: 'Europe/Lisbon',
      currency: 'EUR',
    },
  ],
  brands: [
    {
      source: 'casas',
      name: 'Casas',
      all_in_totals: true,
      website: {
        hosts: ['WWW.casas.example', 'localhost:4000'],
        results_url: 'https://www.casas.example/stays',
        stay_parameters: { check_in: 'arrival' },
      },
      places: { Lisboa: 'lisbon-pt' },
      booking_system: {
        kind: 'open',
        url: 'https://ops.casas.example/staywire/',
        token_variable: 'CASAS_TOKEN',
      },
    },
    {
      source: 'farol',
      name: 'Farol',
      single_location: 'faro-pt',
      all_in_totals: false,
      website: { hosts: ['farol.example'] },
      booking_system: { kind: 'rate-card', file: 'farol.json' },
    },
  ],
};
const surroundings: Surroundings = { env: { CASAS_TOKEN: 'secret' }, directory: '/etc/staywire' };

/** The file with one member, named by a JSON pointer, replaced or removed. */
function changed(pointer: string, value: unknown): unknown {
  const copy: unknown = structuredClone(file);
  const path = pointer.split('/').slice(1);
  const last = path.pop() ?? '';
  let holder = copy;
  for (const member of path) {
    assert.ok(typeof holder === 'object' && holder !== null);
    holder = Reflect.get(holder, member);
  }
  assert.ok(typeof holder === 'object' && holder !== null);
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return copy;
}

function faultsOf(json: unknown, around = surroundings) {
  const reading = describeNetwork(json, around);
  return reading.kind === 'invalid' ? reading.faults : [];
}

describe('a network file', () => {
  it('becomes a network and its connections', () => {
    const reading = describeNetwork(file, surroundings);
    assert.ok(reading.kind === 'valid', JSON.stringify(reading));
    const { network, connections, ...facts } = reading.value;
    assert.deepEqual(facts, {
      name: 'Iberian Stays',
      contact: 'network@stays.example',
      refreshSeconds: 60,
    });
    assert.deepEqual(network.places.get('faro-pt'), {
      id: 'faro-pt',
      name: 'Faro',
      aliases: [],
      kind: 'city',
      parent: 'algarve-pt',
      timeZone: 'Europe/Lisbon',
      currency: 'EUR',
    });
    assert.deepEqual(network.places.get('lisbon-pt')?.aliases, ['Lisboa', 'リスボン']);
    assert.deepEqual(network.brands.get('casas'), {
      id: 'casas',
      name: 'Casas',
      singleLocation: null,
      inventorySource: 'live_booking_system',
      allInTotals: true,
      website: {
        hosts: ['www.casas.example', 'localhost:4000'],
        resultsUrl: 'https://www.casas.example/stays',
        pagePattern: null,
        imagePattern: null,
        stayUrl: null,
        stayParameters: {
          checkIn: 'arrival',
          checkOut: 'check_out',
          guests: 'guests',
          source: 'source',
          destination: 'destination',
        },
      },
    });
    const farol = network.brands.get('farol');
    assert.equal(farol?.singleLocation, 'faro-pt');
    assert.equal(farol?.inventorySource, 'rate_card');
    assert.equal(farol?.website.resultsUrl, null);
    const page = 'https://www.casas.example/homes/{reference}';
    const patterned = describeNetwork(changed('/brands/0/website/page_pattern', page), surroundings);
    assert.ok(patterned.kind === 'valid');
    assert.equal(patterned.value.network.brands.get('casas')?.website.pagePattern, page);
    assert.deepEqual(
      Array.from(connections.values(), ({ brand, placeAliases }) => [brand, placeAliases]),
      [
        ['casas', new Map([['Lisboa', 'lisbon-pt']])],
        ['farol', new Map()],
      ],
    );
  });

  it('can give a brand another budget, in part or in whole', () => {
    const budgetFrom = (budget: unknown) => {
      const reading = describeNetwork(changed('/brands/0/budget', budget), surroundings);
      assert.ok(reading.kind === 'valid', JSON.stringify(reading));
      return reading.value.connections.get('casas')?.budget;
    };
    assert.deepEqual(budgetFrom(undefined), { listings: 100_000, bytes: 268_435_456 });
    assert.deepEqual(budgetFrom({ listings: 50_000 }), { listings: 50_000, bytes: 268_435_456 });
    assert.deepEqual(budgetFrom({ listings: 5, megabytes: 1 }), { listings: 5, bytes: 1_048_576 });
  });

  const bad: readonly [pointer: string, value: unknown, at?: string][] = [
    ['/name', undefined, ''],
    ['/refresh_seconds', 1],
    ['/surprise', true],
    ['/places/0/id', 'Portugal!'],
    ['/places/1/id', 'portugal'],
    ['/places/3/kind', 'village'],
    ['/places/3/parent', 'spain'],
    ['/places/3/parent', 'faro-pt'],
    ['/places/1/parent', 'lisbon-pt'],
    ['/places/0/parent', 'algarve-pt'],
    ['/places/3/parent', 'lisbon-pt'],
    ['/places/3/time_zone', 'Europe/Atlantis'],
    ['/places/3/currency', 'EURO'],
    ['/places/3/currency', 'ZZZ'],
    ['/places/3/currency', 'USD'],
    ['/places/3/aliases', 'Lisboa'],
    ['/places/3/aliases', []],
    ['/places/3/aliases', Array.from({ length: 21 }, (_, at) => `Lisbon ${at}`)],
    ['/places/3/aliases/0', ''],
    ['/places/3/aliases/1', 'L'.repeat(121)],
    ['/places/3/aliases/1', 7],
    ['/places/3/aliases/1', ' – '],
    ['/places/3/aliases/1', 'Lisboa'],
    ['/places/3/surprise', 1],
    ['/brands/1/source', 'casas'],
    ['/brands/1/single_location', 'atlantis'],
    ['/brands/1/budget', { listings: 0 }, '/brands/1/budget/listings'],
    ['/brands/1/budget', { megabytes: 0.5 }, '/brands/1/budget/megabytes'],
    ['/brands/1/budget', { pages: 3 }, '/brands/1/budget/pages'],
    ['/brands/0/website/hosts/0', 'https://casas.example'],
    ['/brands/0/website/hosts/1', '10.0.0.1'],
    ['/brands/0/website/results_url', 'https://elsewhere.example/'],
    ['/brands/0/website/results_url', 'http://www.casas.example/'],
    ['/brands/0/website/results_url', 'https://www.casas.example/ai/'],
    ['/brands/0/website/page_pattern', 'https://elsewhere.example/{reference}'],
    ['/brands/0/website/image_pattern', 'https://www.casas.example/{reference'],
    ['/brands/0/website/stay_parameters/check_in', 'a&b'],
    ['/brands/0/website/stay_parameters/check_in', 'guests', '/brands/0/website/stay_parameters'],
    ['/brands/0/website/stay_parameters/quote', 'a&b'],
    ['/brands/0/website/stay_parameters/quote', 'guests', '/brands/0/website/stay_parameters'],
    ['/brands/0/website/stay_parameters/nights', 'n'],
    ['/brands/0/places/Lisboa', 'portugal'],
    ['/brands/0/places/Lisboa', 'atlantis'],
    ['/brands/0/booking_system/kind', 'fax'],
    ['/brands/0/booking_system/url', undefined, '/brands/0/booking_system'],
    ['/brands/0/booking_system/url', 'http://ops.casas.example/'],
    ['/brands/0/booking_system/url', 'https://user:pass@ops.casas.example/'],
    ['/brands/0/booking_system/url', 'https://ops.casas.example/?key=1'],
    ['/brands/0/booking_system/token_variable', 'NOT_SET'],
    ['/brands/0/booking_system/token_variable', 'lower'],
    ['/brands/0/booking_system/timeout_ms', 1],
    ['/brands/0/booking_system/file', 'x.json'],
    ['/brands/1/booking_system/file', undefined, '/brands/1/booking_system'],
    ['/brands/1/booking_system/url', 'https://farol.example/card.json', '/brands/1/booking_system'],
    ['/brands/1/booking_system/timeout_ms', 1000],
    ['/brands', [], '/brands'],
    ['/places', 'none', '/places'],
  ];
  for (const [pointer, value, at = pointer] of bad) {
    it(`with ${JSON.stringify(value)} at ${pointer} is refused there`, () => {
      const faults = faultsOf(changed(pointer, value));
      assert.ok(
        faults.some((fault) => fault.pointer === at && fault.message !== ''),
        JSON.stringify(faults),
      );
      // Two kinds of booking system are possible, and only the faults of the one that was meant are told.
      if (pointer.includes('booking_system')) assert.equal(faults.length, 1, JSON.stringify(faults));
    });
  }

  it('is told all its faults at once, those of the schema and the others', () => {
    const broken = {
      ...file,
      contact: 7,
      places: [...file.places, { ...file.places[3], id: 'porto-pt', time_zone: 'Nowhere' }],
      brands: [...file.brands, { ...file.brands[0], source: 'casas' }, { source: 'x' }],
    };
    const pointers = faultsOf(broken, { ...surroundings, env: {} }).map(({ pointer }) => pointer);
    for (const expected of [
      '/contact',
      '/places/4/time_zone',
      '/brands/0/booking_system/token_variable',
      '/brands/2/source',
      '/brands/3',
    ]) {
      assert.ok(pointers.includes(expected), `${expected} in ${pointers.join(' ')}`);
    }
  });

  it('finds a circle of places', () => {
    const circle = [
      { ...file.places[1], id: 'a', parent: 'b' },
      { ...file.places[1], id: 'b', parent: 'a' },
    ];
    const faults = faultsOf({ ...file, places: [...file.places, ...circle] });
    assert.deepEqual(
      faults.map(({ message }) => message),
      ['a lies within itself', 'b lies within itself'],
    );
  });

  it('that is not there, or not JSON, is a fault', () => {
    for (const path of ['/nowhere/network.json', import.meta.filename]) {
      const reading = readNetwork(path, { env: {} });
      assert.ok(reading.kind === 'invalid' && reading.faults.length === 1);
      assert.match(reading.faults[0]?.message ?? '', /cannot be read|is not valid JSON/);
    }
    for (const json of [null, 7, [], 'x', {}]) assert.ok(faultsOf(json).length > 0);
  });

  it('cannot state that totals hold every tax and fee where the booking system knows none', () => {
    const imported = (allIn: boolean) => {
      const booking = { kind: 'imported', file: 'imports/city.jsonl' } as const;
      const brands = file.brands.map((brand) => ({
        ...brand,
        all_in_totals: allIn,
        booking_system: booking,
      }));
      return describeNetwork({ ...file, brands }, { env: {}, directory: '.' });
    };
    assert.equal(imported(false).kind, 'valid');
    const refused = imported(true);
    assert.ok(refused.kind === 'invalid');
    assert.deepEqual(
      refused.faults.map(({ pointer }) => pointer),
      file.brands.map((_, index) => `/brands/${index}/all_in_totals`),
    );
  });
});

describe('the servers of a network', () => {
  it('are those of booking systems, websites and vendors, and the brands that own them', () => {
    const [casas, farol] = file.brands;
    assert.ok(casas && farol);
    const imported = {
      ...farol,
      source: 'city',
      website: { hosts: ['www.airbnb.com'] },
      booking_system: { kind: 'imported', file: 'city.jsonl' },
    };
    const sharing = {
      ...farol,
      source: 'sharing',
      website: { hosts: ['farol.example', 'www.casas.example'] },
    };
    // Also of brands that are not connected.
    const reading = describeNetwork(
      { ...file, brands: [casas, farol, imported, sharing] },
      surroundings,
      undefined,
      ['farol', 'sharing'],
    );
    assert.ok(reading.kind === 'valid', JSON.stringify(reading));
    const isForeign = (brand: string, url: string) =>
      reading.value.connections.get(brand)?.serverOwners.get(serverOf(url))?.has(brand) === false;
    for (const url of [
      'https://ops.casas.example/1.ics',
      'https://OPS.Casas.example.:8443/1.ics',
      'https://ops%2Ecasas.example/1.ics',
      'https://ops。casas。example/1.ics',
      'http://127.0.0.1:4000/1.ics',
      'http://[::1]:4000/1.ics',
      'https://api.lodgify.com/1.ics',
      'https://api.beds24.com/ical/1.ics',
      'https://www.bookingsync.com/1.ics',
      'https://booking.guesty.com/1.ics',
      'https://api.hostaway.com/1.ics',
      'https://www.casas.example/1.ics',
    ]) {
      assert.equal(isForeign('farol', url), true, url);
      assert.equal(isForeign('sharing', url), !url.includes('www.casas.example'), url);
    }
    for (const url of [
      'https://farol.example/1.ics',
      'https://www.airbnb.com/calendar/ical/1.ics',
      'https://ical.booking.com/v1/export',
      'https://app.guesty.com/1.ics',
      'http://127.0.0.1:4001/1.ics',
    ]) {
      assert.equal(isForeign('farol', url), false, url);
    }
  });
});
