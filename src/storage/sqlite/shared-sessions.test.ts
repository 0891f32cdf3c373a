import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { SAMPLE_RATE_RULE, temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';
import { openSharedSqliteSessions } from './shared-sessions.ts';

/** A store, and its sessions as another thread shares them. */
async function shared(test: TestContext) {
  const storage = await temporaryStorage(test);
  const { sharing } = storage;
  assert.ok(sharing);
  let connections = 0;
  const sessions = openSharedSqliteSessions({
    directory: storage.directory,
    rateRule: SAMPLE_RATE_RULE,
    async connect() {
      connections += 1;
      return sharing.connect();
    },
  });
  test.after(() => sessions.close());
  return { storage, shared: sessions, connections: () => connections };
}

describe('sessions that another thread shares', () => {
  const newStore = async (test: TestContext) => (await shared(test)).shared.sessions;
  sessionStoreContract({ newStore });
  sessionStoreModelContract({ newStore });

  it('are those of the store, in both directions', async (t) => {
    const { storage, shared: other, connections } = await shared(t);
    await storage.sessions.open(sampleSession('ours'));
    await other.sessions.open(sampleSession('theirs'));
    assert.deepEqual(await other.sessions.find('ours'), sampleSession('ours'));
    assert.deepEqual(await storage.sessions.find('theirs'), sampleSession('theirs'));
    await assert.rejects(other.sessions.open(sampleSession('ours')), { kind: 'refused' });
    assert.equal(connections(), 1);
  });

  it('lets only one of two threads change a session that both have read', async (t) => {
    const { storage, shared: other } = await shared(t);
    await storage.sessions.open(sampleSession('s'));
    await Promise.all([storage.sessions.find('s'), other.sessions.find('s')]);
    const outcomes = await Promise.all(
      [storage.sessions, other.sessions].map((sessions) =>
        sessions.commit(sampleChange('s', 1, new Uint8Array(1))),
      ),
    );
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['committed', 'conflict']);
  });

  it('are stored together with what other threads write meanwhile, each with its own outcome', async (t) => {
    const { storage, shared: other } = await shared(t);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, number) =>
        (number % 2 === 0 ? storage : other).sessions.open(sampleSession(`s${number % 150}`)),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 50);
    for (let number = 0; number < 150; number++) assert.ok(await other.sessions.find(`s${number}`));
  });

  it('are forgotten when another thread has deleted them', async (t) => {
    const { storage, shared: other } = await shared(t);
    await other.sessions.open(sampleSession('s'));
    const cutoffs = {
      bodiesBefore: Number.MAX_SAFE_INTEGER,
      sessionsBefore: Number.MAX_SAFE_INTEGER,
      limit: 9,
    };
    assert.equal(await storage.sessions.deleteExpired(cutoffs), 1);
    other.forget(['s']);
    assert.equal(await other.sessions.find('s'), undefined);
  });

  it('fail while the writing thread cannot be reached, and are stored when it can', async (t) => {
    const storage = await temporaryStorage(t);
    let isReachable = false;
    const other = openSharedSqliteSessions({
      directory: storage.directory,
      rateRule: SAMPLE_RATE_RULE,
      connect: () =>
        isReachable && storage.sharing
          ? Promise.resolve(storage.sharing.connect())
          : Promise.reject(new Error('not yet')),
    });
    t.after(() => other.close());
    await assert.rejects(other.sessions.open(sampleSession('s')), { kind: 'interrupted' });
    assert.equal(other.writeFault(), 'interrupted');
    isReachable = true;
    assert.deepEqual(await other.sessions.open(sampleSession('s')), { kind: 'opened' });
    assert.equal(other.writeFault(), null);
  });
});
