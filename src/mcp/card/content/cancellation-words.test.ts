import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancellationInWords } from './cancellation-words.ts';
import type { CardCancellation } from './card-stay.ts';
import { travellerFormat } from './traveller-format.ts';

const format = travellerFormat({ locale: 'en-GB', timeZone: 'Asia/Tokyo', currency: 'EUR' });
const NOW = Date.parse('2027-03-01T12:00:00Z');
const UNKNOWN: CardCancellation = {
  operatorWords: 'Ask us.',
  free: 'unpublished',
  freeUntil: null,
  freeUntilLocal: null,
  refundable: null,
};
const FREE = {
  free: 'until',
  freeUntil: '2027-04-05T13:00:00Z',
  freeUntilLocal: '2027-04-05T14:00:00+01:00',
  refundable: true,
} as const;
const say = (facts: Partial<CardCancellation>, now = NOW) =>
  cancellationInWords({ ...UNKNOWN, ...facts }, format, now);

test('free until a time on the clock of the home, not on that of the traveller', () => {
  assert.deepEqual(say(FREE), {
    tone: 'good',
    sentence: 'Free cancellation until Mon, 5 Apr 2027, 14:00, local time there',
    isUnknown: false,
  });
});

test('without the clock of the home, the traveller’s own with its zone', () => {
  assert.equal(
    say({ ...FREE, freeUntilLocal: null }).sentence,
    'Free cancellation until Mon, 5 Apr 2027, 22:00 GMT+9',
  );
});

test('a free period that is over is never called free', () => {
  const over = 'Free cancellation ended on Mon, 5 Apr 2027, 14:00, local time there';
  assert.deepEqual(say(FREE, Date.parse('2027-04-05T13:00:00Z')), {
    tone: 'strict',
    sentence: over,
    isUnknown: false,
  });
  assert.deepEqual(say({ free: 'over' }), {
    tone: 'strict',
    sentence: 'Free cancellation is over',
    isUnknown: false,
  });
  assert.equal(say(FREE, Date.parse('2027-04-05T12:59:59Z')).tone, 'good');
});

test('the operator’s no is said', () => {
  assert.deepEqual(say({ free: 'never', refundable: false }), {
    tone: 'strict',
    sentence: 'Not refundable',
    isUnknown: false,
  });
});

test('refundable without a date promises no more than that', () => {
  assert.deepEqual(say({ refundable: true }), {
    tone: 'plain',
    sentence: 'Refundable on the operator’s terms',
    isUnknown: false,
  });
});

test('prose alone is not interpreted, and where there is none the website has it', () => {
  assert.deepEqual(say({ operatorWords: 'Free cancellation at any time!' }), {
    tone: 'plain',
    sentence: 'Cancellation, in the operator’s words',
    isUnknown: true,
  });
  assert.equal(say({ operatorWords: '' }).isUnknown, false);
});
