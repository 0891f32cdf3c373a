import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { usedNoncesContract } from '../../access/web-bot-auth/used-nonces.contract.ts';
import type { UsedNonces } from '../../access/web-bot-auth/used-nonces.ts';
import type { Storage } from '../storage.ts';
import { SESSION_FILE } from './storage.ts';

const SIGNER = 'https://agent.example';

describe('nonces on the disk', () => {
  usedNoncesContract({
    ofMany: async (test, count) => {
      const clock = createFakeClock(0);
      const storage = await openSqliteIn(temporaryDirectory(test), { clock });
      test.after(() => storage.close());
      const nonces = noncesOf(storage);
      return { nonces: Array.from({ length: count }, () => nonces), pass: (ms) => clock.advance(ms) };
    },
  });

  it('are still used after a restart, for the rest of their time', async (test) => {
    const directory = temporaryDirectory(test);
    const before = createFakeClock(1_000_000);
    const first = await openSqliteIn(directory, { clock: before });
    await noncesOf(first).claim(SIGNER, 'short', 10_000);
    await noncesOf(first).claim(SIGNER, 'long', 600_000);
    await first.close();

    // Another process: its monotonic clock begins anew, the time of day goes on.
    const after = createFakeClock(1_030_000);
    const second = await openSqliteIn(directory, { clock: after });
    test.after(() => second.close());
    assert.equal(await noncesOf(second).claim(SIGNER, 'long', 600_000), false);
    assert.equal(await noncesOf(second).claim(SIGNER, 'short', 10_000), true);
    assert.equal(await noncesOf(second).claim(SIGNER, 'new', 600_000), true);
    await after.advance(580_000);
    assert.equal(await noncesOf(second).claim(SIGNER, 'long', 600_000), true);
  });

  it('leave the disk when they have ended', async (test) => {
    const directory = temporaryDirectory(test);
    const clock = createFakeClock(0);
    const storage = await openSqliteIn(directory, { clock });
    for (let turn = 0; turn < 100; turn += 1) {
      await noncesOf(storage).claim(SIGNER, `nonce ${turn}`, 60_000);
      await clock.advance(10_000);
    }
    await storage.close();
    const database = new DatabaseSync(join(directory, SESSION_FILE), { readOnly: true });
    const kept = database.prepare('SELECT count(*) AS count FROM used_nonce').get();
    database.close();
    assert.ok(Number(kept?.count) <= 7, `${kept?.count} are kept`);
  });

  it('count while nothing can be written', async (test) => {
    const storage = await openSqliteIn(temporaryDirectory(test), { maxQueuedWrites: 0 });
    test.after(() => storage.close());
    assert.equal(await noncesOf(storage).claim(SIGNER, 'a', 60_000), true);
    assert.equal(await noncesOf(storage).claim(SIGNER, 'a', 60_000), false);
  });
});

function noncesOf({ usedNonces }: Storage): UsedNonces {
  assert.ok(usedNonces);
  return usedNonces;
}
