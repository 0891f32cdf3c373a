import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { type PriceSample, type QuotedStay, ratioOf } from './learned-prices.ts';
import { createLastingPrices } from './price-memory.ts';

const stay: QuotedStay = { nights: 2, guests: 2, currency: 'EUR' };
const sample: PriceSample = {
  property: 'sol:1',
  place: 'lisbon-pt',
  indicativeTotal: 100,
  total: 900,
};

function setUp(store = createMemoryInventoryStore()) {
  const clock = createFakeClock(0);
  const failures: unknown[] = [];
  const saved: string[] = [];
  const prices = createLastingPrices({
    store: {
      learned: store.learned,
      saveLearned: (brand, text) => {
        saved.push(brand);
        return store.saveLearned(brand, text);
      },
    },
    clock,
    onFailure: (failure) => failures.push(failure),
  });
  return { store, clock, prices, saved, failures };
}

const ratioIn = ({ learned }: ReturnType<typeof setUp>['prices']) =>
  Math.round(Math.exp(ratioOf(learned.get('sol'), 'lisbon-pt', stay)?.median ?? 0));

describe('what was learned', () => {
  it('is stored some time after the first search, once for many', async () => {
    const { prices, saved, clock } = setUp();
    for (let search = 0; search < 5; search += 1) prices.learn('sol', stay, [sample]);
    await clock.advance(29_999);
    assert.deepEqual(saved, []);
    await clock.advance(1);
    assert.deepEqual(saved, ['sol']);
    await clock.advance(60_000);
    assert.deepEqual(saved, ['sol'], 'nothing new');
    prices.learn('mar', stay, [sample]);
    await clock.advance(30_000);
    assert.deepEqual(saved, ['sol', 'mar']);
  });

  it('survives a restart', async () => {
    const before = setUp();
    before.prices.learn('sol', stay, [sample]);
    await before.prices.stop();
    assert.equal(before.clock.pendingTimers, 0);
    const after = setUp(before.store);
    await after.prices.restore(['sol', 'mar']);
    assert.equal(ratioIn(after.prices), 9);
    assert.deepEqual(after.prices.learned.get('sol')?.homes, before.prices.learned.get('sol')?.homes);
  });

  it('is learned anew when the record is damaged or cannot be read', async () => {
    for (const text of [
      '',
      '{',
      'null',
      '{"version":1}',
      '{"version":2,"ratios":[],"nightly":[],"homes":[]}',
    ]) {
      const damaged = setUp();
      await damaged.store.saveLearned('sol', text);
      await damaged.prices.restore(['sol']);
      damaged.prices.learn('sol', stay, [sample]);
      assert.equal(ratioIn(damaged.prices), 9, text);
    }
    const broken = new Error('the disk is gone');
    const store = {
      ...createMemoryInventoryStore(),
      learned: () => Promise.reject(broken),
      saveLearned: () => Promise.reject(broken),
    };
    const { prices, failures } = setUp(store);
    await prices.restore(['sol']);
    prices.learn('sol', stay, [sample]);
    await prices.stop();
    assert.deepEqual(failures, [broken, broken]);
    assert.equal(ratioIn(prices), 9);
  });
});
