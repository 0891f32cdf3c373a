import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';
import { NO_VERSIONS, type SessionStore } from '../../sessions/session-store.ts';
import { createSharedMarks, newMarkTable } from '../../threads/shared-tables.ts';
import { openSharedSqliteSessions } from './storage.ts';

/** A store, and its sessions as another thread shares them. */
async function shared(test: TestContext) {
  const storage = await temporaryStorage(test);
  const { sharing } = storage;
  assert.ok(sharing);
  let connections = 0;
  const sessions = openSharedSqliteSessions({
    directory: storage.directory,
    marks: NO_VERSIONS,
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
      marks: NO_VERSIONS,
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

/** Two threads with the same marks, of which the one that a call goes to is drawn: what one has done the other must see. */
async function marked(test: TestContext) {
  const storage = await temporaryStorage(test);
  const table = newMarkTable();
  const threads = [1, 2].map(() => {
    const sessions = openSharedSqliteSessions({
      directory: storage.directory,
      marks: createSharedMarks(table),
      async connect() {
        assert.ok(storage.sharing);
        return storage.sharing.connect();
      },
    });
    test.after(() => sessions.close());
    return sessions;
  });
  return { storage, threads };
}

describe('sessions that two threads change and mark', () => {
  async function newStore(test: TestContext): Promise<SessionStore> {
    const { threads } = await marked(test);
    const known = new Set<string>();
    let calls = 0;
    // In a pattern that is not that of any test.
    const next = () => {
      calls += 1;
      const thread = threads[((calls * calls) >> 2) & 1];
      assert.ok(thread);
      return thread.sessions;
    };
    return {
      open(session, quota) {
        known.add(session.id);
        return next().open(session, quota);
      },
      find: (id) => next().find(id),
      commit: (change) => next().commit(change),
      claim: (id, revision, forMs) => next().claim(id, revision, forMs),
      release: (id, revision) => next().release(id, revision),
      noteTallies: (tallies) => next().noteTallies(tallies),
      result: (id) => next().result(id),
      usedKey: (session, id) => next().usedKey(session, id),
      countUsedKeys: (session) => next().countUsedKeys(session),
      async deleteExpired(cutoffs) {
        const deleted = await next().deleteExpired(cutoffs);
        for (const thread of threads) thread.forget([...known]);
        return deleted;
      },
      close: async () => {
        for (const thread of threads) await thread.close();
      },
    };
  }

  sessionStoreModelContract({ newStore });

  it('are read from memory until another thread has changed them', async (t) => {
    const { threads } = await marked(t);
    const [one, other] = threads.map(({ sessions }) => sessions);
    await one?.open(sampleSession('s'));
    const first = await other?.find('s');
    assert.equal(await other?.find('s'), first);
    await one?.commit(sampleChange('s', 1, new Uint8Array(1)));
    assert.equal((await other?.find('s'))?.revision, 1);
    assert.equal(await one?.countUsedKeys('s'), 1);
    await other?.commit(sampleChange('s', 2, new Uint8Array(1)));
    assert.equal((await one?.find('s'))?.revision, 2);
    assert.equal(await one?.countUsedKeys('s'), 2);
  });

  it('keep what was counted of them for another thread, which goes on with it once the first one has ended', async (t) => {
    const { threads } = await marked(t);
    const [one, other] = threads.map(({ sessions }) => sessions);
    const tally = { changes: 1, stage: 'guests', refusal: 'guests:party_too_large', counted: [1, 2] };
    await one?.open(sampleSession('s'));
    await one?.noteTallies(new Map([['s', tally]]));
    await one?.commit(sampleChange('s', 1, new Uint8Array(1)));
    assert.deepEqual((await one?.find('s'))?.tally, tally);
    await one?.close();
    assert.deepEqual((await other?.find('s'))?.tally, tally);
  });

  it('are read again by all threads after a change of which nobody knows whether it was stored', async (t) => {
    const { storage, threads } = await marked(t);
    const [one, other] = threads.map(({ sessions }) => sessions);
    await one?.open(sampleSession('s'));
    await other?.find('s');
    // Stored by a thread that could not tell anybody.
    await storage.sessions.commit(sampleChange('s', 1, new Uint8Array(1)));
    assert.equal((await other?.find('s'))?.revision, 0);
    await one?.close();
    await assert.rejects(async () => one?.commit(sampleChange('s', 1, new Uint8Array(1))), {
      kind: 'closed',
    });
    assert.equal((await other?.find('s'))?.revision, 1);
  });
});
