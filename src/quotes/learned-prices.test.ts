import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type BrandPrices,
  learnPrices,
  noPrices,
  type PriceSample,
  type QuotedStay,
  ratioOf,
  samplesOf,
} from './learned-prices.ts';

function sample(facts: Partial<PriceSample> = {}): PriceSample {
  return {
    property: 'sol:1',
    place: 'lisbon-pt',
    indicativeTotal: 10_000,
    total: 20_000,
    ...facts,
  };
}
const many = (count: number, facts: Partial<PriceSample> = {}) =>
  Array.from({ length: count }, (_, at) => sample({ property: `sol:${at}`, ...facts }));

const stayOf = (nights: number, guests = 2): QuotedStay => ({
  nights,
  guests,
  currency: 'EUR',
});
const stay = stayOf(3);

function ratio(samples: readonly PriceSample[], place = 'lisbon-pt', nights = 3): number | undefined {
  const prices = noPrices();
  learnPrices(prices, stay, samples);
  return ratioIn(prices, place, nights);
}

function ratioIn(prices: BrandPrices, place: string, nights: number, guests = 2): number | undefined {
  const found = ratioOf(prices, place, stayOf(nights, guests));
  return found && Math.round(Math.exp(found.median) * 100) / 100;
}

describe('the ratio of a brand', () => {
  it('is unknown before it has quoted anything that has an indicative price', () => {
    assert.equal(ratio([]), undefined);
    assert.equal(ratio(many(9, { indicativeTotal: null })), undefined);
    assert.equal(ratioOf(undefined, 'lisbon-pt', stay), undefined);
  });

  it('is that of the place and the length of stay, of the length, or of the brand: the first with enough quotes', () => {
    const prices = noPrices();
    learnPrices(prices, stayOf(2), many(3, { total: 20_000 }));
    learnPrices(prices, stayOf(10), many(3, { total: 50_000 }));
    assert.equal(ratioIn(prices, 'lisbon-pt', 3), 2);
    assert.equal(ratioIn(prices, 'lisbon-pt', 13), 5);
    const porto = many(8, { place: 'porto-pt', total: 90_000 });
    learnPrices(prices, stayOf(2), [...many(3, { total: 20_000 }), ...porto]);
    assert.equal(ratioIn(prices, 'porto-pt', 3), 9);
    assert.equal(ratio([sample()], 'evora-pt', 100), 2, 'a single quote is better than none');
  });

  it('is of parties of one size, whatever others pay', () => {
    const prices = noPrices();
    learnPrices(prices, stayOf(3, 2), many(8));
    learnPrices(prices, stayOf(3, 6), many(31, { total: 60_000 }));
    learnPrices(prices, stayOf(3, 6), many(31, { total: 60_000 }));
    assert.equal(ratioIn(prices, 'lisbon-pt', 3, 2), 2);
    assert.equal(ratioIn(prices, 'lisbon-pt', 3, 5), 6);
    assert.equal(ratioIn(prices, 'lisbon-pt', 3, 12), undefined);
  });

  it('is not moved by one quote out of line, and follows when most of them change', () => {
    assert.equal(ratio([...many(8), sample({ total: 90_000_000 })]), 2);
    const prices = noPrices();
    for (let search = 0; search < 4; search += 1) learnPrices(prices, stay, many(20));
    for (let search = 0; search < 2; search += 1) learnPrices(prices, stay, many(20, { total: 90_000 }));
    assert.equal(Math.round(Math.exp(ratioOf(prices, 'lisbon-pt', stay)?.median ?? 0)), 9);
  });
});

describe('a home', () => {
  it('is remembered by its price of a night for each kind of stay, which falls at once and rises by half', () => {
    const prices = noPrices();
    for (const total of [30_000, 20_000, 90_000]) learnPrices(prices, stay, [sample({ total })]);
    learnPrices(prices, stayOf(7), [sample({ total: 35_000 })]);
    assert.deepEqual(
      [...prices.homes],
      [
        ['sol:1 2/1', 14_142],
        ['sol:1 7/1', 5000],
      ],
    );
  });
});

describe('samples', () => {
  const log = fc.double({ min: -10, max: 10, noNaN: true });

  it('have the median and quartile of a sorted list', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 31 }), (logs) => {
        const sorted = logs.toSorted((a, b) => a - b);
        const { median, lowerQuartile, spread } = samplesOf(logs);
        assert.equal(median, sorted[Math.floor((logs.length - 1) / 2)]);
        assert.ok(logs.filter((one) => one < lowerQuartile).length <= logs.length / 4);
        assert.ok(spread >= 0);
      }),
    );
  });
});
