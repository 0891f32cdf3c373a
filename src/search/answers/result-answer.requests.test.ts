import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSession } from '../../../test/support/sample-session.ts';
import type { Session } from '../../sessions/session.ts';
import type { Comparison } from '../comparison.ts';
import { createLinks } from './links.ts';
import { resultRequests } from './result-answer.ts';

const links = createLinks('https://stay.example').forSession({ token: 'ses_a', revision: 3, view: 'full' });
const SEARCH = 'https://stay.example/ai/v1/search?session=ses_a';
const NO_WAYS: Pick<Comparison, 'alternatives' | 'askAgainAt' | 'validUntil'> = {
  alternatives: {},
  askAgainAt: null,
  validUntil: 0,
};
const requestsOf = (facts: Partial<Session>, ways: Partial<typeof NO_WAYS> = {}) =>
  resultRequests({ ...sampleSession('id'), ...facts }, links, { ...NO_WAYS, ...ways });

test('a result that can be narrowed offers its amenities with their counts', () => {
  const amenityOffers = [{ value: 'pool', match_count: 1, of: 3 }];
  const { refine } = requestsOf({ result: { answersPayload: true, amenityOffers } });
  assert.deepEqual(refine, {
    method: 'POST',
    path: '/ai/v1/search',
    body_field: 'amenities',
    required: false,
    href: `${SEARCH}&idempotency_key=sw.3.refine`,
    options: [
      {
        value: 'pool',
        match_count: 1,
        of: 3,
        url: `${SEARCH}&field=amenities&value=pool&idempotency_key=sw.3.refine-0`,
      },
    ],
    url_template: `${SEARCH}&amenities={amenities}`,
  });
});

test('at most a hundred amenities are offered, so that no catalogue can fill the envelope with them', () => {
  const amenityOffers = Array.from({ length: 300 }, (_, number) => ({
    value: `amenity_${number}`,
    match_count: 1,
    of: 3,
  }));
  const { refine } = requestsOf({ result: { answersPayload: true, amenityOffers } });
  assert.deepEqual(
    refine?.options.map(({ url: _, ...offer }) => offer),
    amenityOffers.slice(0, 100),
  );
  assert.equal(refine?.options.filter(({ url }) => url !== undefined).length, 8, 'the step has the others');
});

test('there is no refine when no amenity tells the options apart', () => {
  const requests = requestsOf({ result: { answersPayload: true, amenityOffers: [] } });
  assert.deepEqual(Object.keys(requests), ['change']);
});

test('filters can be taken off while some are on', () => {
  assert.deepEqual(requestsOf({ amenities: ['pool'] }).clear_filters, {
    method: 'GET',
    path: '/ai/v1/search',
    href: `${SEARCH}&field=amenities&value=&idempotency_key=sw.3.clear`,
  });
  assert.ok(!Object.hasOwn(requestsOf({}), 'clear_filters'));
});

test('operators can be asked again while one of them was silent, by giving the last answer once more', () => {
  const result = { answersPayload: true, amenityOffers: [], isPartial: true };
  assert.deepEqual(requestsOf({ result, payload: { guests: '3' } }).ask_again, {
    method: 'GET',
    path: '/ai/v1/search',
    href: `${SEARCH}&field=guests&value=3&idempotency_key=sw.3.again`,
  });
  for (const settled of [
    { ...result, isPartial: false },
    { answersPayload: true, amenityOffers: [] },
  ]) {
    assert.ok(!Object.hasOwn(requestsOf({ result: settled }), 'ask_again'));
  }
});

test('every field of the session can be changed, and the brand to its only other value', () => {
  const template = (field: string) => ({
    url: `${SEARCH}&choices=${field}&idempotency_key=sw.3.choices-${field}`,
    url_template: `${SEARCH}&${field}={${field}}`,
  });
  const stay = {
    check_in_month: template('check_in_month'),
    check_in_day: template('check_in_day'),
    check_out: template('check_out'),
    guests: template('guests'),
  };
  const other = (value: boolean) => ({
    url: `${SEARCH}&field=brand_locked&value=${value}&idempotency_key=sw.3.change-brand_locked`,
  });
  assert.deepEqual(requestsOf({}).change, { destination: template('destination'), ...stay });
  for (const locked of [true, false]) {
    const { change } = requestsOf({ source: 'acme', payload: { brand_locked: locked } });
    assert.deepEqual(change, {
      brand_locked: other(!locked),
      destination: template('destination'),
      ...stay,
    });
  }
  const single = requestsOf({ source: 'acme', onlyPlace: 'lisbon-pt', payload: { brand_locked: true } });
  assert.deepEqual(single.change, { brand_locked: other(false), ...stay });
});

test('an empty set offers what is nearest, an arrival together with its departure', () => {
  const alternatives = {
    check_in_day: [
      [
        { field: 'check_in_day', value: '2027-04-11' },
        { field: 'check_out', value: '2027-04-14' },
      ],
    ],
    check_out: [],
    guests: [[{ field: 'guests', value: '3' }], [{ field: 'guests', value: '2' }]],
  } as const;
  const { change } = requestsOf({}, { alternatives });
  assert.deepEqual(change.check_in_day, {
    url_template: `${SEARCH}&check_in_day={check_in_day}`,
    url: `${SEARCH}&check_in_day=2027-04-11&check_out=2027-04-14&idempotency_key=sw.3.near-check_in_day`,
    changes: ['check_in_day', 'check_out'],
  });
  assert.equal(change.guests?.url, `${SEARCH}&guests=3&idempotency_key=sw.3.near-guests`);
  assert.match(change.check_out?.url ?? '', /&choices=check_out&/);
});

test('asking again says from when on, to the second and never too early', () => {
  const partial = {
    payload: { guests: '2' },
    result: { answersPayload: true, amenityOffers: [], isPartial: true },
  };
  assert.equal('not_before' in (requestsOf(partial).ask_again ?? {}), false);
  const askAgainAt = Date.parse('2026-11-15T10:00:00.001Z');
  const inTime = requestsOf(partial, { askAgainAt, validUntil: askAgainAt + 1 });
  assert.equal(inTime.ask_again?.not_before, '2026-11-15T10:00:01Z');
  const tooLate = requestsOf(partial, { askAgainAt, validUntil: askAgainAt });
  assert.equal(tooLate.ask_again, undefined, 'the session ends before');
});
