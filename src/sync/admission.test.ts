import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET, propertyIdOf } from '../catalogue/catalogue.ts';
import { weightOf } from '../parsing/owned-memory.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { admitListings, loadStored } from './admission.ts';

test('what does not fit the network is held back with the reason, beside what the adapter held back', async () => {
  const well = sampleProperty({ brand: 'sol', reference: 'well' });
  const { admitted, report } = await admitListings(
    {
      properties: [
        well,
        sampleProperty({ brand: 'sol', reference: 'far', place: 'atlantis' }),
        sampleProperty({ brand: 'sol', reference: 'vague', place: 'portugal' }),
        sampleProperty({ brand: 'sol', reference: 'dollars', currency: 'USD' }),
        sampleProperty({ brand: 'mar', reference: 'foreign' }),
        sampleProperty({ brand: 'sol', reference: 'odd', id: 'sol:even' }),
        sampleProperty({ brand: 'sol', reference: 'well', name: 'A second house of that reference' }),
      ],
      rejections: [
        { reference: 'bad', field: 'name', rule: 'addresses_assistant', reason: 'addresses the reader' },
      ],
    },
    'sol',
    sampleNetwork(['sol', 'mar']),
  );
  assert.deepEqual([...admitted], [['well', well]]);
  assert.deepEqual(
    report
      .all()
      .rejections.map(({ reference, field, rule, reason, value }) => [reference, field, rule, reason, value]),
    [
      ['bad', 'name', 'addresses_assistant', 'addresses the reader', undefined],
      ['far', 'place', 'unknown_place', 'is not a city of this network', 'atlantis'],
      ['vague', 'place', 'unknown_place', 'is not a city of this network', 'portugal'],
      ['dollars', 'currency', 'other_currency', 'is USD, but lisbon-pt is compared in EUR', 'USD'],
      ['foreign', 'reference', 'other_brand', 'does not belong to this brand', 'foreign'],
      ['odd', 'reference', 'other_brand', 'does not belong to this brand', 'odd'],
      ['well', 'reference', 'listed_twice', 'appears more than once; the first listing counts', 'well'],
    ],
  );
});

test('a reference that is shown as a hash belongs to its brand, and one that an earlier release showed in clear does not', async () => {
  const reference = 'a-reference-of-many-words';
  const id = propertyIdOf('sol', reference);
  const stored = sampleProperty({ brand: 'sol', reference, id: `sol:${reference}` });
  const read = sampleProperty({ brand: 'sol', reference, id });
  const admit = async (properties: (typeof read)[]) => {
    const { admitted } = await admitListings({ properties, rejections: [] }, 'sol', sampleNetwork(['sol']));
    return [...admitted.values()];
  };
  assert.deepEqual(await admit([read]), [read]);
  assert.deepEqual(await admit([stored]), []);
});

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
  const reported: string[] = [];
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
      loading: (properties, milliseconds) => reported.push(`${properties} after ${milliseconds}`),
      loaded: (properties, milliseconds) => reported.push(`all ${properties} after ${milliseconds}`),
      storedRejections(brand, rejected) {
        rejections.push(`${brand}: ${rejected.length} ${rejected[0]?.rule}`);
      },
    },
  });
  return { restored, rejections, reported };
}

test('what was stored is loaded whole when it is within the budget', async () => {
  assert.deepEqual(await load(DEFAULT_BRAND_BUDGET), {
    restored: { greedy: 40, modest: 2 },
    rejections: [],
    reported: ['all 42 after 0'],
  });
});

test('a store that has outgrown the budget of a brand is loaded up to it, and the other brands are not affected', async () => {
  assert.deepEqual(await load({ listings: 30, bytes: 1_000_000 }), {
    restored: { greedy: 30, modest: 2 },
    rejections: ['greedy: 10 over_budget'],
    reported: ['all 32 after 0'],
  });
  const weight = weightOf(sampleProperty({ brand: 'greedy', reference: '10' }));
  assert.deepEqual(await load({ listings: 1000, bytes: 5 * weight }), {
    restored: { greedy: 5, modest: 2 },
    rejections: ['greedy: 35 over_budget'],
    reported: ['all 7 after 0'],
  });
});

test('a start that takes long is told of every five seconds, and at its end', async () => {
  // The store hands out 16 at a time.
  const { reported } = await load(DEFAULT_BRAND_BUDGET, 200);
  assert.deepEqual(reported, ['32 after 6400', 'all 42 after 8400']);
});
