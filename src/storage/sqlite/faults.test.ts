import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import {
  openSqliteIn,
  temporaryDirectory,
  temporaryStorage,
} from '../../../test/support/temporary-storage.ts';
import type { SessionStore } from '../../sessions/session-store.ts';
import { SESSION_SCHEMA } from './session-schema.ts';

const small = new Uint8Array(1_000).fill(7);
const tooLarge = new Uint8Array(2_000_000);

describe('a full disk', () => {
  it('refuses what has no room, keeps its neighbours, and takes it when there is room again', async (t) => {
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

  it('is told until the folder has room for more than the smallest change', async (t) => {
    const clock = createFakeClock(0);
    let free = 0;
    const { sessions, writeFault } = await temporaryStorage(t, {
      maxPages: 200,
      clock,
      freeBytes: async () => free,
    });
    await sessions.open(sampleSession('a'));
    await assert.rejects(sessions.commit(sampleChange('a', 1, tooLarge)), { kind: 'full' });
    const ask = async () => {
      await clock.advance(3_000);
      writeFault();
      await clock.settle();
      // Goes after the probe, if there is one.
      await sessions.deleteExpired({ bodiesBefore: 0, sessionsBefore: 0, limit: 1 });
      return writeFault();
    };
    assert.equal(await ask(), 'full');
    await sessions.open(sampleSession('b'));
    assert.equal(await ask(), 'full', 'a session that was just opened is small');
    free = 8 * 1024 * 1024;
    assert.equal(await ask(), null);
  });
});

describe('a disk that has room again', () => {
  it('is told to all who ask at once, whenever it was looked at last', async (t) => {
    let free = 0;
    const { sessions, checkWrites } = await temporaryStorage(t, {
      maxPages: 200,
      clock: createFakeClock(0),
      freeBytes: async () => free,
    });
    await sessions.open(sampleSession('a'));
    await assert.rejects(sessions.commit(sampleChange('a', 1, tooLarge)), { kind: 'full' });
    const ask = () => Promise.all([checkWrites(), checkWrites(), checkWrites()]);
    assert.deepEqual(await ask(), ['full', 'full', 'full']);
    free = 8 * 1024 * 1024;
    assert.deepEqual(await ask(), [null, null, null]);
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

  it('waits for a lock that is let go in time', async (t) => {
    const { sessions, directory } = await temporaryStorage(t, { lockTimeoutMs: 10_000 });
    const other = new DatabaseSync(join(directory, 'sessions.sqlite'));
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const opening = sessions.open(sampleSession('a'));
    // The event loop is free while the writer waits, so this comes to pass.
    setTimeout(() => other.exec('ROLLBACK'), 50);
    await opening;
    assert.ok(await sessions.find('a'));
  });
});

describe('a change that breaks a rule', () => {
  it('is refused alone', async (t) => {
    const { sessions } = await temporaryStorage(t);
    const outcomes = await Promise.allSettled([
      sessions.open(sampleSession('a')),
      sessions.open(sampleSession('a')),
      sessions.open({ ...sampleSession('b'), expiresAt: Number.NaN }),
      sessions.open(sampleSession('c')),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'opened' : outcome.reason.kind)),
      ['opened', 'refused', 'refused', 'opened'],
    );
    assert.ok(await sessions.find('a'));
    assert.equal(await sessions.find('b'), undefined);
    assert.ok(await sessions.find('c'));
  });
});

describe('a file that cannot be used', () => {
  it('from a newer version is refused and left alone', async (t) => {
    const directory = temporaryDirectory(t);
    await (await openSqliteIn(directory)).close();
    const file = join(directory, 'sessions.sqlite');
    runSql(file, 'PRAGMA user_version = 99');
    const before = readFileSync(file);
    await assert.rejects(openSqliteIn(directory), {
      kind: 'unknown_format',
      message: /sessions\.sqlite was written by a newer version of Staywire \(schema 99; .* up to \d+\)/,
    });
    assert.deepEqual(readFileSync(file), before);
    runSql(file, `PRAGMA user_version = ${SESSION_SCHEMA.migrations.length}`);
    await (await openSqliteIn(directory)).close();
  });

  it('of another program is refused and left alone', async (t) => {
    const directory = temporaryDirectory(t);
    const file = join(directory, 'sessions.sqlite');
    runSql(file, 'CREATE TABLE theirs (a)');
    const before = readFileSync(file);
    await assert.rejects(openSqliteIn(directory), {
      kind: 'foreign',
      message: /sessions\.sqlite is a database of another program/,
    });
    assert.deepEqual(readFileSync(file), before);
  });

  it('that is not a database is refused and left alone', async (t) => {
    const directory = temporaryDirectory(t);
    const file = join(directory, 'sessions.sqlite');
    writeFileSync(file, 'these are not the bytes of a database. '.repeat(200));
    await assert.rejects(openSqliteIn(directory), {
      kind: 'corrupt',
      message: /sessions\.sqlite: The database is damaged.*Restore a copy of it, or move it away/,
    });
    assert.match(readFileSync(file, 'utf8'), /^these are not/);
  });

  for (const table of ['session', 'result', 'issued_quote', 'session_by_end']) {
    it(`that lost a page of ${table} is refused and left alone`, async (t) => {
      const directory = await storedSessions(t);
      const file = join(directory, 'sessions.sqlite');
      losePageOf(file, table);
      const before = readFileSync(file);
      await assert.rejects(openSqliteIn(directory), {
        kind: 'corrupt',
        message: /sessions\.sqlite: The database is damaged.*Restore a copy of it, or move it away/,
      });
      assert.deepEqual(readFileSync(file), before);
    });
  }

  it('that is too large to be checked starts, and the damage is told when it is met', async (t) => {
    const directory = await storedSessions(t);
    losePageOf(join(directory, 'sessions.sqlite'), 'result');
    const { sessions, writeFault, close } = await openSqliteIn(directory, { maxCheckedBytes: 8_192 });
    t.after(close);
    assert.equal(writeFault(), null);
    await assert.rejects(sessions.result('a'), { name: 'StorageFailure', kind: 'corrupt' });
    assert.equal(writeFault(), 'corrupt');
  });
});

describe('a file that is damaged while it is in use', () => {
  it('answers with a clear failure, and no later change makes it whole', async (t) => {
    const directory = await storedSessions(t);
    const clock = createFakeClock(0);
    const { sessions, writeFault, close } = await openSqliteIn(directory, { clock });
    t.after(close);
    losePageOf(join(directory, 'sessions.sqlite'), 'result');
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

function losePageOf(file: string, name: string): void {
  // Read only, so that a database in use is not changed beside the page.
  const database = new DatabaseSync(file, { readOnly: true });
  const find = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  const page = Number(database.prepare(find).get(name)?.rootpage);
  database.close();
  assert.ok(page > 1, name);
  writeFileSync(file, readFileSync(file).fill(0xee, (page - 1) * 4096, page * 4096));
}

function runSql(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
