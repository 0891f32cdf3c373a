import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCardPayload } from '../../../../test/support/sample-card-payload.ts';
import { type CardCancellation, type CardStay, stayOfOption } from './card-stay.ts';
import {
  arrivalInWords,
  bookingInWords,
  cancellationInWords,
  capacityInWords,
  depositInWords,
  dueOnSiteInWords,
  guaranteeInWords,
  linkInWords,
  ratingInWords,
} from './stay-words.ts';
import { travellerFormat } from './traveller-format.ts';

const format = travellerFormat({ locale: 'en-GB', timeZone: 'UTC', currency: 'EUR' });
const [option] = sampleCardPayload().results;
assert.ok(option);
const { quote } = option;
const stay = (facts: Partial<CardStay>): CardStay => ({ ...stayOfOption(option), ...facts });
const plain = (text: string | null) => text?.replace(/\s/g, ' ');

test('a score of 0 is told apart: not yet rated, or not published', () => {
  const say = (score: number, reviews: number | null) =>
    plain(ratingInWords(stay({ rating: { score, scale: 5, review_count: reviews } }), format));
  assert.equal(say(0, 0), 'Not yet rated');
  assert.equal(say(0, null), 'Rating not published');
  assert.equal(say(4.5, 1), '4.5 of 5 (1 review)');
  assert.equal(say(4.5, null), '4.5 of 5');
  assert.equal(ratingInWords(stay({ rating: null }), format), 'No rating');
});

test('the rooms are counted where they are published; otherwise the operator’s own line stands', () => {
  const say = (bedrooms: number | null, bathrooms: number | null) =>
    plain(capacityInWords(stay({ maxGuests: 4, bedrooms, bathrooms, capacitySummary: 'A loft' }), format));
  assert.equal(say(2, 1), 'Sleeps 4 · 2 bedrooms · 1 bathroom');
  assert.equal(say(0, null), 'Sleeps 4 · studio');
  assert.equal(say(null, null), 'Sleeps 4 · A loft');
});

test('a booking on request says so in its mode and its link', () => {
  const request = stay({ bookingMode: 'request', confirmationHours: 24, brand: 'Casas' });
  assert.equal(plain(bookingInWords(request)), 'On request: the operator confirms within 24 hours');
  assert.equal(linkInWords(request), 'Request to book on Casas');
  assert.equal(bookingInWords({ ...request, confirmationHours: null }), 'On request: the operator confirms');
  assert.equal(linkInWords({ ...request, bookingMode: 'instant' }), 'Book on Casas');
});

test('times of arrival and departure, or what is published of them', () => {
  const say = (checkInTime: string | null, checkOutTime: string | null) =>
    arrivalInWords(stay({ checkInTime, checkOutTime }), format);
  assert.equal(say('15:00', '11:00'), 'Check-in from 15:00, check-out by 11:00');
  assert.equal(say(null, '11:00'), 'Check-out by 11:00');
  assert.equal(say(null, null), null);
});

test('what is paid besides the total is never left out, and nothing is made up', () => {
  const priced = (facts: Partial<typeof quote>) => stay({ quote: { ...quote, ...facts } });
  assert.equal(dueOnSiteInWords(priced({ due_on_site: 12.5 }), format), 'plus €12.50 paid at the property');
  assert.equal(dueOnSiteInWords(priced({ due_on_site: 0 }), format), null);
  assert.equal(dueOnSiteInWords(stay({ quote: null }), format), null);
  assert.equal(
    depositInWords(priced({ deposit: { amount: 200, refundable: true } }), format),
    'Deposit of €200 besides the total, given back after the stay',
  );
  assert.equal(
    depositInWords(priced({ deposit: { amount: 200, refundable: false } }), format),
    'Deposit of €200, not given back',
  );
  assert.equal(depositInWords(priced({ deposit: null }), format), null);
});

test('a price is called held only while the operator holds it', () => {
  const say = (facts: Partial<typeof quote>, now: string) =>
    guaranteeInWords(stay({ quote: { ...quote, ...facts } }), format, Date.parse(now));
  const held = { price_guarantee: 'held', price_valid_until: '2026-11-15T10:00:00Z' } as const;
  assert.equal(
    say(held, '2026-11-15T09:59:00Z'),
    'The operator holds this price until Sun, 15 Nov 2026, 10:00',
  );
  assert.equal(
    say(held, '2026-11-15T10:00:00Z'),
    'The operator held this price until Sun, 15 Nov 2026, 10:00',
  );
  assert.equal(
    say({ price_guarantee: 'at_retrieval' }, '2026-11-15T09:59:00Z'),
    'Price as of Sun, 15 Nov 2026, 9:30; the operator’s website confirms it',
  );
  assert.equal(guaranteeInWords(stay({ quote: null }), format, 0), null);
});

const inTokyo = travellerFormat({ locale: 'en-GB', timeZone: 'Asia/Tokyo', currency: 'EUR' });
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
  cancellationInWords({ ...UNKNOWN, ...facts }, inTokyo, now);

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
