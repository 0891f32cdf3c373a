import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancellationInWords } from './cancellation-words.ts';
import type { CardCancellation } from './card-stay.ts';
import { travellerFormat } from './traveller-format.ts';

const format = travellerFormat({ locale: 'en-GB', timeZone: 'Asia/Tokyo', currency: 'EUR' });
const RETRIEVED = '2027-03-01T12:00:00Z';
const NOW = Date.parse(RETRIEVED);
const UNKNOWN: CardCancellation = {
  operatorWords: 'Ask us.',
  freeUntil: null,
  freeUntilLocal: null,
  refundable: null,
  retrievedAt: RETRIEVED,
};
const FREE = {
  freeUntil: '2027-04-05T13:00:00Z',
  freeUntilLocal: '2027-04-05T14:00:00+01:00',
  refundable: true,
};
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

test('a free period that is over is never called free, whichever clock says so', () => {
  const over = 'Free cancellation ended on Mon, 5 Apr 2027, 14:00, local time there';
  assert.deepEqual(say(FREE, Date.parse('2027-04-05T13:00:00Z')), {
    tone: 'strict',
    sentence: over,
    isUnknown: false,
  });
  assert.equal(say({ ...FREE, retrievedAt: '2027-04-06T00:00:00Z' }, 0).sentence, over);
  assert.equal(say(FREE, Date.parse('2027-04-05T12:59:59Z')).tone, 'good');
});

test('the operator’s no stands above any date', () => {
  assert.deepEqual(say({ ...FREE, refundable: false }), {
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
