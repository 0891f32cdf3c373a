import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import {
  clusterServers,
  newSharedServers,
  skippedWithoutServers,
} from '../../../test/support/cluster-storage.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { SAMPLE_RATE_RULE, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { ownRedis } from '../../../test/support/throwaway-redis.ts';

const QUOTA = { sessions: 10, bytes: 1e9, totalBytes: 1e9, shareBytes: 1e9 };

describe('the store of a node', { skip: skippedWithoutServers }, () => {
  it('takes no changes for as long as the disk of the node takes none', async (t) => {
    const shared = newSharedServers();
    const directory = temporaryDirectory(t);
    const storage = await shared.open({ directory, rateRule: SAMPLE_RATE_RULE });
    t.after(async () => {
      await storage.close();
      await shared.remove();
    });
    await storage.sessions.open({ ...sampleSession('one'), expiresAt: Date.now() + 60_000 }, QUOTA);
    assert.equal(storage.writeFault(), null);
    const other = new DatabaseSync(join(directory, 'outbox.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const change = sampleChange('one', 1, new Uint8Array(1));
    await assert.rejects(storage.sessions.commit(change), { kind: 'busy' });
    assert.equal(storage.writeFault(), 'busy');
    other.close();
    assert.deepEqual(await storage.sessions.commit(change), { kind: 'committed' });
    assert.equal(storage.writeFault(), null);
  });

  it('warns of a Redis that would forget sessions in use', async (t) => {
    const evicting = await ownRedis({ maxmemory: '50mb', 'maxmemory-policy': 'allkeys-lru' });
    if ('missing' in evicting) return t.skip(`NOT TESTED: ${evicting.missing}`);
    const shared = newSharedServers();
    const warned = Promise.withResolvers<string>();
    const storage = await shared.open({
      directory: temporaryDirectory(t),
      rateRule: SAMPLE_RATE_RULE,
      servers: { ...clusterServers(), redisUrl: evicting.url },
      report: (text) => text.includes('maxmemory-policy') && warned.resolve(text),
    });
    t.after(async () => {
      await storage.close();
      await shared.remove();
      await evicting.stop();
    });
    assert.match(await warned.promise, /allkeys-lru.*noeviction/);
  });
});
