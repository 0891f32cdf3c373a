import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { parseDocument } from './parse-document.ts';

const list = (entry: string, times: number) => `[${Array(times).fill(entry)}]`;
const parse = (text: string) => parseDocument(new TextEncoder().encode(text));

describe('a document is parsed up to a limit', () => {
  for (const [what, atLimit, beyond] of [
    ['32 levels', '['.repeat(32) + ']'.repeat(32), '['.repeat(33) + ']'.repeat(33)],
    ['500000 objects and lists', list('{}', 499_999), list('[]', 500_000)],
    ['1500000 values', list('0', 1_499_999), list('0', 1_500_000)],
    [
      '50000 members with a number for a name',
      list('{"34":0}', 50_000),
      list('{"\\u0033\\u0034":0}', 50_001),
    ],
  ] as const) {
    it(`of ${what}`, () => {
      parse(atLimit);
      assert.throws(
        () => parse(beyond),
        (error) =>
          error instanceof BookingSystemFailure &&
          error.kind === 'too_large' &&
          error.message === `the document has more than ${what}`,
      );
    });
  }

  it('that sixteen mebibytes of booked nights do not reach', () => {
    const nights = '{"from":"2027-08-01","to":"2027-08-08"}';
    const booked = list(nights, Math.floor((16 * 1024 * 1024) / (nights.length + 1)));
    assert.ok(Array.isArray(parse(booked)));
  });
});

test('what is not JSON is not repeated in the failure, because it may be a secret', () => {
  assert.throws(
    () => parseDocument(new TextEncoder().encode('SECRETTOKEN')),
    (error) => error instanceof Error && error.cause === undefined && !error.message.includes('SECRET'),
  );
});
