import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPriceReader, currencyOfPrice } from './table.ts';

const read = (text: string, currency = 'USD') => {
  const reading = createPriceReader(currency)(text);
  return reading.kind === 'valid' ? reading.value : reading.faults[0]?.rule;
};

describe('a price of the published files', () => {
  it('is read with its sign and its commas', () => {
    assert.equal(read('$70.00'), 7000);
    assert.equal(read('$1,234.00'), 123_400);
    assert.equal(read('$12,345,678.90'), 1_234_567_890);
    assert.equal(read('70'), 7000);
    assert.equal(read('€ 1250.5', 'EUR'), 125_050);
    assert.equal(read('CA$9.99', 'CAD'), 999);
    assert.equal(read('$0.00'), 0);
    assert.equal(read('$12,000.00', 'JPY'), 12_000);
  });

  it('is no price when it is written in another way', () => {
    for (const text of [
      '',
      '$',
      '-$5.00',
      '$1,23.00',
      '1,2345',
      '$1.2.3',
      'free',
      '$1e3',
      '$ 1 000',
      '1234567890',
    ]) {
      assert.equal(read(text), 'wrong_format', text);
    }
    assert.equal(read('$1.005'), 'price_too_fine');
    assert.equal(read('$12.50', 'JPY'), 'price_too_fine');
  });

  it('has the sign that came first', () => {
    const readPrice = createPriceReader('EUR');
    assert.equal(readPrice('7.00').kind, 'valid');
    assert.equal(readPrice('€8.00').kind, 'valid');
    assert.deepEqual(readPrice('$8.00'), {
      kind: 'invalid',
      faults: [{ rule: 'other_currency', reason: 'has another sign than €, which came first' }],
    });
    assert.equal(readPrice('9.00').kind, 'valid');
  });

  it('suggests a currency by its sign alone', () => {
    assert.deepEqual(['$1.00', '€1.00', '£1.00', '¥1', 'kr1', '1.00', ''].map(currencyOfPrice), [
      'USD',
      'EUR',
      'GBP',
      'JPY',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
