import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';

// With room for one session, nearly every read goes to the database.
describe('with a cache of one session', () => {
  const newStore = async (test: TestContext) =>
    (await temporaryStorage(test, { maxCachedSessions: 1 })).sessions;
  sessionStoreContract({ newStore });
  sessionStoreModelContract({ newStore });
});

const body = new TextEncoder().encode('{}');

/** A second connection to the same file: what it changes, the cache does not know. */
async function storeAndSql(test: TestContext, options?: Parameters<typeof temporaryStorage>[1]) {
  const { sessions, directory } = await temporaryStorage(test, options);
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'));
  test.after(() => database.close());
  return {
    sessions,
    sql: (text: string, ...values: SQLInputValue[]) => database.prepare(text).all(...values),
  };
}

describe('the cache', () => {
  it('is corrected by a conflict when another writer has changed the file', async (t) => {
    const { sessions, sql } = await storeAndSql(t);
    await sessions.open(sampleSession('s'));
    const changed = { ...sampleSession('s', 7), assistant: 'another writer' };
    sql(`UPDATE session SET revision = 7, state = ? WHERE id = 's'`, JSON.stringify(changed));
    sql(`INSERT INTO used_key SELECT number, 'theirs', 'f', 7 FROM session`);
    assert.equal((await sessions.find('s'))?.revision, 0, 'the case needs a stale cache');
    assert.equal(await sessions.usedKey('s', 'theirs'), undefined, 'the case needs stale keys');

    assert.deepEqual(await sessions.commit(sampleChange('s', 1, body)), { kind: 'conflict' });
    assert.deepEqual(await sessions.find('s'), changed);
    assert.deepEqual(await sessions.usedKey('s', 'theirs'), { fingerprint: 'f', revision: 7 });
  });

  it('spares reads of recent sessions and drops the one that was used longest ago', async (t) => {
    const { sessions, sql } = await storeAndSql(t, { maxCachedSessions: 2 });
    for (const id of ['a', 'b']) {
      await sessions.open(sampleSession(id));
      await sessions.commit(sampleChange(id, 1, body));
    }
    sql(`UPDATE session SET state = json_set(state, '$.assistant', 'from the file')`);
    const assistantOf = async (id: string) => (await sessions.find(id))?.assistant;
    assert.equal(await assistantOf('b'), 'assistant');
    assert.equal(await assistantOf('a'), 'assistant');
    await sessions.open(sampleSession('c'));
    assert.equal(await assistantOf('a'), 'assistant', 'it was used last');
    assert.equal(await assistantOf('b'), 'from the file');
    // Read into the cache, where it is found again.
    sql(`UPDATE session SET state = json_set(state, '$.assistant', 'changed again')`);
    assert.equal(await assistantOf('b'), 'from the file');
  });

  it('knows the keys of a session from its opening on, or once they were read', async (t) => {
    const { sessions, sql } = await storeAndSql(t, { maxCachedSessions: 1 });
    const addKey = (id: string) =>
      sql(`INSERT INTO used_key SELECT number, ?, 'f', 1 FROM session WHERE id = 's'`, id);
    await sessions.open(sampleSession('s'));
    addKey('unseen');
    assert.equal(await sessions.usedKey('s', 'unseen'), undefined);
    await sessions.commit(sampleChange('s', 1, body));
    assert.equal(await sessions.usedKey('s', 'unseen'), undefined, 'still known after a commit');
    assert.ok(await sessions.usedKey('s', 'key-1'));

    await sessions.open(sampleSession('another'));
    await sessions.commit(sampleChange('s', 2, body));
    assert.ok(await sessions.usedKey('s', 'unseen'), 'not known any more: all of them are read');
    addKey('unseen too');
    assert.equal(await sessions.usedKey('s', 'unseen too'), undefined);
  });
});

describe('bodies', () => {
  it('are those of the call, even if the caller reuses its buffer before they are written', async (t) => {
    const { sessions } = await storeAndSql(t);
    const reused = new TextEncoder().encode('before');
    const opened = sessions.open(sampleSession('s'));
    const committed = sessions.commit(sampleChange('s', 1, reused));
    reused.fill(0);
    await Promise.all([opened, committed]);
    const before = new TextEncoder().encode('before');
    assert.deepEqual(await sessions.result('s'), before);
  });
});
