import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../test/support/sample-session.ts';
import { SAMPLE_RATE_RULE, temporaryStorage } from '../../test/support/temporary-storage.ts';
import { ownerSettingsContract } from '../access/owner-settings.contract.ts';
import { activityStoreContract } from '../analytics/activity-store.contract.ts';
import { bookingOutcomesContract } from '../analytics/bookings/booking-outcomes.contract.ts';
import { inventoryStoreContract } from '../availability/inventory-store.contract.ts';
import { rateWindowsContract } from '../sessions/rate-windows.contract.ts';
import { sessionStoreContract } from '../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../sessions/session-store.model.contract.ts';
import { brandControlsContract } from '../sync/brand-controls.contract.ts';
import type { OpenStorage } from './storage.ts';

/** Every case of every port, for every store. */
export function storageContract(openStorage: OpenStorage): void {
  const newStorage = (test: TestContext, rateRule = SAMPLE_RATE_RULE) =>
    temporaryStorage(test, { rateRule }, openStorage);

  describe('session store', () => {
    const newStore = async (test: TestContext) => (await newStorage(test)).sessions;
    sessionStoreContract({ newStore });
    sessionStoreModelContract({ newStore });
  });

  describe('inventory store', () => {
    inventoryStoreContract({ newStore: async (test) => (await newStorage(test)).inventory });
  });

  describe('rate windows', () => {
    rateWindowsContract({ newWindows: async (test, rule) => (await newStorage(test, rule)).rateWindows });
  });

  describe('activity store', () => {
    activityStoreContract({ newStore: async (test) => (await newStorage(test)).activity });
  });

  describe('brand controls', () => {
    brandControlsContract({ newControls: async (test) => (await newStorage(test)).controls });
  });

  describe('booking outcomes', () => {
    bookingOutcomesContract({ newOutcomes: async (test) => (await newStorage(test)).outcomes });
  });

  describe('owner settings', () => {
    ownerSettingsContract({ newSettings: async (test) => (await newStorage(test)).owner });
  });

  describe('storage as a whole', () => {
    it('counts no change as waiting once its promise has resolved', async (t) => {
      const { sessions, inventory, waiting } = await newStorage(t);
      assert.equal(waiting(), 0);
      await Promise.all([
        sessions.open(sampleSession('s')),
        inventory.saveDocument('azul', new TextEncoder().encode('{}')),
      ]);
      assert.equal(waiting(), 0);
    });

    it('closes once, after the changes under way, and refuses those that come later', async (t) => {
      const { sessions, close } = await newStorage(t);
      await sessions.open(sampleSession('s'));
      const committing = sessions.commit(sampleChange('s', 1, new Uint8Array(1)));
      await Promise.all([close(), close()]);
      assert.deepEqual(await committing, { kind: 'committed' });
      await assert.rejects(sessions.find('s'), { name: 'StorageFailure', kind: 'closed' });
      await close();
    });
  });
}
