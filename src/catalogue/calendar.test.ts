import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarDigest, emptyCalendar } from './calendar.ts';

test('the digest of a calendar is another one for every change, and the same for a copy', () => {
  const calendar = emptyCalendar(20_000, 9);
  const digests = [
    calendarDigest(calendar),
    calendarDigest(emptyCalendar(20_001, 9)),
    calendarDigest(emptyCalendar(20_000, 8)),
  ];
  const { firstDay: _, ...columns } = calendar;
  for (const column of Object.values(columns)) {
    column[4] = 7;
    assert.equal(calendarDigest(structuredClone(calendar)), calendarDigest(calendar));
    digests.push(calendarDigest(calendar));
  }
  assert.equal(new Set(digests).size, digests.length);
  assert.ok(digests.every((digest) => digest > 0 && digest < 2 ** 32));
});
