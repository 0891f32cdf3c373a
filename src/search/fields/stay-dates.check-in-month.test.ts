import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nightOf, searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import { checkInMonth } from './stay-dates.ts';

const { facts } = searchStage([
  {
    brand: 'acme',
    reference: 'loft',
    change: ({ available }) => available.fill(0, nightOf('2027-04-01'), nightOf('2027-05-01')),
  },
]);
const situation = { session: stagedSession(), payload: {}, facts };

test('a month is read in the one form that leaves no doubt', () => {
  for (const raw of ['2027-05', '2027-5', ' 2027-05 ']) {
    assert.deepEqual(checkInMonth.read(raw), { kind: 'read', value: '2027-05' }, raw);
  }
});

test('what is no month is refused with its reason and the months that may be meant', () => {
  const notADate = { code: 'not_a_date', format: 'YYYY-MM' };
  for (const [raw, reason, meant] of [
    ['2027-13', { code: 'no_such_date' }, []],
    ['2027-00', { code: 'no_such_date' }, []],
    ['May 2027', notADate, ['2027-05']],
    ['05/2027', notADate, ['2027-05']],
    ['2027-05-08', notADate, ['2027-05']],
    ['05/08/2027', notADate, ['2027-05', '2027-08']],
    ['May', notADate, []],
    ['', notADate, []],
    [5, { code: 'wrong_type' }, []],
    [null, { code: 'wrong_type' }, []],
    [['2027-05'], { code: 'wrong_type' }, []],
  ] as const) {
    assert.deepEqual(checkInMonth.read(raw), { kind: 'unreadable', reason, meant }, String(raw));
  }
});

test('a month is offered when a stay can begin in it, and refused with the reason when none can', () => {
  assert.deepEqual(checkInMonth.offer(situation), { values: ['2027-03', '2027-05', '2027-06'], total: 3 });
  assert.deepEqual(checkInMonth.explain('2027-04', situation), { code: 'nothing_free' });
  assert.deepEqual(checkInMonth.explain('2027-02', situation), { code: 'in_the_past' });
  assert.deepEqual(checkInMonth.explain('2029-01', situation), {
    code: 'beyond_horizon',
    last_day: '2028-08-22',
  });
});

test('months are as far apart as their first days, and the nearest are suggested first', () => {
  assert.deepEqual(checkInMonth.nearest(['2027-04'], situation), ['2027-05', '2027-03', '2027-06']);
  assert.deepEqual(checkInMonth.nearest(['2028-01'], situation), ['2027-06', '2027-05', '2027-03']);
});
