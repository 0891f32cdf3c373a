import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlainAvailabilityIndex } from '../../../test/support/plain-availability-index.ts';
import { propertyLike } from '../../../test/support/random-world.ts';
import { NOW, searchStage, stagedSession, THREE_HOMES, TODAY } from '../../../test/support/search-stage.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Place } from '../../catalogue/catalogue.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { FIELD_RULES } from './rules.ts';

const { destination } = FIELD_RULES;
const situation = (payload: Payload, { facts } = searchStage()) => ({
  session: stagedSession(),
  payload,
  facts,
});

test('a text is read as it is, if it can be a name', () => {
  assert.deepEqual(destination.read('Lisbon, Portugal'), { kind: 'read', value: 'Lisbon, Portugal' });
  assert.deepEqual(destination.read('x'.repeat(120)), { kind: 'read', value: 'x'.repeat(120) });
  for (const raw of ['', '  ', 'x'.repeat(121), 7, null, ['lisbon-pt'], { toString: () => 'lisbon-pt' }]) {
    assert.deepEqual(destination.read(raw), {
      kind: 'unreadable',
      reason: { code: 'wrong_type' },
      meant: [],
    });
  }
});

test('identifiers and names lead to a place', () => {
  for (const text of ['lisbon-pt', 'Lisbon', 'LISBON ']) {
    assert.deepEqual(
      destination.resolve?.(text, situation({})),
      { kind: 'resolved', value: 'lisbon-pt' },
      text,
    );
  }
  assert.deepEqual(destination.resolve?.('Atlantis', situation({})), { kind: 'unknown' });
  const twice = searchStage([
    ...THREE_HOMES,
    { brand: 'acme', reference: 'one', place: 'santa-cruz-1' },
    { brand: 'acme', reference: 'two', place: 'santa-cruz-2' },
  ]);
  assert.deepEqual(destination.resolve?.('Santa Cruz', situation({}, twice)), {
    kind: 'ambiguous',
    candidates: ['santa-cruz-1', 'santa-cruz-2'],
  });
});

test('places of every level are offered, most homes first', () => {
  assert.deepEqual(destination.offer(situation({})), {
    values: ['portugal', 'lisbon-pt', 'porto-pt'],
    total: 3,
  });
  assert.deepEqual(destination.offer(situation({ guests: '5' })).values, ['lisbon-pt', 'portugal']);
});

test('a long list is cut to 200 and says how many there are', () => {
  const cities = Array.from(
    { length: 201 },
    (_, number): Place => ({
      id: `city-${number}`,
      name: `City ${number}`,
      aliases: [],
      kind: 'city',
      parent: null,
      timeZone: 'UTC',
      currency: 'EUR',
    }),
  );
  const network = { brands: new Map(), places: new Map(cities.map((city) => [city.id, city])) };
  const index = createPlainAvailabilityIndex(network);
  for (const { id } of cities) {
    const calendar = emptyCalendar(TODAY, 2);
    calendar.available.fill(1);
    index.put(propertyLike({ id: `acme:${id}`, brand: 'acme', place: id }), calendar);
  }
  const offer = destination.offer({
    session: stagedSession(),
    payload: {},
    facts: { index, network, unready: [], now: NOW },
  });
  assert.deepEqual([offer.values.length, offer.total], [200, 201]);
});

test('a place is refused for the answers that it does not fit, or because nothing in it is free', () => {
  const four: Payload = { brand_locked: true, guests: '4' };
  assert.deepEqual(destination.explain('lisbon-pt', situation(four)), {
    code: 'conflicts_with',
    fields: ['guests'],
  });
  assert.deepEqual(destination.explain('santa-cruz-1', situation(four)), { code: 'nothing_free' });
});

test('suggestions are places on offer', () => {
  assert.deepEqual(destination.nearest(['Lisbn'], situation({})), ['lisbon-pt']);
  assert.deepEqual(destination.nearest(['Portto'], situation({ guests: '6' })), [], 'Porto sleeps four');
});
