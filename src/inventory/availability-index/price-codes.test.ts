import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_PRICE } from './kernel/layout.ts';
import { lowestPriceOf, priceCode } from './price-codes.ts';

const PRICES = [1, 2, 3, 999, 2047, 2048, 4095, 4096, 4097, 9900, 123_457, 8_388_609, 4_294_967_295];

describe('the code of a price', () => {
  it('stands for a price that is no higher, and hardly lower', () => {
    for (const price of PRICES) {
      const lowest = lowestPriceOf(priceCode(price));
      assert.ok(lowest <= price && price - lowest <= price / 1000, `${lowest} stands for ${price}`);
    }
    assert.equal(lowestPriceOf(priceCode(4095)), 4095);
    assert.equal(lowestPriceOf(priceCode(4097)), 4096);
  });

  it('is in the order of the prices, and below that of no price', () => {
    const codes = PRICES.map(priceCode);
    assert.deepEqual(
      codes,
      codes.toSorted((one, other) => one - other),
    );
    for (const code of codes) assert.ok(code >= 0 && code < NO_PRICE);
    for (const price of PRICES) assert.equal(priceCode(lowestPriceOf(priceCode(price))), priceCode(price));
  });
});
