import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeSyntheticCity } from '../../test/support/synthetic-city.ts';
import { timeStarts } from '../index/time-starts.ts';
import { SYNTHETIC_AMENITIES } from './amenity-shares.ts';
import type { BenchHome } from './bench-inventory.ts';
import { readPublishedCity } from './published-city.ts';
import { completeQuestions, partialQuestions } from './questions.ts';
import { createSeededRandom, weightedValues } from './seeded-random.ts';
import { createSyntheticInventory } from './synthetic-inventory.ts';
import { createSyntheticNetwork } from './synthetic-network.ts';
import { zipfSizes } from './zipf-sizes.ts';

const TODAY = 20_880;
const HOMES = 2000;
const create = (seed: number) => createSyntheticInventory({ seed, homes: HOMES, today: TODAY });

describe('random numbers from a seed', () => {
  it('are the same for the same stream and different for another', () => {
    const draw = (...stream: readonly number[]) => {
      const random = createSeededRandom(1, ...stream);
      return [random.share(), random.below(1000), random.pick([1, 2, 3])];
    };
    assert.deepEqual(draw(2, 3), draw(2, 3));
    assert.notDeepEqual(draw(2, 3), draw(3, 2));
    assert.notDeepEqual(draw(2, 3), draw(2, 4));
  });

  it('are spread evenly, and values as their weights say', () => {
    const random = createSeededRandom(4);
    const table = weightedValues([
      [10, 1],
      [20, 3],
    ]);
    const counts = [0, 0, 0, 0];
    let twenties = 0;
    for (let draw = 0; draw < 10_000; draw += 1) {
      const quarter = random.below(4);
      counts[quarter] = (counts[quarter] ?? 0) + 1;
      if (random.weighted(table) === 20) twenties += 1;
    }
    for (const count of counts) within(count, 2300, 2700);
    within(twenties, 7300, 7700);
  });
});

describe('the places of a synthetic market', () => {
  it('are sized like cities: none is lost, and a million homes have 5,000 of which the biggest has 20,000', () => {
    const sizes = zipfSizes(1_000_000, 5000, 20_000);
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      1_000_000,
    );
    assert.equal(sizes[0], 20_000);
    within(sizes[2499] ?? 0, 90, 130);
    assert.ok(sizes.every((size) => size > 0));
    assert.throws(() => zipfSizes(100, 3, 20), /cannot hold/);
  });

  it('are in regions and countries, each country with one currency, in several time zones', () => {
    const { network, cities } = createSyntheticNetwork(1, 100_000);
    assert.deepEqual([cities.length, cities[0]?.homes], [500, 2000]);
    const zones = new Set<string>();
    for (const { place, country } of cities) {
      const city = network.places.get(place);
      const region = network.places.get(city?.parent ?? '');
      const top = network.places.get(region?.parent ?? '');
      assert.deepEqual([city?.kind, region?.kind, top?.kind], ['city', 'region', 'country']);
      assert.deepEqual([city?.currency, region?.currency, top?.currency], Array(3).fill(country.currency));
      assert.equal(city?.timeZone, region?.timeZone);
      zones.add(city?.timeZone ?? '');
    }
    within(zones.size, 15, 40);
  });

  it('have some large brands and many small ones, each in several places', () => {
    const { network, cities, largestBrand } = createSyntheticNetwork(1, 100_000);
    const homes = new Map<string, number>();
    const places = new Map<string, Set<string>>();
    for (const { place, brands, homes: size } of cities) {
      for (const brand of brands) {
        homes.set(brand, (homes.get(brand) ?? 0) + size / brands.length);
        places.set(brand, (places.get(brand) ?? new Set()).add(place));
      }
    }
    assert.equal(network.brands.size, 400);
    assert.equal(Math.max(...homes.values()), homes.get(largestBrand));
    const sizes = [...homes.values()].sort((one, other) => other - one);
    within((sizes[0] ?? 0) / 100_000, 0.08, 0.25);
    within((sizes[Math.floor(sizes.length / 2)] ?? 0) / 100_000, 0.0005, 0.004);
    within(Math.min(...[...places.values()].map(({ size }) => size)), 2, 500);
  });
});

describe('a synthetic inventory', () => {
  it('is the same for the same seed, whatever was made of it before', () => {
    assert.equal(digestOf(create(7).homes()), digestOf(create(7).homes()));
    assert.notEqual(digestOf(create(7).homes()), digestOf(create(8).homes()));
    const inventory = create(7);
    const biggest = inventory.cities[0]?.place ?? '';
    const inBiggest = [...inventory.homes()].filter(({ home }) => home.place === biggest);
    assert.equal(digestOf(inventory.homesIn(biggest)), digestOf(inBiggest));
    assert.equal(inBiggest.length, inventory.cities[0]?.homes);
  });

  it('gives a home another calendar', () => {
    const inventory = create(7);
    const [first] = inventory.homes();
    const changed = inventory.changedHome(0);
    assert.deepEqual(changed.home, first?.home);
    assert.notEqual(digestOf([changed]), digestOf([first as BenchHome]));
    assert.equal(digestOf([changed]), digestOf([inventory.changedHome(0)]));
    assert.throws(() => inventory.changedHome(HOMES), /no home/);
    const editions = [0, 1, 2].map((changes) => digestOf([inventory.homeAfter(0, changes)]));
    assert.equal(new Set(editions).size, 3);
    assert.equal(editions[0], digestOf([[...inventory.homes()][0] as BenchHome]));
  });

  it('is booked, priced and restricted as homes are', () => {
    const homes = [...create(7).homes()];
    assert.equal(homes.length, HOMES);
    assert.equal(new Set(homes.map(({ home }) => home.id)).size, HOMES);
    const share = (test: (one: BenchHome) => boolean) => homes.filter(test).length / HOMES;
    const freeBetween = (from: number, to: number) =>
      homes.reduce(
        (sum, { calendar }) => sum + calendar.available.slice(from, to).filter(Boolean).length,
        0,
      ) /
      (HOMES * (to - from));
    within(freeBetween(1, 31), 0.35, 0.7);
    within(freeBetween(300, 540), 0.65, 0.95);
    within(
      share(({ calendar }) => new Set(calendar.price).size > 20),
      0.5,
      0.7,
    );
    within(
      share(({ calendar }) => calendar.price.every((price) => price === 0)),
      0.005,
      0.04,
    );
    within(
      share(({ calendar }) => calendar.price.includes(0)),
      0.03,
      0.12,
    );
    within(
      share(({ calendar }) => calendar.minimumStay.some((nights) => nights >= 28)),
      0.05,
      0.15,
    );
    within(
      share(({ calendar }) => new Set(calendar.minimumStay).size > 1),
      0.3,
      0.6,
    );
    within(
      share(({ calendar }) => calendar.maximumStay.some((nights) => nights > 0)),
      0.2,
      0.3,
    );
    within(
      share(({ calendar }) => calendar.closedToArrival.includes(1)),
      0.05,
      0.15,
    );
    within(
      share(({ calendar }) => calendar.closedToDeparture.includes(1)),
      0.05,
      0.15,
    );
    within(
      share(({ home }) => home.leadDays > 0),
      0.35,
      0.5,
    );
    within(
      share(({ home }) => home.amenities === null),
      0.02,
      0.07,
    );
    within(
      share(({ home }) => Object.hasOwn(home.amenities ?? {}, 'wifi')),
      0.75,
      0.95,
    );
    within(
      share(({ home }) => Object.hasOwn(home.amenities ?? {}, 'pool')),
      0.12,
      0.22,
    );
    assert.equal(SYNTHETIC_AMENITIES.length, 64);
    assert.deepEqual(
      [Math.min, Math.max].map((of) => of(...homes.map(({ home }) => home.maxGuests))),
      [1, 16],
    );
    for (const { calendar } of homes) {
      const longest = Math.max(...calendar.minimumStay);
      assert.ok(calendar.maximumStay.every((nights) => nights === 0 || nights >= longest));
    }
  });

  it('keeps whole units of the currency', () => {
    for (const { home, calendar } of create(7).homes()) {
      const unit = home.currency === 'JPY' || home.currency === 'KRW' ? 1 : 100;
      assert.ok(calendar.price.every((price) => price % unit === 0));
    }
  });
});

describe('questions from a seed', () => {
  it('are the same each time and within the horizon', () => {
    const asked = { seed: 3, today: TODAY, count: 500 };
    const scope = { place: 'city-1-fr', brand: null };
    assert.deepEqual(completeQuestions(asked, scope), completeQuestions(asked, scope));
    for (const { checkIn, checkOut, guests, amenities } of completeQuestions(asked, scope)) {
      within(checkIn, TODAY, TODAY + 500);
      within(checkOut - checkIn, 2, 14);
      within(guests, 1, 6);
      within(amenities.length, 0, 2);
    }
    const partial = partialQuestions(asked, scope);
    for (const field of ['checkInMonth', 'checkIn', 'checkOut', 'guests'] as const) {
      within(partial.filter((criteria) => criteria[field] !== null).length, 80, 350);
    }
  });
});

describe('a city that was published', () => {
  it('is read from its two files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'published-city-'));
    try {
      await writeSyntheticCity(folder, { layout: 'old', homes: 12, firstDay: TODAY - 900, seed: 5 });
      const city = await readPublishedCity(folder, TODAY);
      assert.deepEqual([city.size, city.cities[0]?.homes], [12, 12]);
      const free = [...city.homes()].map(({ calendar }) => calendar.available.filter(Boolean).length);
      assert.ok(free.some((nights) => nights > 10));
      assert.equal((await timeStarts(city)).homes, 12, 'a service starts with it');
      assert.notEqual(digestOf([city.changedHome(3)]), digestOf([[...city.homes()][3] as BenchHome]));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is refused where a file is missing', async () => {
    await assert.rejects(readPublishedCity(import.meta.dirname, TODAY), /does not hold the listings/);
  });
});

function digestOf(homes: Iterable<BenchHome>): string {
  const hash = createHash('sha256');
  for (const { home, calendar } of homes) {
    const { id, brand, place, maxGuests, leadDays, amenities, currency } = home;
    hash.update(
      JSON.stringify([id, brand, place, maxGuests, leadDays, amenities, currency, calendar.firstDay]),
    );
    for (const column of Object.values(calendar)) if (typeof column !== 'number') hash.update(column);
  }
  return hash.digest('hex');
}

function within(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, `${value} is not between ${least} and ${most}`);
}
