import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { CLOSED, DateText, formatTimestamp, Timestamp } from './vocabulary.ts';

test('a timestamp is in UTC, in whole seconds that have passed', () => {
  assert.equal(formatTimestamp(Date.UTC(2026, 10, 15, 9, 5, 7)), '2026-11-15T09:05:07Z');
  assert.equal(formatTimestamp(Date.UTC(2026, 10, 15, 9, 5, 7, 999)), '2026-11-15T09:05:07Z');
  assert.equal(formatTimestamp(0), '1970-01-01T00:00:00Z');
});

test('a timestamp fits its schema, which takes nothing else', () => {
  const accepts = (text: string) => Value.Check(Timestamp('An instant.'), text);
  assert.equal(accepts(formatTimestamp(Date.UTC(2027, 0, 1))), true);
  for (const other of [
    '2027-01-01T00:00:00.000Z',
    '2027-01-01T00:00:00+00:00',
    '2027-01-01',
    '2027-01-01T00:00:00',
  ]) {
    assert.equal(accepts(other), false, other);
  }
});

test('a date is a day and nothing more, and a closed body takes no other member', () => {
  const accepts = (text: string) => Value.Check(DateText('A day.'), text);
  assert.deepEqual(['2027-01-01', '2027-1-1', '27-01-01', '2027-01-01T00:00:00Z'].map(accepts), [
    true,
    false,
    false,
    false,
  ]);
  assert.equal(Value.Check(Type.Object({}, CLOSED), { slipped: 'out' }), false);
});
