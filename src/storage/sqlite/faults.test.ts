import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { overwritePageOf } from '../../../test/support/damage-database.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import {
  openSqliteIn,
  temporaryDirectory,
  temporaryStorage,
} from '../../../test/support/temporary-storage.ts';
import type { SessionStore } from '../../sessions/session-store.ts';

const small = new Uint8Array(1_000).fill(7);
const tooLarge = new Uint8Array(2_000_000);

describe('a full disk', () => {
  it('refuses what has no space, keeps its neighbours, and takes it when there is space again', async (t) => {
    const { sessions, directory } = await temporaryStorage(t, { maxPages: 200 });
    for (const id of ['a', 'b', 'c']) await sessions.open(sampleSession(id));

    const outcomes = await Promise.allSettled([
      sessions.commit(sampleChange('a', 1, small)),
      sessions.commit(sampleChange('b', 1, tooLarge)),
      sessions.commit(sampleChange('c', 1, small)),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.kind : outcome.reason.kind)),
      ['committed', 'full', 'committed'],
    );
    await holdsWhole(sessions, 'a', 1);
    await holdsWhole(sessions, 'b', 0);
    await holdsWhole(sessions, 'c', 1);
    assert.deepEqual(nxqs(await sessions.issuedQuotes({ since: 0, limit: 9 })), ['a-1', 'c-1']);

    for (let revision = 2; ; revision += 1) {
      const outcome = await sessions.commit(sampleChange('a', revision, small)).catch((failure) => failure);
      if (outcome.kind === 'committed') continue;
      assert.equal(outcome.kind, 'full');
      await holdsWhole(sessions, 'a', revision - 1);
      break;
    }
    assert.equal(await sessions.deleteExpired({ bodiesBefore: 2_000, sessionsBefore: 0, limit: 10 }), 3);
    assert.deepEqual(await sessions.commit(sampleChange('c', 2, small)), { kind: 'committed' });
    assert.equal(integrityOf(directory), 'ok');
  });

  it('is a fault until the folder has space for more than the smallest change', async (t) => {
    let free = 0;
    const { sessions, writeFault, checkWrites } = await temporaryStorage(t, {
      maxPages: 200,
      clock: createFakeClock(0),
      freeBytes: async () => free,
    });
    await sessions.open(sampleSession('a'));
    await assert.rejects(sessions.commit(sampleChange('a', 1, tooLarge)), { kind: 'full' });
    await sessions.open(sampleSession('b'));
    assert.equal(writeFault(), 'full', 'a session that was just opened is small');
    assert.equal(await checkWrites(), 'full');
    free = 8 * 1024 * 1024;
    assert.equal(await checkWrites(), null);
    assert.equal(writeFault(), null);
  });
});

describe('a locked database', () => {
  it('refuses changes while another program holds the lock, still reads, and goes on afterwards', async (t) => {
    const { sessions, directory } = await temporaryStorage(t, { lockTimeoutMs: 30 });
    await sessions.open(sampleSession('a'));
    const other = new DatabaseSync(join(directory, 'sessions.sqlite'));
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');

    const attempts = await Promise.allSettled([
      sessions.commit(sampleChange('a', 1, small)),
      sessions.open(sampleSession('b')),
    ]);
    for (const attempt of attempts) {
      assert.equal(attempt.status === 'rejected' && attempt.reason.kind, 'busy');
    }
    await holdsWhole(sessions, 'a', 0);
    assert.equal(await sessions.find('b'), undefined);

    other.exec('ROLLBACK');
    assert.deepEqual(await sessions.commit(sampleChange('a', 1, small)), { kind: 'committed' });
    await holdsWhole(sessions, 'a', 1);
  });
});

describe('a file that is damaged while it is in use', () => {
  it('answers with a clear failure, and no later change makes it whole', async (t) => {
    const directory = await storedSessions(t);
    const clock = createFakeClock(0);
    const { sessions, writeFault, close } = await openSqliteIn(directory, { clock });
    t.after(close);
    overwritePageOf(join(directory, 'sessions.sqlite'), 'result');
    assert.equal(writeFault(), null, 'nobody has met it yet');
    await assert.rejects(sessions.result('a'), { name: 'StorageFailure', kind: 'corrupt' });
    assert.equal(writeFault(), 'corrupt');
    await sessions.open(sampleSession('c'));
    await clock.advance(3_000);
    assert.equal(writeFault(), 'corrupt');
  });
});

/** Sessions with results, closed, so that all of it is in the one file. */
async function storedSessions(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  const { sessions, close } = await openSqliteIn(directory);
  for (const id of ['a', 'b']) {
    await sessions.open(sampleSession(id));
    await sessions.commit(sampleChange(id, 1, small));
  }
  await close();
  return directory;
}

/** A session and all that was written with its last revision are there, and nothing of a later one. */
async function holdsWhole(sessions: SessionStore, id: string, revision: number): Promise<void> {
  assert.equal((await sessions.find(id))?.revision, revision);
  assert.deepEqual(await sessions.result(id), revision === 0 ? undefined : small);
  assert.equal((await sessions.usedKey(id, `key-${revision}`))?.revision, revision || undefined);
  assert.equal(await sessions.usedKey(id, `key-${revision + 1}`), undefined);
}

const nxqs = (quotes: readonly { readonly nxq: string }[]) => quotes.map(({ nxq }) => nxq);

function integrityOf(directory: string): unknown {
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'));
  const outcome = database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  database.close();
  return outcome;
}
