import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { createArena } from './arena.ts';
import { createStayRules } from './calendar-rows.ts';
import { instantiateKernel } from './kernel/kernel.ts';
import { CODE_BITS, HEAD_RING_DAYS, HEAD_RING_START, NO_PRICE } from './kernel/layout.ts';
import { createPricePacker } from './price-blocks.ts';

const arena = createArena();

const stayRulesOf = createStayRules(arena, instantiateKernel(arena.memory));

describe('the rules of a calendar', () => {
  it('have the most frequent stays as the usual ones, and the smaller of equally frequent ones', () => {
    const calendar = emptyCalendar(20_000, 6);
    calendar.minimumStay.set([3, 3, 2, 2, 0, 1]);
    calendar.maximumStay.set([0, 9, 9, 9, 0, 7]);
    const { usualMinimum, usualMaximum, rules, ruleOf, arePlain } = stayRulesOf(calendar);
    assert.deepEqual([usualMinimum, usualMaximum, arePlain], [1, 9, false]);
    assert.deepEqual(
      [...ruleOf].map((rule) => rules[rule]?.minimumStay),
      [3, 3, 2, 2, 1, 1],
    );
  });

  it('are plain when every night has the same stays and every day is open', () => {
    const calendar = emptyCalendar(20_000, 6);
    calendar.minimumStay.fill(4);
    assert.equal(stayRulesOf(calendar).arePlain, true);
    assert.equal(stayRulesOf(emptyCalendar(20_000, 0)).arePlain, true);
    for (const column of ['closedToArrival', 'closedToDeparture'] as const) {
      calendar[column][5] = 1;
      assert.equal(stayRulesOf(calendar).arePlain, false);
      calendar[column].fill(0);
    }
  });
});

const PRICES = [1, 2, 3, 999, 2047, 2048, 4095, 4096, 4097, 9900, 123_457, 8_388_609, 4_294_967_295];

/** The last block of the ring is a short one. */
const RING = { start: 100, days: 70 };

/** Packs the prices of free nights from the first day of the ring on. */
function pack(prices: readonly number[]) {
  const arena = createArena();
  arena.u32[HEAD_RING_DAYS >>> 2] = RING.days;
  arena.i32[HEAD_RING_START >>> 2] = RING.start;
  const kernel = instantiateKernel(arena.memory);
  kernel.setRing(RING.days);
  const calendar = emptyCalendar(RING.start, prices.length);
  calendar.available.fill(1);
  calendar.price.set(prices);
  const packed = createPricePacker(arena, kernel)(calendar);
  assert.ok(packed);
  return packed;
}

/** The code of a price, from the block of the only night that has it. */
function codeOf(price: number): number {
  return pack([price]).lowest[Math.floor((RING.start % RING.days) / 28)] ?? 0;
}

function lowestPriceOf(code: number): number {
  const behind = 2 ** CODE_BITS + (code % 2 ** CODE_BITS);
  return Math.floor(behind * 2 ** (Math.floor(code / 2 ** CODE_BITS) - CODE_BITS));
}

describe('the code of the lowest price of a block of days', () => {
  it('stands for a price that is no higher, and hardly lower', () => {
    for (const price of PRICES) {
      const lowest = lowestPriceOf(codeOf(price));
      assert.ok(lowest <= price && price - lowest <= price / 1000, `${lowest} stands for ${price}`);
    }
    assert.equal(lowestPriceOf(codeOf(4095)), 4095);
    assert.equal(lowestPriceOf(codeOf(4097)), 4096);
  });

  it('is in the order of the prices, and below that of no price', () => {
    const codes = PRICES.map(codeOf);
    assert.deepEqual(
      codes,
      codes.toSorted((one, other) => one - other),
    );
    for (const code of codes) assert.ok(code >= 0 && code < NO_PRICE);
    for (const code of codes) assert.equal(codeOf(lowestPriceOf(code)), code);
  });

  it('is that of the cheapest night of each block, and 0 where no night is free', () => {
    // The ring is at its day 30 when it begins: 26 nights are left of the second block, then come the short third and the first.
    const prices = Array.from({ length: 45 }, (_, night) => 1000 + ((night * 7) % 45));
    const blockOf = (night: number) => Math.floor(((RING.start + night) % RING.days) / 28);
    const lowest = [0, 1, 2].map((block) =>
      Math.min(...prices.filter((_, night) => blockOf(night) === block)),
    );
    assert.deepEqual([...pack(prices).lowest], lowest.map(codeOf));
    assert.deepEqual([...pack(prices.slice(0, 5)).lowest], [0, codeOf(Math.min(...prices.slice(0, 5))), 0]);
  });
});
