import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QloappsHotel } from './payloads.ts';
import { type QloappsRefunds, qloappsCancellation, readQloappsRefundRules } from './room-types.ts';

/** The form that a real QloApps sends. */
const published = (id: number, days: unknown, full: unknown, changes: object = {}) => ({
  id,
  payment_type: 2,
  days: String(days),
  deduction_value_full_pay: full,
  deduction_value_adv_pay: full,
  date_add: '2026-11-16 01:27:40',
  name: `Rule ${id}`,
  description: `<p>From ${days} days on.</p>`,
  ...changes,
});
const rulesOf = (...hotel_refund_rules: unknown[]) =>
  new Map(readQloappsRefundRules(new TextEncoder().encode(JSON.stringify({ hotel_refund_rules })), null));

const hotel: QloappsHotel = {
  id: '1',
  name: 'Harbour Hotel',
  city: 'Lisbon',
  policies: 'Be quiet.',
  checkIn: null,
  checkOut: null,
  features: [],
  bookableUntil: null,
  leadDays: null,
  hasRefunds: true,
  refundRules: [],
};

/** The cancellation of a hotel with all these rules, which apply. */
function read(...rules: readonly ReturnType<typeof published>[]) {
  const refundRules = rules.map(({ id }) => String(id));
  return Object(
    qloappsCancellation({ ...hotel, refundRules }, { kind: 'by_rules', rules: rulesOf(...rules) }),
  );
}

describe('the refund rules of QloApps', () => {
  it('are read as the web service sends them, without those that cannot be understood', () => {
    const rules = rulesOf(
      published(1, 14, '0.000000'),
      published(2, '3', '50.000000', { deduction_value_adv_pay: '100.000000', payment_type: '1' }),
      published(3, 'soon', '1'),
      published(4, 1, null),
      published(5, 1, '1', { payment_type: 3 }),
      'no rule',
    );
    assert.deepEqual(
      [...rules],
      [
        [
          '1',
          {
            words: 'Rule 1 - From 14 days on.',
            days: 14,
            isPercentage: true,
            keptOfFullPayment: 0,
            keptOfAdvance: 0,
          },
        ],
        [
          '2',
          {
            words: 'Rule 2 - From 3 days on.',
            days: 3,
            isPercentage: false,
            keptOfFullPayment: 50,
            keptOfAdvance: 100,
          },
        ],
      ],
    );
  });

  it('say until when cancelling is free, the longest notice first', () => {
    assert.deepEqual(read(published(2, 3, '50'), published(1, 14, '0.000000')), {
      summary: 'Rule 1 - From 14 days on.\nRule 2 - From 3 days on.',
      free_until: { days_before: 14, time: '23:59' },
      refundable: true,
    });
  });

  it('promise nothing that a rule with a longer notice, or the other way to pay, would keep', () => {
    assert.equal(read(published(1, 30, '10'), published(2, 14, '0')).free_until, null);
    assert.equal(read(published(1, 14, '0', { deduction_value_adv_pay: '5' })).free_until, null);
    assert.equal(read(published(1, 400, '0')).free_until, null);
    assert.deepEqual(read(published(1, 30, '0'), published(2, 7, '0')).free_until, {
      days_before: 7,
      time: '23:59',
    });
    assert.deepEqual(read(published(1, 0, '0')).free_until, { days_before: 0, time: '00:00' });
  });

  it('say whether anything is refunded', () => {
    assert.equal(read(published(1, 3, '99')).refundable, true);
    assert.equal(read(published(1, 3, '100'), published(2, 1, '100')).refundable, false);
    assert.equal(read(published(1, 3, '50', { payment_type: 1 })).refundable, null);
    assert.equal(read(published(1, 3, '0', { payment_type: 1 })).refundable, true);
    assert.deepEqual(read(), { summary: 'Be quiet.', free_until: null, refundable: false });
  });

  it('are not used when one of them is missing, or when nobody says that they apply', () => {
    const words = { summary: 'Be quiet.' };
    const rules = rulesOf(published(1, 14, '0'));
    const two = { ...hotel, refundRules: ['1', '2'] };
    assert.deepEqual(qloappsCancellation(two, { kind: 'by_rules', rules }), words);
    assert.deepEqual(qloappsCancellation(two, { kind: 'not_said' }), words);
    const unsaid = { ...hotel, hasRefunds: undefined, refundRules: ['1'] };
    assert.deepEqual(qloappsCancellation(unsaid, { kind: 'by_rules', rules }), words);
  });

  it('do not matter to a hotel without refunds, of which the website says so', () => {
    const rules = rulesOf(published(1, 14, '0'));
    const none = { ...hotel, hasRefunds: false, refundRules: ['1'] };
    for (const refunds of [{ kind: 'by_rules', rules }, { kind: 'not_said' }, { kind: 'none' }] as const) {
      assert.deepEqual(qloappsCancellation(none, refunds), {
        summary: 'Be quiet.',
        free_until: null,
        refundable: false,
      });
    }
    const off: QloappsRefunds = { kind: 'none' };
    assert.equal(Object(qloappsCancellation(hotel, off)).refundable, false);
    assert.equal(
      Object(qloappsCancellation({ ...none, policies: undefined }, off)).summary,
      'Non Refundable',
    );
  });
});
