import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleCriteria, sampleOption } from '../../test/support/sample-comparison.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import type { Collected } from '../quotes/quote-search.ts';
import { choosePlaces, compareQuotes, rankQuotes } from './comparison.ts';

const NOTHING_COLLECTED: Collected = {
  quoted: [],
  refused: [],
  coverage: [],
  failures: [],
  everyOperatorFailed: false,
  askableAfterMs: 0,
};

function compare(collected: Partial<Collected>, isOffered = (_: string) => true) {
  const amenitiesOf: Readonly<Record<string, readonly string[]>> = {
    1: ['wifi', 'pool'],
    2: ['wifi', 'sauna'],
    3: ['wifi', 'sauna', 'pool', 'bicycles'],
  };
  const homes = Object.entries(amenitiesOf).map(([reference, keys]) =>
    sampleProperty({
      brand: 'sol',
      reference,
      amenities: Object.fromEntries(keys.map((key) => [key, key])),
    }),
  );
  homes.push(sampleProperty({ brand: 'sol', reference: 'small', maxGuests: 1 }));
  const quote = (property: string) => sampleOption({ quote: { property, brand: 'sol' } }).quote;
  const { options, totalMatches, amenityOffers } = compareQuotes({
    criteria: sampleCriteria,
    matches: {
      total: 4,
      unpublishedAmenities: 1,
      amenities: [
        { amenity: 'wifi', properties: 3 },
        { amenity: 'pool', properties: 2 },
        { amenity: 'sauna', properties: 2 },
        { amenity: 'bicycles', properties: 1 },
      ],
      candidates: [],
    },
    unpublishedAmenities: 0,
    maxOptions: 20,
    collected: { ...NOTHING_COLLECTED, quoted: [quote('sol:1'), quote('sol:2')], ...collected },
    listing: (id) => homes.find((home) => home.id === id),
    isOffered,
    isCommonAmenity: () => true,
    network: sampleNetwork(['sol']),
    sessionEnd: 0,
    newQuoteId: () => 'nxq_1',
    silent: [],
    unsearchable: [],
    paused: [],
    refused: [],
    alternatives: {},
    askAgainAt: null,
  });
  return {
    options: options.map(({ property }) => property.id),
    totalMatches,
    amenities: amenityOffers.map(({ value, match_count, of }) => [value, match_count, of]),
  };
}

test('amenities are counted over the matches', () => {
  assert.deepEqual(compare({}), {
    options: ['sol:1', 'sol:2'],
    totalMatches: 4,
    amenities: [
      ['wifi', 3, 4],
      ['pool', 2, 4],
      ['sauna', 2, 4],
      ['bicycles', 1, 4],
    ],
  });
});

test('a home that was refused during the search is no match, and its amenities are not counted', () => {
  const refused = [{ property: 'sol:3', reason: 'booked' as const }];
  assert.deepEqual(compare({ refused }), {
    options: ['sol:1', 'sol:2'],
    totalMatches: 3,
    amenities: [
      ['wifi', 2, 3],
      ['pool', 1, 3],
      ['sauna', 1, 3],
    ],
  });
  const oneOfThePools = [{ property: 'sol:1', reason: 'booked' as const }];
  assert.deepEqual(
    compare({ refused: oneOfThePools }).amenities.map(([amenity]) => amenity),
    ['sauna', 'wifi', 'bicycles', 'pool'],
    'the order follows the new counts',
  );
});

test('a home that left the index during the search, or does not suit it any more, is not shown', () => {
  assert.deepEqual(compare({}, (id) => id !== 'sol:1').options, ['sol:2']);
  const quoted = ['sol:1', 'sol:small'].map(
    (property) => sampleOption({ quote: { property, brand: 'sol' } }).quote,
  );
  assert.deepEqual(compare({ quoted }).options, ['sol:1']);
});

const ratings = new Map([
  ['a:1', { score: 4, scale: 5, reviewCount: 2 }],
  ['a:2', { score: 9, scale: 10, reviewCount: null }],
  ['a:3', { score: 8, scale: 10, reviewCount: 3 }],
  ['a:10', { score: 0, scale: 5, reviewCount: 0 }],
  ['a:11', { score: 0, scale: 5, reviewCount: null }],
  ['a:9', { score: 0, scale: 5, reviewCount: 7 }],
]);

const ranked = (...quotes: readonly (readonly [string, number])[]) =>
  rankQuotes(
    quotes.map(([property, total]) => ({ property, total })),
    (property) => ratings.get(property),
  ).map(({ property }) => property);

test('the lowest total comes first, whatever the ratings', () => {
  assert.deepEqual(ranked(['a:2', 300], ['a:1', 100], ['a:10', 200]), ['a:1', 'a:10', 'a:2']);
});

test('equal totals: the better share of its scale, then the smaller id', () => {
  assert.deepEqual(ranked(['a:3', 1], ['a:1', 1], ['a:2', 1]), ['a:2', 'a:1', 'a:3']);
});

test('no score is not a score of 0: homes without one come after those with any, by id', () => {
  assert.deepEqual(ranked(['a:11', 1], ['a:10', 1], ['a:9', 1], ['a:1', 1]), ['a:1', 'a:9', 'a:10', 'a:11']);
});

test('a property whose rating is gone counts as one without', () => {
  assert.deepEqual(ranked(['b:gone', 1], ['a:10', 1], ['a:1', 1]), ['a:1', 'a:10', 'b:gone']);
});

test('the order does not depend on the order of arrival, and the input is left alone', () => {
  const quote = fc.record({
    property: fc.constantFrom(...ratings.keys()),
    total: fc.integer({ min: 1, max: 3 }),
  });
  const quotes = fc.uniqueArray(quote, { selector: ({ property }) => property });
  fc.assert(
    fc.property(quotes, (original) => {
      const before = [...original];
      const one = rankQuotes(original, (property) => ratings.get(property));
      const other = rankQuotes(original.toReversed(), (property) => ratings.get(property));
      assert.deepEqual(one, other);
      assert.deepEqual(original, before);
    }),
  );
});

test('each brand with a quote has its first in the set, the others go by rank, and the order stays', () => {
  const total = fc.integer({ min: 1, max: 1000 });
  const worlds = fc.array(fc.record({ brand: fc.constantFrom('a', 'b', 'c', 'd', 'bait'), total }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 25 }), (world, places) => {
      const quotes = world.map((quote, at) => ({ ...quote, property: `${quote.brand}:${at}` }));
      const all = rankQuotes(quotes, () => undefined);
      const chosen = choosePlaces(all, places);
      assert.equal(chosen.length, Math.min(places, all.length));
      assert.deepEqual(
        chosen,
        all.filter((quote) => chosen.includes(quote)),
        'by total',
      );
      const firsts = all.filter(({ brand }, at) => all.findIndex((one) => one.brand === brand) === at);
      for (const first of firsts.slice(0, places)) assert.ok(chosen.includes(first), first.property);
      const others = chosen.filter((quote) => !firsts.includes(quote));
      const inLine = all.filter((quote) => !firsts.includes(quote));
      assert.deepEqual(others, inLine.slice(0, others.length), 'no place is given out of turn');
      assert.deepEqual(
        choosePlaces(
          rankQuotes(quotes.toReversed(), () => undefined),
          places,
        ),
        chosen,
      );
    }),
  );
});
