import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET } from '../catalogue/catalogue.ts';
import { weightOf } from '../parsing/owned-memory.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { loadStored } from './load-stored.ts';

async function load(budget: { readonly listings: number; readonly bytes: number }, msForEach = 0) {
  const clock = { elapsed: 70 };
  const store = createMemoryInventoryStore();
  for (const brand of ['greedy', 'modest']) {
    const homes = Array.from({ length: brand === 'greedy' ? 40 : 2 }, (_, at) =>
      sampleProperty({ brand, reference: String(10 + at) }),
    );
    await store.replaceCatalogue(brand, homes);
    await store.saveCalendars(
      homes.map(({ id }) => ({ property: id, calendar: emptyCalendar(0, 3), readAt: 0 })),
    );
  }
  const restored = { greedy: 0, modest: 0 };
  const rejections: string[] = [];
  const told: string[] = [];
  await loadStored({
    store,
    network: sampleNetwork(['greedy', 'modest']),
    budgetOf: () => budget,
    isKnown: () => false,
    restore({ brand }) {
      assert.ok(brand === 'greedy' || brand === 'modest');
      restored[brand] += 1;
      clock.elapsed += msForEach;
    },
    clock: { elapsed: () => clock.elapsed },
    observe: {
      loading: (properties, milliseconds) => told.push(`${properties} after ${milliseconds}`),
      loaded: (properties, milliseconds) => told.push(`all ${properties} after ${milliseconds}`),
      storedRejections(brand, held) {
        rejections.push(`${brand}: ${held.length} ${held[0]?.rule}`);
      },
    },
  });
  return { restored, rejections, told };
}

test('what was stored is loaded whole when it is within the budget', async () => {
  assert.deepEqual(await load(DEFAULT_BRAND_BUDGET), {
    restored: { greedy: 40, modest: 2 },
    rejections: [],
    told: ['all 42 after 0'],
  });
});

test('a store that has outgrown the budget of a brand is loaded up to it, and the other brands are not affected', async () => {
  assert.deepEqual(await load({ listings: 30, bytes: 1_000_000 }), {
    restored: { greedy: 30, modest: 2 },
    rejections: ['greedy: 10 over_budget'],
    told: ['all 32 after 0'],
  });
  const weight = weightOf(sampleProperty({ brand: 'greedy', reference: '10' }));
  assert.deepEqual(await load({ listings: 1000, bytes: 5 * weight }), {
    restored: { greedy: 5, modest: 2 },
    rejections: ['greedy: 35 over_budget'],
    told: ['all 7 after 0'],
  });
});

test('a start that takes long is told of every five seconds, and at its end', async () => {
  // The store hands out 16 at a time.
  const { told } = await load(DEFAULT_BRAND_BUDGET, 200);
  assert.deepEqual(told, ['32 after 6400', 'all 42 after 8400']);
});
