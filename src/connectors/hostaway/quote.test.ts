import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { readHostawayPrice } from './quote.ts';

function read(answer: unknown, status = 200, currency = 'EUR') {
  const [reading] = readHostawayPrice(new TextEncoder().encode(JSON.stringify(answer)), { status, currency });
  return reading;
}
const component = (type: string, name: string, title: string, total: unknown, more: object = {}) => ({
  id: null,
  type,
  name,
  title,
  alias: null,
  value: total,
  total,
  isIncludedInTotalPrice: 1,
  isMandatory: null,
  isDeleted: 0,
  ...more,
});
const rate = component('price', 'baseRate', 'Base rate', 900);
const discount = component('discount', 'weeklyDiscount', 'Weekly discount', -90);
const cleaning = component('fee', 'cleaningFee', 'Cleaning fee', 120.25);
const vat = component('tax', 'vat', 'VAT / GST', 80);
const deposit = component('fee', 'damageDeposit', 'Damage deposit', 500);
const answerOf = (totalPrice: unknown, components: unknown) => ({
  status: 'success',
  result: { totalPrice, originalTotalPrice: 0, components, extraComponents: [], selectedComponents: [] },
});
const garbled = { kind: 'failed', failure: 'garbled' };

describe('a price of Hostaway', () => {
  const quote = {
    currency: 'EUR',
    total: 1010_25,
    lines: [
      { label: 'Base rate', amount: 900_00 },
      { label: 'Weekly discount', amount: -90_00 },
      { label: 'Cleaning fee', amount: 120_25 },
      { label: 'VAT / GST', amount: 80_00 },
    ],
    heldUntil: null,
    deposit: null,
    dueOnSite: null,
  };
  const parts = [rate, discount, cleaning, vat];

  it('is its total, with the components that are in it', () => {
    assert.deepEqual(read(answerOf(1010.25, parts)), { kind: 'priced', quote });
    assert.deepEqual(read(answerOf('1010.25', [...parts, component('fee', 'x', 'Nothing', 0)])), {
      kind: 'priced',
      quote,
    });
  });

  it('has the damage deposit taken out of the total and the lines', () => {
    const held = { ...quote, deposit: { amount: 500_00, refundable: true } };
    assert.deepEqual(read(answerOf(1510.25, [...parts, deposit])), { kind: 'priced', quote: held });
    const beside = { ...deposit, isIncludedInTotalPrice: 0 };
    assert.deepEqual(read(answerOf(1010.25, [...parts, beside])), { kind: 'priced', quote: held });
  });

  it('leaves out what was deleted and what is only offered, but says what is due besides', () => {
    const deleted = component('fee', 'petFee', 'Pet fee', 30, { isDeleted: 1 });
    const optional = component('fee', 'parkingFee', 'Parking', 20, { isIncludedInTotalPrice: 0 });
    const cityTax = component('tax', 'cityTax', 'City tax', 12, { isIncludedInTotalPrice: 0 });
    const resort = component('fee', 'resortFee', 'Resort fee', 8, {
      isIncludedInTotalPrice: 0,
      isMandatory: 1,
    });
    const reading = read(answerOf(1010.25, [...parts, deleted, optional, cityTax, resort]));
    assert.deepEqual(reading, { kind: 'priced', quote: { ...quote, dueOnSite: 20_00 } });
  });

  it('has no lines where they do not add up', () => {
    const without = (linesFault: string, total = 1010_25) => ({
      kind: 'priced',
      quote: { ...quote, total, lines: [], linesFault },
    });
    assert.deepEqual(read(answerOf(1010.25, [rate])), without('does_not_add_up'));
    assert.deepEqual(
      read(answerOf(1010.25, [...parts, { ...rate, total: 'much' }])),
      without('inexact_amount'),
    );
    assert.deepEqual(read(answerOf(1010.25, null)), { kind: 'priced', quote: { ...quote, lines: [] } });
  });

  it('is rounded where it is finer than the currency, and its lines with it while they add up', () => {
    const finer = { ...rate, total: 900.005 };
    const lines = [{ label: 'Base rate', amount: 900_01 }, ...quote.lines.slice(1)];
    assert.deepEqual(read(answerOf(1010.255, [finer, ...parts.slice(1)])), {
      kind: 'priced',
      quote: { ...quote, total: 1010_26, lines },
    });
    const thirds = Array.from({ length: 3 }, () => ({ ...rate, total: 33.335 }));
    assert.deepEqual(read(answerOf(100.005, thirds)), {
      kind: 'priced',
      quote: { ...quote, total: 100_01, lines: [], linesFault: 'does_not_add_up' },
    });
    assert.deepEqual(read(answerOf(600.005, [{ ...rate, total: 100.005 }, deposit])), {
      kind: 'priced',
      quote: {
        ...quote,
        total: 100_01,
        lines: [{ label: 'Base rate', amount: 100_01 }],
        deposit: { amount: 500_00, refundable: true },
      },
    });
  });

  it('is not believed where nobody knows whether the deposit is in the total', () => {
    assert.deepEqual(read(answerOf(1010.25, [rate, deposit])), garbled);
  });

  it('fails without a total', () => {
    for (const total of [undefined, null, 0, -5, 'much', 0.004, {}]) {
      assert.deepEqual(read(answerOf(total, [])), garbled, String(total));
    }
    assert.deepEqual(read(answerOf(500, [deposit])), garbled, 'nothing but a deposit');
    assert.deepEqual(read({ status: 'success', result: [] }), garbled);
    assert.deepEqual(
      read(
        answerOf(
          1,
          Array.from({ length: 201 }, () => rate),
        ),
      ),
      garbled,
    );
    assert.throws(
      () => read({ totalPrice: 5 }),
      (error) => error instanceof BookingSystemFailure && error.kind === 'garbled',
    );
  });

  it('is refused as the envelope or the status says', () => {
    const fail = { status: 'fail', result: 'The dates are not available' };
    assert.deepEqual(read(fail), { kind: 'refused', reason: 'not_offered' });
    assert.deepEqual(read(fail, 400), { kind: 'refused', reason: 'not_offered' });
    assert.deepEqual(read(fail, 404), { kind: 'refused', reason: 'unknown_property' });
    assert.deepEqual(read(answerOf(5, []), 422), { kind: 'failed', failure: 'stay_rejected' });
  });
});
