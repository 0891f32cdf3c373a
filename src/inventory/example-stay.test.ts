import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { exampleStay } from './example-stay.ts';

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
