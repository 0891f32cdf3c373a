import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nightOf, searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { checkOut } from './stay-dates.ts';

const { facts } = searchStage([
  {
    brand: 'acme',
    reference: 'loft',
    maxGuests: 2,
    change: ({ available, minimumStay, maximumStay, closedToDeparture }) => {
      available[nightOf('2027-03-12')] = 0;
      minimumStay[nightOf('2027-03-05')] = 3;
      maximumStay[nightOf('2027-03-05')] = 5;
      closedToDeparture[nightOf('2027-03-09')] = 1;
    },
  },
]);
const from = (
  check_in_day: string,
): { session: ReturnType<typeof stagedSession>; payload: Payload; facts: typeof facts } => ({
  session: stagedSession(),
  payload: { check_in_month: check_in_day.slice(0, 7), check_in_day },
  facts,
});

test('a departure is read like an arrival, and implies nothing', () => {
  assert.deepEqual(checkOut.read('2027-3-9'), { kind: 'read', value: '2027-03-09' });
  assert.deepEqual(checkOut.read('2027-04-31'), {
    kind: 'unreadable',
    reason: { code: 'no_such_date' },
    meant: ['2027-04-30'],
  });
  assert.deepEqual(checkOut.read(3), { kind: 'unreadable', reason: { code: 'wrong_type' }, meant: [] });
  assert.equal(checkOut.implied, undefined);
});

test('a departure is offered when the stay up to it can be booked', () => {
  assert.deepEqual(checkOut.offer(from('2027-03-05')), { values: ['2027-03-08', '2027-03-10'], total: 2 });
  assert.deepEqual(
    checkOut.offer({ ...from('2027-03-05'), payload: {} }).values,
    [],
    'not without an arrival',
  );
});

test('a departure is refused with the rule that stands in the way', () => {
  const explain = (day: string, arrival = '2027-03-05') => checkOut.explain(day, from(arrival));
  assert.deepEqual(explain('2027-03-06'), { code: 'minimum_stay', nights: 3 });
  assert.deepEqual(explain('2027-03-11'), { code: 'maximum_stay', nights: 5 });
  assert.deepEqual(explain('2027-03-09'), { code: 'closed_to_departure' });
  assert.deepEqual(explain('2027-03-14', '2027-03-10'), { code: 'nothing_free' });
  assert.deepEqual(explain('2029-01-01', '2027-03-10'), { code: 'beyond_horizon', last_day: '2028-08-22' });
});

test('a departure that does not follow the arrival is at odds with it', () => {
  for (const day of ['2027-03-05', '2027-03-04']) {
    assert.deepEqual(checkOut.explain(day, from('2027-03-05')), {
      code: 'conflicts_with',
      fields: ['check_in_day'],
    });
  }
});

test('suggestions are the nearest departures', () => {
  assert.deepEqual(checkOut.nearest(['2027-03-09'], from('2027-03-05')), ['2027-03-08', '2027-03-10']);
  assert.deepEqual(checkOut.nearest(['2027-03-20'], from('2027-03-05')), ['2027-03-10', '2027-03-08']);
});
