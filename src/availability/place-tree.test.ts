import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Place } from '../catalogue/catalogue.ts';
import { createPlaceCounts, createPlaceTree } from './place-tree.ts';

function place(id: string, kind: Place['kind'], parent: string | null): [string, Place] {
  return [id, { id, name: id, aliases: [], kind, parent, timeZone: 'UTC', currency: 'EUR' }];
}

const TREE = createPlaceTree({
  brands: new Map(),
  places: new Map([
    place('z', 'city', 'south'),
    place('south', 'region', 'land'),
    place('m', 'city', 'land'),
    place('land', 'country', null),
    place('a', 'city', 'south'),
    place('k', 'city', null),
  ]),
});

it('counts the places around cities, and puts the most first and equal ones in the order of their ids', () => {
  const count = fc.oneof(
    fc.constantFrom(0, 1, 2047, 2048, 4_194_304),
    fc.integer({ min: 0, max: 20_000_000 }),
  );
  const placeCounts = createPlaceCounts(TREE);
  fc.assert(
    fc.property(count, count, count, count, (z, m, a, k) => {
      const counted = { z, south: z + a, m, land: z + a + m, a, k };
      const expected = Object.entries(counted)
        .map(([place, properties]) => ({ place, properties }))
        .filter(({ properties }) => properties > 0)
        .sort((one, other) => other.properties - one.properties || (one.place < other.place ? -1 : 1));
      assert.deepEqual(placeCounts(Uint32Array.of(z, 0, m, 0, a, k)), expected);
    }),
  );
});
