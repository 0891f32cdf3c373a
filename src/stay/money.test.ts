import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decimalsOf, formatAmount, isCurrency, parseAmount, toDecimal } from './money.ts';

const CURRENCIES = ['EUR', 'JPY', 'KWD', 'HUF', 'CLF'] as const;

describe('the decimals of a currency', () => {
  it('are those of ISO 4217', () => {
    const decimals = {
      EUR: 2,
      USD: 2,
      JPY: 0,
      KRW: 0,
      ISK: 0,
      XOF: 0,
      KWD: 3,
      BHD: 3,
      TND: 3,
      IQD: 3,
      CLF: 4,
    };
    for (const [currency, expected] of Object.entries(decimals)) {
      assert.equal(decimalsOf(currency), expected, currency);
    }
  });

  it('do not exist for what is not a currency code', () => {
    for (const text of ['', 'eur', 'EURO', 'E1R', '€', 'EUR\n']) {
      assert.equal(isCurrency(text), false, JSON.stringify(text));
      assert.throws(() => decimalsOf(text), RangeError);
    }
  });
});

describe('reading an amount', () => {
  it('gives minor units, exactly', () => {
    assert.equal(parseAmount('412.5', 'EUR'), 41_250);
    assert.equal(parseAmount('412.50', 'EUR'), 41_250);
    assert.equal(parseAmount('0.29', 'EUR'), 29);
    assert.equal(parseAmount('1.15', 'EUR'), 115);
    assert.equal(parseAmount('-3.07', 'EUR'), -307);
    assert.equal(parseAmount('412', 'JPY'), 412);
    assert.equal(parseAmount('412.000', 'JPY'), 412);
    assert.equal(parseAmount('1.234', 'KWD'), 1234);
    assert.equal(parseAmount('12345.67', 'HUF'), 1_234_567);
    assert.equal(parseAmount('999999999999.99', 'EUR'), 99_999_999_999_999);
  });
});

describe('reading any text', () => {
  /** The same with a regular expression and whole numbers of any size. */
  function twin(text: string, decimals: number): number | undefined {
    const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
    if (sign === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
    const amount = Number(BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')));
    if (!Number.isSafeInteger(amount)) return undefined;
    return sign === '-' ? -amount || 0 : amount;
  }

  it('gives what the plain way gives', () => {
    const digits = fc.stringMatching(/^[0-9]{0,14}$/);
    const number = fc
      .tuple(fc.constantFrom('', '-', '+', ' '), digits, fc.constantFrom('', '.', '..', ','), digits)
      .map((parts) => parts.join(''));
    const zeros = fc.tuple(fc.stringMatching(/^[0-9]{1,12}$/), fc.stringMatching(/^[0-9]{0,4}0{0,4}$/));
    const text = fc.oneof(
      number,
      zeros.map((parts) => parts.join('.')),
      fc.string(),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...CURRENCIES), (one, currency) => {
        assert.equal(parseAmount(one, currency), twin(one, decimalsOf(currency)), JSON.stringify(one));
      }),
    );
  });
});

describe('writing an amount', () => {
  it('gives all the decimals of the currency', () => {
    assert.equal(formatAmount(41_250, 'EUR'), '412.50');
    assert.equal(formatAmount(5, 'EUR'), '0.05');
    assert.equal(formatAmount(0, 'EUR'), '0.00');
    assert.equal(formatAmount(-5, 'EUR'), '-0.05');
    assert.equal(formatAmount(-41_250, 'EUR'), '-412.50');
    assert.equal(formatAmount(412, 'JPY'), '412');
    assert.equal(formatAmount(0, 'JPY'), '0');
    assert.equal(formatAmount(1234, 'KWD'), '1.234');
    assert.equal(formatAmount(7, 'KWD'), '0.007');
  });

  it('is undone by reading', () => {
    const amounts = fc
      .oneof(fc.integer(), fc.maxSafeInteger())
      .filter((amount) => Math.abs(amount) < 10 ** 12);
    fc.assert(
      fc.property(amounts, fc.constantFrom(...CURRENCIES), (amount, currency) => {
        assert.equal(parseAmount(formatAmount(amount, currency), currency), amount);
      }),
    );
  });
});

describe('an amount as a number', () => {
  it('is the number that its text denotes', () => {
    assert.equal(toDecimal(41_250, 'EUR'), 412.5);
    assert.equal(toDecimal(29, 'EUR'), 0.29);
    assert.equal(toDecimal(412, 'JPY'), 412);
    assert.equal(toDecimal(1234, 'KWD'), 1.234);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...CURRENCIES), (amount, currency) => {
        assert.equal(toDecimal(amount, currency), Number(formatAmount(amount, currency)));
      }),
    );
  });
});
