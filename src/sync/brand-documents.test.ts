import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleProperty } from '../../test/support/sample-property.ts';
import {
  allFree,
  catalogueOf,
  down,
  NOW,
  never,
  setUpSynchroniser,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { readRejections, type StoredRejections } from './brand-documents.ts';

const report: StoredRejections = {
  readAt: NOW,
  admitted: 3,
  rejections: [
    { reference: 'a', field: 'name', rule: 'empty_text', reason: 'is empty', value: '' },
    { reference: 'b', field: '', rule: 'over_budget', reason: 'is too much', repaired: true },
  ],
  notListed: 7,
  counts: { empty_text: { refused: 8, repaired: 0 }, over_budget: { refused: 0, repaired: 1 } },
  unmappedAmenities: [{ amenity: 'Moat', listings: 2 }],
};

test('a report of another form counts as none', async () => {
  const { rejections, ...others } = report;
  const stored = { ...others, heldBack: rejections };
  for (const text of [
    'not JSON',
    'null',
    '[]',
    JSON.stringify({ ...stored, heldBack: [{ ...rejections[0], rule: 'a_rule_of_tomorrow' }] }),
    JSON.stringify({ ...stored, counts: { empty_text: 8 } }),
    JSON.stringify({ ...stored, readAt: undefined }),
  ]) {
    const store = createMemoryInventoryStore();
    await store.saveDocument('sol/held-back', new TextEncoder().encode(text));
    assert.equal(await readRejections(store, 'sol'), undefined, text);
  }
});

test('each reading of a brand saves what it held back, and a failed one keeps the last', async () => {
  let isDown = false;
  const system = createScriptedSystem('sol', {
    catalogue: () =>
      isDown
        ? down()
        : Promise.resolve({
            properties: [
              ...catalogueOf('sol', ['1', '2']).properties,
              sampleProperty({ brand: 'sol', reference: '3', currency: 'USD' }),
            ],
            rejections: [{ reference: '4', field: 'name', rule: 'empty_text', reason: 'is empty' }],
            notListed: 5,
            counts: { empty_text: { refused: 6, repaired: 0 } },
            unmappedAmenities: [{ amenity: 'Moat', listings: 2 }],
          }),
    calendars: async (_, horizon) => allFree(['1'], horizon),
  });
  const { clock, store, synchroniser } = setUpSynchroniser([system]);
  await synchroniser.refreshAll(never);
  const saved = await readRejections(store, 'sol');
  assert.deepEqual(
    saved && { ...saved, rejections: saved.rejections.map(({ reference, rule }) => [reference, rule]) },
    {
      readAt: NOW,
      admitted: 2,
      rejections: [
        ['4', 'empty_text'],
        ['3', 'other_currency'],
        ['2', 'calendar_missing'],
      ],
      notListed: 5,
      counts: {
        empty_text: { refused: 6, repaired: 0 },
        other_currency: { refused: 1, repaired: 0 },
        calendar_missing: { refused: 1, repaired: 0 },
      },
      unmappedAmenities: [{ amenity: 'Moat', listings: 2 }],
    },
  );
  isDown = true;
  await clock.advance(60_000);
  await synchroniser.refreshAll(never);
  assert.deepEqual(await readRejections(store, 'sol'), saved);
});
