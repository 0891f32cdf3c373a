import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyChange, randomWorld } from '../../test/support/random-world.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { NOW as STAGE_NOW, searchStage } from '../../test/support/search-stage.ts';
import { createWorldIndex } from '../../test/support/world-index.ts';
import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import { EXAMPLE_GUESTS } from '../contract/whole-stay.ts';
import { parseDay } from '../stay/day.ts';
import { createFindExampleStay, exampleStay } from './example-stay.ts';

const NOW = Date.parse('2026-11-15T23:59:59.999Z');
const network = sampleNetwork([]);

test('the example is a stay of three nights, thirty days ahead', () => {
  assert.deepEqual(exampleStay(network, NOW), {
    place: 'lisbon-pt',
    checkIn: '2026-12-15',
    checkOut: '2026-12-18',
  });
  assert.equal(exampleStay(network, NOW + 1).checkIn, '2026-12-16', 'it moves with the date');
});

test('its place is a city, or whatever place there is', () => {
  assert.equal([...network.places.keys()][0], 'portugal', 'a country is listed first');
  assert.equal(exampleStay(network, NOW).place, 'lisbon-pt');
  const places = new Map([...network.places].filter(([, { kind }]) => kind !== 'city'));
  assert.equal(exampleStay({ ...network, places }, NOW).place, 'portugal');
  assert.equal(exampleStay({ ...network, places: new Map() }, NOW).place, '');
});

test('what is found is the usual example while it can be had', () => {
  const { network, index } = searchStage();
  const find = createFindExampleStay(network, index);
  assert.deepEqual(find(STAGE_NOW, null), exampleStay(network, STAGE_NOW));
  assert.equal(find(STAGE_NOW, 'porto-pt').place, 'porto-pt');
});

test('what is found can be had whenever anything can', () => {
  let others = 0;
  fc.assert(
    fc.property(
      randomWorld({ longestCalendar: 20, maxChanges: 8 }),
      fc.constantFrom(null, 'city-2'),
      (world, onlyPlace) => {
        const index = createWorldIndex(world.network);
        for (const change of world.changes) applyChange(change, index);
        const now = world.questions[0]?.[1] ?? 0;
        const anything = { ...ANY_STAY, place: onlyPlace, guests: EXAMPLE_GUESTS };
        if (!index.hasMatch(anything, now)) return;
        const { place, checkIn, checkOut } = createFindExampleStay(world.network, index)(now, onlyPlace);
        const dates = { checkIn: parseDay(checkIn) ?? null, checkOut: parseDay(checkOut) ?? null };
        assert.ok(index.hasMatch({ ...anything, place, ...dates }, now));
        if (place !== exampleStay(world.network, now).place) others++;
      },
    ),
  );
  assert.ok(others > 0, 'some are in another place than the usual one');
});
