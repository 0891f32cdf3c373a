import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkText } from './tools.ts';

const brands = [
  { source: 'casas', name: 'Casas', single_location: true },
  { source: 'sol', name: 'Sol', single_location: false },
];
const network = { outcome: 'network', session: 'ses_a', name: 'Open Shores', about: '…', brands } as const;

test('brands with one place are marked, and a search that needs no place says so', () => {
  const text = networkText({
    ...network,
    brands: [...brands],
    brands_in_all: 3,
    places: [],
    places_in_all: 0,
  });
  assert.match(text, /Casas \[source casas, one place\]; Sol \[source sol\] and 1 more\./);
  assert.match(text, /no destination is needed/);
});

test('where nothing is on offer that is said, and no word of a single place', () => {
  const problem = { code: 'nothing_on_offer', message: 'Homes are not on offer.', how_to_go_on: 'Wait.' };
  const text = networkText({ ...network, brands: [...brands], brands_in_all: 2, places: [], problem });
  assert.match(text, /Brands \(2\).*\nHomes are not on offer\. Wait\./);
  assert.doesNotMatch(text, /one place: no|Nothing was done/);
});

test('places are named with what to send for them', () => {
  const places = [{ destination: 'lisbon-pt', name: 'Lisbon' }];
  const text = networkText({ ...network, brands: [...brands], brands_in_all: 2, places, places_in_all: 43 });
  assert.match(text, /Places \(43\): Lisbon \[lisbon-pt\] and 42 more\./);
});
