import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorageFailureKind } from '../../src/sessions/storage-failure.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { STAY } from '../support/conversation.ts';
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

test('/readyz says yes while a server of the store is away, which is refused clearly', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const { service, open } = await setScene(t, {
    storage: {
      ...storage,
      writeFault: () => 'unreachable' as const,
      checkWrites: async () => 'unreachable' as const,
    },
  });
  assert.deepEqual((await service.get('/readyz')).body, { status: 'ready' });
  const { body } = await (await open()).send(STAY);
  assert.deepEqual([body.error, body.retryable ?? true], ['storage_unavailable', true]);
});

test('/readyz says no while a server of the store was never reached: an update with a wrong address must not go on', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const { service } = await setScene(t, {
    storage: { ...storage, writeFault: () => 'never_reached' as const },
  });
  const { status, body } = await service.get('/readyz');
  assert.deepEqual([status, body], [503, { status: 'unavailable', reason: 'store_never_reached' }]);
});

test('no operator is asked while the result could not be stored', async (t) => {
  let fault: StorageFailureKind | null = 'full';
  let asked = 0;
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const { open, operator } = await setScene(t, { storage: { ...storage, checkWrites: async () => fault } });
  operator.quote = (reference, { currency }) => {
    asked += 1;
    return { property: reference, status: 'quoted', currency, total: '100.00' };
  };
  const conversation = await open();
  const { body, headers } = await conversation.send(STAY);
  assert.deepEqual([body.error, headers['retry-after'], asked], ['storage_unavailable', '2', 0]);
  fault = null;
  assert.equal((await conversation.search()).body.object, 'search_result');
  assert.ok(asked > 0);
});
