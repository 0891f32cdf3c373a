import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCriteria, sampleOption } from '../../test/support/sample-comparison.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import type { Collected } from '../quotes/quote-search.ts';
import { compareQuotes } from './comparison.ts';

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
