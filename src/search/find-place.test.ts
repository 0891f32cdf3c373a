import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Network, Place } from '../inventory/catalogue.ts';
import { findPlace } from './find-place.ts';

const place = (id: string, name: string): Place => ({
  id,
  name,
  aliases: [],
  kind: 'city',
  parent: null,
  timeZone: 'UTC',
  currency: 'EUR',
});
const places = [
  place('lisbon-pt', 'Lisbon'),
  place('evora-pt', 'Évora'),
  place('paris-fr', 'Paris'),
  place('paris-tx', 'Paris'),
  place('sao-bras', 'São Brás de Alportel'),
];
const network: Network = { brands: new Map(), places: new Map(places.map((one) => [one.id, one])) };
const find = (text: string, offered = places.map(({ id }) => id)) => findPlace(text, network, () => offered);

test('identifiers are taken as they are, and names whatever their case, accents and punctuation', () => {
  assert.deepEqual(find('lisbon-pt'), { kind: 'found', place: 'lisbon-pt' });
  assert.deepEqual(find('LISBON'), { kind: 'found', place: 'lisbon-pt' });
  assert.deepEqual(find('evora'), { kind: 'found', place: 'evora-pt' });
  assert.deepEqual(find('E\u0301VORA '), { kind: 'found', place: 'evora-pt' });
  assert.deepEqual(find('sao bras  de-alportel'), { kind: 'found', place: 'sao-bras' });
});

test('a name of several places on offer is refused with them; of one on offer it is that one', () => {
  assert.deepEqual(find('Paris'), { kind: 'ambiguous', candidates: ['paris-fr', 'paris-tx'] });
  assert.deepEqual(find('Paris', ['paris-tx', 'lisbon-pt']), { kind: 'found', place: 'paris-tx' });
});

test('a near miss names what could have been meant, nonsense names nothing', () => {
  assert.deepEqual(find('Lisbon, Portugal'), { kind: 'ambiguous', candidates: ['lisbon-pt'] });
  assert.deepEqual(find('Atlantis'), { kind: 'ambiguous', candidates: [] });
  assert.deepEqual(find('__proto__'), { kind: 'ambiguous', candidates: [] });
});
