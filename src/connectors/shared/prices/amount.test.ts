import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amountOf, roundedAmountOf, roundedSumOf } from './amount.ts';

describe('an exact amount', () => {
  it('is refused where the currency has fewer decimals', () => {
    assert.equal(amountOf(123.45, 'EUR'), 12_345);
    assert.equal(amountOf(0.1 + 0.2, 'EUR'), 30);
    assert.equal(amountOf(123.455, 'EUR'), undefined);
    assert.equal(amountOf('123.455', 'EUR'), undefined);
  });
});

describe('a rounded amount', () => {
  it('is the nearest of the currency, half away from zero', () => {
    for (const [published, currency, expected] of [
      [123.455, 'EUR', 12_346],
      ['123.455', 'EUR', 12_346],
      [123.454, 'EUR', 12_345],
      [-123.455, 'EUR', -12_346],
      ['-0.005', 'EUR', -1],
      [99.995, 'EUR', 10_000],
      [123.5, 'JPY', 124],
      [123.455, 'KWD', 123_455],
      [0.0045, 'KWD', 5],
      [7, 'EUR', 700],
      [' 7.1 ', 'EUR', 710],
      [0, 'EUR', 0],
      [1e-9, 'EUR', 0],
      [999_999_999_999.99, 'EUR', 99_999_999_999_999],
    ] as const) {
      assert.equal(roundedAmountOf(published, currency), expected, `${published} ${currency}`);
    }
    assert.ok(Object.is(roundedAmountOf(-0.001, 'EUR'), 0), 'no minus zero');
  });

  it('is found in the decimals that were meant, and not in the double beside them', () => {
    // Multiplied by 100, these doubles are just below the half.
    for (const [published, expected] of [
      [1.005, 101],
      [8.345, 835],
      [1.255, 126],
      [10.075, 1008],
    ] as const) {
      assert.equal(roundedAmountOf(published, 'EUR'), expected);
    }
    // 100.1 + 23.355 is 123.45499999999998 or so in doubles.
    assert.equal(roundedAmountOf(123.45499999999998, 'EUR'), 12_346);
    assert.equal(roundedAmountOf('123.45499999999998', 'EUR'), 12_346);
    assert.equal(roundedAmountOf(0.1 + 0.2, 'EUR'), 30);
  });

  it('is none of what is no number', () => {
    for (const published of [
      'much',
      '',
      '1e3',
      '1,5',
      '12.',
      '.5',
      '+1',
      '--1',
      '1 000',
      null,
      undefined,
      true,
      [1],
      {},
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e12,
      '1000000000000',
      1e300,
    ]) {
      assert.equal(roundedAmountOf(published, 'EUR'), undefined, String(published));
    }
  });

  it('is what integers say of thousandths and ten thousandths', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.constantFrom(3, 4),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (units, digits, currency) => {
          const decimals = { EUR: 2, JPY: 0, KWD: 3 }[currency] ?? 2;
          const step = 10 ** (digits - decimals);
          const size = Math.abs(units);
          const whole = Math.floor(size / step) + ((size % step) * 2 >= step && step > 1 ? 1 : 0);
          const expected = Math.sign(units) * whole || 0;
          assert.equal(roundedAmountOf(units / 10 ** digits, currency), expected);
          assert.equal(roundedAmountOf((units / 10 ** digits).toFixed(digits), currency), expected);
        },
      ),
    );
  });
});

describe('a rounded sum', () => {
  it('is rounded once, at its end', () => {
    assert.equal(roundedSumOf([33.335, 33.335, 33.335], 'EUR'), 10_001);
    assert.equal(roundedSumOf(['0.004', 0.004, 0.004], 'EUR'), 1);
    assert.equal(roundedSumOf([0.1, 0.2, -0.3], 'EUR'), 0);
    assert.equal(roundedSumOf([100.1, 23.355], 'EUR'), 12_346);
    assert.equal(roundedSumOf([], 'EUR'), 0);
  });

  it('of exact amounts is exact', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (cents) => {
        const sum = cents.reduce((partial, amount) => partial + amount, 0);
        assert.equal(
          roundedSumOf(
            cents.map((amount) => amount / 100),
            'EUR',
          ),
          sum,
        );
      }),
    );
  });
});
