import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import type { Payload } from '../contract/payload-fields.ts';
import { emptyCalendar } from '../inventory/calendar.ts';
import type { Session } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { decideStep } from './decide-step.ts';
import type { SearchFacts } from './search-facts.ts';
import { currentStep, isDeadEnd, stepWithValuesOf } from './step.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const today = parseDay('2027-03-01') ?? 0;
const network = sampleNetwork(['acme', 'other']);
const complete: Payload = {
  brand_locked: true,
  destination: 'lisbon-pt',
  check_in_month: '2027-03',
  check_in_day: '2027-03-05',
  check_out: '2027-03-08',
  guests: '2',
};
const session: Session = {
  id: 'id',
  assistant: 'local',
  source: 'acme',
  onlyPlace: null,
  apiVersion: '2026-11-01',
  openedAt: now,
  expiresAt: now + 1_800_000,
  revision: 0,
  payload: {},
  amenities: [],
  result: null,
};
const answered: Session = {
  ...session,
  payload: complete,
  amenities: ['wifi'],
  result: {
    answersPayload: true,
    amenityOffers: [{ value: 'pool', match_count: 1, of: 2 }],
  },
};

function stage() {
  const index = createPlainAvailabilityIndex(network);
  for (const [brand, reference, maxGuests] of [
    ['acme', 'small', 2],
    ['other', 'large', 6],
  ] as const) {
    const calendar = emptyCalendar(today, 60);
    calendar.available.fill(1);
    index.put(sampleProperty({ brand, reference, maxGuests }), calendar);
  }
  return { index, facts: { index, network, now } };
}

const decide = (state: Session, values: Record<string, unknown>, facts: SearchFacts = stage().facts) =>
  decideStep(
    state,
    Object.entries(values).map(([field, raw]) => ({ field, raw })),
    facts,
  );

test('an empty request reads: the open step, the refine step, or the result', () => {
  const fresh = decide(session, {});
  assert.equal(fresh.kind, 'incomplete');
  assert.equal(fresh.session, session);
  const refine = decide(answered, {});
  assert.equal(refine.kind, 'incomplete');
  assert.equal(currentStep(refine.session, stage().facts).next, 'amenities');
  const settled = { ...answered, amenities: [], result: { answersPayload: true, amenityOffers: [] } };
  assert.equal(decide(settled, {}).kind, 'answered');
});

test('the value that completes the payload asks for quotes, with the brand of a locked search', () => {
  const { guests: _, ...open } = complete;
  const decision = decide({ ...session, payload: open }, { guests: 2 });
  assert.ok(decision.kind === 'quote');
  assert.deepEqual(
    [decision.criteria.brand, decision.criteria.place, decision.criteria.guests],
    ['acme', 'lisbon-pt', 2],
  );
});

test('reading a complete payload without a result asks for quotes', () => {
  assert.equal(decide({ ...session, payload: complete }, {}).kind, 'quote');
});

test('a value is judged by everything received: three guests fit only the other brand', () => {
  const locked = decide({ ...session, payload: { brand_locked: true } }, { guests: '3' });
  assert.ok(locked.kind === 'refused' && locked.code === 'invalid_value' && locked.field === 'guests');
  const guestsFirst = decide({ ...session, payload: { guests: '3' } }, { brand_locked: true });
  assert.ok(guestsFirst.kind === 'refused' && guestsFirst.code === 'invalid_value');
  assert.deepEqual(
    stepWithValuesOf('brand_locked', guestsFirst.session, stage().facts).allowed.brand_locked?.map(
      ({ value }) => value,
    ),
    [false],
  );
});

test('a change clears what depends on it and keeps what still fits', () => {
  const decision = decide(answered, { brand_locked: false });
  assert.ok(decision.kind === 'incomplete');
  assert.deepEqual(decision.cleared, ['destination', 'amenities']);
  assert.deepEqual(decision.session.payload, {
    brand_locked: false,
    check_in_month: '2027-03',
    check_in_day: '2027-03-05',
    check_out: '2027-03-08',
    guests: '2',
  });
  assert.deepEqual(decision.session.result, {
    answersPayload: false,
    amenityOffers: [],
  });
  assert.deepEqual(decision.session.amenities, []);
});

test('the values of a field that is set are those that fit the earlier fields', () => {
  const open: Session = {
    ...session,
    payload: { brand_locked: true, destination: 'lisbon-pt', guests: '2' },
  };
  const { facts } = stage();
  const step = stepWithValuesOf('guests', open, facts);
  assert.deepEqual(step.allowed.guests, ['1', '2']);
  assert.equal(step.next, 'check_in_month');
  assert.deepEqual(stepWithValuesOf('guests', answered, facts).allowed.guests, ['1', '2']);
});

test('a later value that no longer fits the change is cleared', () => {
  const open: Session = { ...session, payload: { brand_locked: false, guests: '6' } };
  const decision = decide(open, { brand_locked: true });
  assert.ok(decision.kind === 'incomplete');
  assert.deepEqual(decision.cleared, ['guests']);
});

test('the same value again changes nothing', () => {
  assert.equal(decide(answered, { guests: 2 }).kind, 'answered');
});

test('values are taken in field order up to the first that is refused', () => {
  const decision = decide(session, {
    guests: '1',
    check_out: 'never',
    destination: 'lisbon-pt',
    brand_locked: 'true',
    check_in_month: '2027-03',
    check_in_day: '2027-03-04',
  });
  assert.ok(decision.kind === 'refused' && decision.field === 'check_out');
  assert.deepEqual(decision.accepted, ['brand_locked', 'destination', 'check_in_month', 'check_in_day']);
  assert.equal(decision.session.payload.guests, undefined);
});

test('fields that a session does not have are unknown to it, and nothing else of the request is taken', () => {
  const direct: Session = { ...session, source: null };
  const decision = decide(direct, { guests: '1', brand_locked: true });
  assert.ok(decision.kind === 'refused' && decision.code === 'unknown_field');
  assert.equal(decision.session, direct);
});

test('a prerequisite has to come first', () => {
  const decision = decide(session, { check_out: '2027-03-08' });
  assert.ok(decision.kind === 'refused' && decision.code === 'prerequisite_missing');
});

test('an amenity on offer is quoted with those applied before; another one, or two at once, is refused', () => {
  const decision = decide(answered, { amenities: ['pool'] });
  assert.ok(decision.kind === 'quote');
  assert.deepEqual(decision.criteria.amenities, ['wifi', 'pool']);
  for (const raw of ['sauna', 'wifi', ['pool', 'sauna'], 7]) {
    const refused = decide(answered, { amenities: raw });
    assert.ok(refused.kind === 'refused' && refused.code === 'invalid_value' && refused.session === answered);
  }
});

test('there is nothing to refine before a result, and not beside other fields', () => {
  const early = decide(session, { amenities: 'pool' });
  assert.ok(early.kind === 'refused' && early.code === 'refine_not_available');
  const beside = decide(session, { amenities: 'pool', guests: '2' });
  assert.ok(beside.kind === 'refused' && beside.code === 'refine_not_available');
  assert.deepEqual(beside.accepted, ['guests']);
});

test('when the last matching stay is taken, the values that still have a match are kept', () => {
  const { index, facts } = stage();
  index.withdraw('acme:small', today + 4, today + 60);
  const decision = decide({ ...session, payload: complete }, {}, facts);
  assert.ok(decision.kind === 'incomplete');
  assert.deepEqual(decision.session.payload, {
    brand_locked: true,
    destination: 'lisbon-pt',
    check_in_month: '2027-03',
    guests: '2',
  });
  assert.deepEqual(decision.cleared, ['check_in_day', 'check_out']);
});

test('a change keeps every value that fits it, also one that did not fit the old choice', () => {
  const { index, facts } = stage();
  index.withdraw('acme:small', today + 4, today + 7);
  const lost: Session = { ...session, payload: complete };
  assert.equal(decide(lost, {}, facts).kind, 'incomplete', 'the stay is gone at the locked brand');
  const opened = decide(lost, { brand_locked: false }, facts);
  assert.ok(opened.kind === 'incomplete');
  assert.equal(opened.session.payload.check_in_day, '2027-03-05');
  assert.deepEqual(opened.cleared, ['destination']);
});

test('a repeated value is refused when it is no longer on offer', () => {
  const { index, facts } = stage();
  index.withdraw('acme:small', today + 4, today + 7);
  const again = decide({ ...session, payload: complete }, { check_in_day: '2027-03-05' }, facts);
  assert.ok(again.kind === 'refused' && again.code === 'invalid_value' && again.field === 'check_in_day');
});

test('a network with nothing to book says so instead of offering an empty list', () => {
  const { index, facts } = stage();
  assert.ok(!isDeadEnd(currentStep(session, facts)));
  index.remove('acme:small');
  index.remove('other:large');
  assert.ok(isDeadEnd(currentStep(decide(session, {}, facts).session, facts)));
});
