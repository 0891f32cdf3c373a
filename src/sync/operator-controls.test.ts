import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlsInMemory } from '../../test/support/brand-controls-in-memory.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { saveRejections } from './brand-documents.ts';
import { createOperatorControls, UnknownBrand } from './operator-controls.ts';
import type { BrandStatus } from './sync-observer.ts';

const NOW = 1_800_000_000_000;
const STATUS: BrandStatus = {
  brand: 'sol',
  leads: true,
  pausedAt: null,
  lastSuccessAt: NOW - 60_000,
  lastFailure: { at: NOW, kind: 'rate_limited' },
  properties: 7,
  oldestCalendarMs: 3000,
  calendarsWaiting: 2,
  rejections: [{ reference: 'x', field: 'name', rule: 'empty_text', reason: 'is empty' }],
  notListed: 4,
};

function setUp() {
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  const controls = createControlsInMemory();
  const looks: unknown[] = [];
  let isAway = false;
  const operators = createOperatorControls({
    network: sampleNetwork(['sol']),
    controls,
    synchroniser: {
      status: () => [STATUS],
      readControls: async () => void looks.push(await controls.all()),
    },
    store: {
      document: async (name) => {
        if (isAway) throw new Error('away');
        return documents.get(name);
      },
    },
    systemOf: () => 'open',
    breakerOf: () => 'open',
    budgetOf: () => ({ used: 3, of: 10, perSeconds: 60 }),
    clock: { now: () => NOW },
  });
  return {
    operators,
    controls,
    looks,
    store: {
      saveDocument: async (name: string, document: Uint8Array<ArrayBuffer>) =>
        void documents.set(name, document),
    },
    loseStore() {
      isAway = true;
    },
  };
}

test('health is what the node knows of the brand, and what its last reading held back', async () => {
  const { operators, store } = setUp();
  await saveRejections(store, 'sol', {
    readAt: NOW,
    admitted: 7,
    rejections: [{ reference: 'y', field: '', rule: 'other_currency', reason: 'is USD', value: 'USD' }],
    notListed: 1,
    counts: {},
    unmappedAmenities: [],
  });
  const [health] = await operators.health();
  assert.deepEqual(
    [health?.brand, health?.system, health?.lastReadAt, health?.lastFailure, health?.homes],
    ['sol', 'open', NOW - 60_000, 'rate_limited', 7],
  );
  assert.deepEqual([health?.breaker, health?.budget], ['open', { used: 3, of: 10, perSeconds: 60 }]);
  assert.deepEqual(
    [health?.rejections.map(({ reference }) => reference), health?.unlistedRejections],
    [['y'], 1],
  );
});

test('while the store is away, or before a first reading, it says what this node held back itself', async () => {
  const { operators, loseStore } = setUp();
  const listed = async () => {
    const [health] = await operators.health();
    return [health?.rejections.map(({ reference }) => reference), health?.unlistedRejections];
  };
  assert.deepEqual(await listed(), [['x'], 4]);
  loseStore();
  assert.deepEqual(await listed(), [['x'], 4]);
});

test('pausing and resuming tell whether anything was changed by it', async () => {
  const { operators } = setUp();
  assert.equal(await operators.resume('sol'), false, 'nothing was decided yet');
  assert.deepEqual([await operators.pause('sol'), await operators.pause('sol')], [true, false]);
  await operators.readNow('sol');
  assert.deepEqual([await operators.resume('sol'), await operators.resume('sol')], [true, false]);
});

test('a decision is kept before it counts here, and one that cannot be kept is none', async () => {
  const { operators, controls, looks } = setUp();
  await operators.pause('sol');
  await operators.readNow('sol');
  await operators.resume('sol');
  assert.deepEqual(looks, [
    [{ brand: 'sol', pausedAt: NOW, readingRequestedAt: null }],
    [{ brand: 'sol', pausedAt: NOW, readingRequestedAt: NOW }],
    [{ brand: 'sol', pausedAt: null, readingRequestedAt: NOW }],
  ]);
  controls.fault = new Error('away');
  await assert.rejects(operators.pause('sol'), /away/);
  assert.equal(looks.length, 3);
  await assert.rejects(operators.pause('nobody'), UnknownBrand);
});
