import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { FIELD_RULES } from './rules.ts';

const { guests } = FIELD_RULES;
const situation = (payload: Payload, { facts } = searchStage()) => ({
  session: stagedSession(),
  payload,
  facts,
});

test('a whole number of people is read, however it is written', () => {
  for (const [raw, value] of [
    [2, '2'],
    ['2', '2'],
    ['02', '2'],
    ['2.0', '2'],
    [' 2 ', '2'],
    ['2.00', '2'],
    [999_999, '999999'],
    [`${'0'.repeat(18)}123`, '123'],
    // No home sleeps so many, however many more they are.
    [1_000_000, '999999'],
    ['1000000', '999999'],
    ['1'.repeat(40), '999999'],
    [2 ** 31, '999999'],
    [1e21, '999999'],
  ] as const) {
    assert.deepEqual(guests.read(raw), { kind: 'read', value }, String(raw));
  }
});

test('a number that is no party is refused, and the nearest party is known', () => {
  for (const [raw, meant] of [
    [0, ['0']],
    [-1, ['-1']],
    [2.5, ['2.5']],
    ['2.5', ['2.5']],
  ] as const) {
    assert.deepEqual(guests.read(raw), { kind: 'unreadable', reason: { code: 'wrong_type' }, meant });
  }
});

test('anything else has the wrong type', () => {
  for (const raw of [
    'two',
    '2 adults',
    '1e3',
    '2,0',
    '',
    `2.${'0'.repeat(18)}1`,
    Number.NaN,
    null,
    [2],
    { adults: 2 },
  ]) {
    assert.deepEqual(
      guests.read(raw),
      { kind: 'unreadable', reason: { code: 'wrong_type' }, meant: [] },
      String(raw),
    );
  }
});

test('every party up to the largest is offered', () => {
  assert.deepEqual(guests.offer(situation({ brand_locked: true })), {
    values: ['1', '2', '3', '4'],
    total: 4,
  });
  assert.deepEqual(guests.offer(situation({ brand_locked: true, destination: 'lisbon-pt' })).values, [
    '1',
    '2',
  ]);
});

test('a larger party is refused with the largest that fits', () => {
  assert.deepEqual(guests.explain('7', situation({})), { code: 'party_too_large', largest: 6 });
  assert.deepEqual(guests.explain('5', situation({ destination: 'porto-pt' })), {
    code: 'party_too_large',
    largest: 4,
  });
});

test('where nothing is free no party fits, whatever its size', () => {
  assert.deepEqual(guests.explain('1', situation({}, searchStage([]))), { code: 'nothing_free' });
});

test('suggestions are the nearest parties', () => {
  assert.deepEqual(guests.nearest(['7'], situation({})), ['6', '5', '4', '3', '2', '1']);
  assert.deepEqual(guests.nearest(['0'], situation({ brand_locked: true })), ['1', '2', '3', '4']);
  assert.deepEqual(guests.nearest(['2.5'], situation({})), ['2', '3', '1', '4', '5', '6']);
});
