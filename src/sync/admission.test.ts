import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET } from '../catalogue/catalogue.ts';
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

test('stored homes are loaded up to the budget of each brand', async () => {
  const store = createMemoryInventoryStore();
  const brands = ['greedy', 'modest'];
  for (const brand of brands) {
    const homes = Array.from({ length: brand === 'greedy' ? 40 : 2 }, (_, at) =>
      sampleProperty({ brand, reference: String(10 + at) }),
    );
    await store.replaceCatalogue(brand, homes);
    await store.saveCalendars(
      homes.map(({ id }) => ({ property: id, calendar: emptyCalendar(0, 3), readAt: 0 })),
    );
  }
  const weight = weightOf(sampleProperty({ brand: 'greedy', reference: '10' }));
  for (const [budget, loaded] of [
    [DEFAULT_BRAND_BUDGET, 40],
    [{ listings: 30, bytes: 1_000_000 }, 30],
    [{ listings: 1000, bytes: 5 * weight }, 5],
  ] as const) {
    const restored = { greedy: 0, modest: 0 };
    const context = { store, network: sampleNetwork(brands), budgetOf: () => budget };
    const restore = ({ brand }: { readonly brand: string }) => {
      restored[brand as 'greedy'] += 1;
    };
    const { properties, rejections } = await loadStored(context, () => false, restore);
    assert.deepEqual([properties, restored], [loaded + 2, { greedy: loaded, modest: 2 }]);
    const rejected = Array.from(rejections, ([brand, some]) => [brand, some.length, some[0]?.rule]);
    assert.deepEqual(rejected, loaded === 40 ? [] : [['greedy', 40 - loaded, 'over_budget']]);
  }
});
