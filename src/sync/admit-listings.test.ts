import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { propertyIdOf } from '../inventory/catalogue.ts';
import { admitListings } from './admit-listings.ts';

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
      heldBack: [{ reference: 'bad', field: 'name', reason: 'addresses the reader' }],
    },
    'sol',
    sampleNetwork(['sol', 'mar']),
  );
  assert.deepEqual([...admitted], [['well', well]]);
  assert.deepEqual(
    report.all().heldBack.map(({ reference, field, reason }) => [reference, field, reason]),
    [
      ['bad', 'name', 'addresses the reader'],
      ['far', 'place', 'is not a city of this network'],
      ['vague', 'place', 'is not a city of this network'],
      ['dollars', 'currency', 'is USD, but lisbon-pt is compared in EUR'],
      ['foreign', 'reference', 'does not belong to this brand'],
      ['odd', 'reference', 'does not belong to this brand'],
      ['well', 'reference', 'appears more than once'],
    ],
  );
});

test('a reference that is shown as a hash belongs to its brand, and one that an earlier release showed in clear does not', async () => {
  const reference = 'a-reference-of-many-words';
  const id = propertyIdOf('sol', reference);
  const stored = sampleProperty({ brand: 'sol', reference, id: `sol:${reference}` });
  const read = sampleProperty({ brand: 'sol', reference, id });
  const admit = async (properties: (typeof read)[]) => {
    const { admitted } = await admitListings({ properties, heldBack: [] }, 'sol', sampleNetwork(['sol']));
    return [...admitted.values()];
  };
  assert.deepEqual(await admit([read]), [read]);
  assert.deepEqual(await admit([stored]), []);
});
