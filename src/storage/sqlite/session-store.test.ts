import assert from 'node:assert/strict';
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
import { usedNoncesContract } from '../../access/web-bot-auth/used-nonces.contract.ts';
import type { UsedNonces } from '../../access/web-bot-auth/used-nonces.ts';
import { bytesOfQuotes } from '../../sessions/quote-ledger.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';
import type { Storage } from '../storage.ts';
import { SESSION_FILE } from './storage.ts';

// With a cache of one session, nearly every read goes to the database.
describe('with a cache of one session', () => {
  sessionStoreModelContract({
    newStore: async (test) => (await temporaryStorage(test, { maxCachedSessions: 1 })).sessions,
  });
});

/** A second connection to the same file: the cache does not know what it changes. */
async function storeAndFile(test: TestContext) {
  const { sessions, directory } = await temporaryStorage(test);
  const database = new DatabaseSync(join(directory, SESSION_FILE));
  test.after(() => database.close());
  await sessions.open(sampleSession('s', 0));
  return { sessions, database };
}

it('corrects its cache by a conflict when another writer has changed the file', async (t) => {
  const { sessions, database } = await storeAndFile(t);
  const changed = { ...sampleSession('s', 7), assistant: 'another writer' };
  database.prepare(`UPDATE session SET revision = 7, state = ?`).run(JSON.stringify(changed));
  assert.equal((await sessions.find('s'))?.revision, 0, 'the case needs a stale cache');
  assert.deepEqual(await sessions.commit(sampleChange('s', 1, new Uint8Array(2))), { kind: 'conflict' });
  assert.deepEqual(await sessions.find('s'), changed);
});

it('stores the body of the call, even if the caller reuses its buffer before it is written', async (t) => {
  const { sessions } = await storeAndFile(t);
  const reused = new TextEncoder().encode('before');
  const committed = sessions.commit(sampleChange('s', 1, reused));
  reused.fill(0);
  await committed;
  assert.deepEqual(await sessions.result('s'), new TextEncoder().encode('before'));
});

it('stores a policy once, deletes it with its last quote, and no quote that is neither old nor surplus', async (t) => {
  const { sessions, database } = await storeAndFile(t);
  const change = sampleChange('s', 1, new Uint8Array(1));
  const [quote] = change.quotes;
  assert.ok(quote);
  const details = { guarantee: 'held', cancellation: 'Nothing is given back.' } as const;
  const quotes = [1, 2, 3].map((at) => ({ ...quote, nxq: `q${at}`, retrievedAt: at, details }));
  await sessions.commit({ ...change, quotes: quotes.slice(0, 2) });
  await sessions.commit({ ...sampleChange('s', 2, new Uint8Array(1)), quotes: quotes.slice(2) });
  const inLedger = () => ({
    ...database
      .prepare(
        'SELECT (SELECT count(*) FROM issued_quote) AS quotes, (SELECT count(*) FROM quote_policy) AS policies, sum(bytes) AS bytes FROM ledger_account',
      )
      .get(),
  });
  assert.deepEqual(inLedger(), { quotes: 3, policies: 1, bytes: bytesOfQuotes(quotes) });
  await sessions.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 1 });
  assert.deepEqual(inLedger(), { quotes: 2, policies: 1, bytes: bytesOfQuotes(quotes.slice(1)) });
  assert.throws(() => database.exec('DELETE FROM issued_quote'), /append-only/);
  assert.throws(() => database.exec('UPDATE issued_quote SET amount = 1'), /append-only/);
  await sessions.deleteQuotes({ now: 200, keptMs: 100, limit: 9 });
  assert.deepEqual(inLedger(), { quotes: 0, policies: 0, bytes: 0 });
});

it('counts what an assistant stores also after a restart and a failed change', async (t) => {
  const directory = temporaryDirectory(t);
  const quota = { sessions: 2, bytes: 60_000, totalBytes: 1e9, shareBytes: 1e9 };
  const before = await openSqliteIn(directory);
  await before.sessions.open(sampleSession('expired'));
  await before.sessions.deleteExpired({ bodiesBefore: 2_000, sessionsBefore: 0, limit: 9 });
  await before.sessions.open(sampleSession('s'));
  await before.sessions.commit(sampleChange('s', 1, new Uint8Array(50_000)));
  await before.close();
  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  const refused = [sessions.open(sampleSession('s'), quota), sessions.open(sampleSession('s'), quota)];
  for (const { status } of await Promise.allSettled(refused)) assert.equal(status, 'rejected');
  assert.deepEqual(await sessions.open(sampleSession('two'), quota), { kind: 'opened' });
  const over = { kind: 'over_quota', until: 1_000 };
  assert.deepEqual(await sessions.open(sampleSession('three'), quota), over);
  const larger = { ...quota, sessions: 9 };
  assert.deepEqual(await sessions.open(sampleSession('three'), larger), { kind: 'opened' });
  assert.equal((await sessions.open(sampleSession('four'), { ...larger, bytes: 50_000 })).kind, 'over_quota');
});

describe('nonces on the disk', () => {
  const SIGNER = 'https://agent.example';
  const noncesOf = ({ usedNonces }: Storage): UsedNonces => usedNonces ?? assert.fail();

  usedNoncesContract({
    ofMany: async (test, count) => {
      const clock = createFakeClock(0);
      const nonces = noncesOf(await temporaryStorage(test, { clock }));
      return { nonces: Array.from({ length: count }, () => nonces), pass: (ms) => clock.advance(ms) };
    },
  });

  it('are still used after a restart, for the rest of their time, and leave the disk then', async (test) => {
    const directory = temporaryDirectory(test);
    const before = createFakeClock(1_000_000);
    const first = await openSqliteIn(directory, { clock: before });
    await noncesOf(first).claim(SIGNER, 'short', 10_000);
    await noncesOf(first).claim(SIGNER, 'long', 600_000);
    await first.close();
    // Another process: its monotonic clock begins anew, the time of day goes on.
    const after = createFakeClock(1_030_000);
    const second = await openSqliteIn(directory, { clock: after });
    const claim = noncesOf(second).claim;
    assert.equal(await claim(SIGNER, 'long', 600_000), false);
    assert.equal(await claim(SIGNER, 'short', 10_000), true);
    await after.advance(580_000);
    assert.equal(await claim(SIGNER, 'long', 600_000), true);
    for (let turn = 0; turn < 50; turn += 1) {
      await claim(SIGNER, `nonce ${turn}`, 60_000);
      await after.advance(10_000);
    }
    await second.close();
    const database = new DatabaseSync(join(directory, SESSION_FILE), { readOnly: true });
    const stored = Number(database.prepare('SELECT count(*) AS count FROM used_nonce').get()?.count);
    database.close();
    assert.ok(stored <= 8, `${stored} are stored`);
  });

  it('count while nothing can be written', async (test) => {
    const { claim } = noncesOf(await temporaryStorage(test, { maxQueuedCalls: 0 }));
    assert.equal(await claim(SIGNER, 'a', 60_000), true);
    assert.equal(await claim(SIGNER, 'a', 60_000), false);
  });
});
