import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorageFailureKind } from '../../src/sessions/storage-failure.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { setScene } from '../support/scene.ts';
import { SAMPLE_RATE_RULE } from '../support/temporary-storage.ts';

test('/readyz says no, and why, while the store takes no changes', async (t) => {
  let fault: StorageFailureKind | null = null;
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const { service } = await setScene(t, { storage: { ...storage, writeFault: () => fault } });
  const ready = async () => {
    const { status, body } = await service.get('/readyz');
    return [status, body];
  };
  assert.deepEqual(await ready(), [200, { status: 'ready' }]);
  fault = 'full';
  assert.deepEqual(await ready(), [503, { status: 'unavailable', reason: 'store_full' }]);
  fault = 'corrupt';
  assert.deepEqual(await ready(), [503, { status: 'unavailable', reason: 'store_damaged' }]);
  assert.equal((await service.get('/healthz')).status, 200, 'it is alive');
  fault = null;
  assert.deepEqual(await ready(), [200, { status: 'ready' }]);
});

test('/readyz names what a start waits for', async (t) => {
  const { service } = await setScene(t, { brands: { acme: { properties: [] } } });
  const { status, body } = await service.get('/readyz');
  assert.deepEqual([status, body], [503, { status: 'starting', reason: 'nothing_to_search' }]);
});
