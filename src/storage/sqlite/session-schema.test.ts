import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { bytesOfQuotes, QUOTE_BYTES } from '../../sessions/quote-ledger.ts';
import { migrate } from './database.ts';
import { openSqliteOwnerStore } from './owner-store.ts';
import { SESSION_SCHEMA } from './session-schema.ts';

/** The first version, typed out: what it wrote must be read whatever becomes of the code that wrote it. */
const FIRST_VERSION = `
  PRAGMA application_id = ${0x5374_7753};
  PRAGMA user_version = 1;
  CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    emptied INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX session_by_end ON session (expires_at);
  CREATE INDEX session_to_empty ON session (expires_at) WHERE emptied = 0;
  CREATE TABLE result (
    session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    body BLOB,
    answer_key TEXT,
    CHECK ((body IS NULL) <> (answer_key IS NULL))
  ) STRICT;
  CREATE TABLE answer (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (session, key)
  ) STRICT;
  CREATE TABLE opening (
    id TEXT PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    body BLOB NOT NULL,
    sealed_token BLOB NOT NULL
  ) STRICT;
  CREATE INDEX opening_by_session ON opening (session);
  CREATE TABLE issued_quote (
    number INTEGER PRIMARY KEY,
    nxq TEXT NOT NULL,
    session TEXT NOT NULL,
    assistant TEXT NOT NULL,
    brand TEXT NOT NULL,
    property TEXT NOT NULL,
    check_in TEXT NOT NULL,
    check_out TEXT NOT NULL,
    guests INTEGER NOT NULL,
    amount REAL NOT NULL,
    currency TEXT NOT NULL,
    retrieved_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX issued_quote_by_time ON issued_quote (retrieved_at);
  CREATE TRIGGER issued_quotes_stay BEFORE DELETE ON issued_quote
    BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
  CREATE TRIGGER issued_quotes_do_not_change BEFORE UPDATE ON issued_quote
    BEGIN SELECT RAISE(ABORT, 'the ledger of issued quotes is append-only'); END;
`;

const KEY_IN_CLEAR = 'a-key-that-the-first-version-stored';
const SEALED_TOKEN = 'a-token-that-the-first-version-encrypted';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const offers = [{ value: 'wifi', match_count: 1, of: 2 }];

/** `state` as the first version wrote it: no filters in the session, those of the result within the result. */
function stateOfFirstVersion(id: string, revision: number, result: object | null): string {
  const { amenities: _, ...state } = sampleSession(id, revision);
  return JSON.stringify({ ...state, assistant: 'Ωmega 助手 "\\\u0000\u2028\ud800', result });
}

function writeFirstVersion(directory: string): void {
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'));
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(FIRST_VERSION);
  const session = database.prepare(
    'INSERT INTO session (number, id, revision, expires_at, emptied, state) VALUES (?, ?, ?, 1000, ?, ?)',
  );
  const refined = { answersPayload: true, appliedAmenities: ['pool', 'sauna'], amenityOffers: offers };
  session.run(1, 'refined', 6, 0, stateOfFirstVersion('refined', 6, refined));
  const changed = { answersPayload: false, appliedAmenities: [], amenityOffers: [] };
  session.run(2, 'changed', 7, 0, stateOfFirstVersion('changed', 7, changed));
  session.run(3, 'fresh', 0, 0, stateOfFirstVersion('fresh', 0, null));
  session.run(4, 'emptied', 5, 1, stateOfFirstVersion('emptied', 5, { ...changed, answersPayload: true }));
  const answer = database.prepare('INSERT INTO answer VALUES (?, ?, ?, ?)');
  answer.run(1, KEY_IN_CLEAR, 'f', bytes('the result of refined'));
  for (let step = 0; step < 50; step += 1)
    answer.run(2, `${KEY_IN_CLEAR}-${step}`, 'f', new Uint8Array(5_000));
  const result = database.prepare('INSERT INTO result VALUES (?, ?, ?)');
  result.run(1, null, KEY_IN_CLEAR);
  result.run(2, bytes('the result of changed'), null);
  database
    .prepare('INSERT INTO opening VALUES (?, 1, ?, ?, ?)')
    .run('opening', 'f', bytes('{}'), bytes(SEALED_TOKEN));
  database.exec(
    `INSERT INTO issued_quote VALUES (1, 'nxq', 'refined', 'a', 'azul', 'azul:1', '2027-05-03', '2027-05-09', 2, 41250, 'EUR', 1, 1000)`,
  );
  database.close();
}

async function openedFirstVersion(t: TestContext) {
  const directory = temporaryDirectory(t);
  writeFirstVersion(directory);
  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  return { sessions, close, directory };
}

it('moves the filters of a result to its session, and keeps all else of it', async (t) => {
  const { sessions } = await openedFirstVersion(t);
  const assistant = 'Ωmega 助手 "\\\u0000\u2028\ud800';
  for (const [id, revision, amenities, result] of [
    ['refined', 6, ['pool', 'sauna'], { answersPayload: true, amenityOffers: offers }],
    ['changed', 7, [], { answersPayload: false, amenityOffers: [] }],
    ['fresh', 0, [], null],
    ['emptied', 5, [], { answersPayload: true, amenityOffers: [] }],
  ] as const) {
    const expected = { ...sampleSession(id, revision), assistant, amenities, result };
    assert.deepEqual(await sessions.find(id), expected);
  }
});

it('keeps results, also one whose bytes were those of an answer, and the ledger', async (t) => {
  const { sessions } = await openedFirstVersion(t);
  assert.deepEqual(await sessions.result('refined'), bytes('the result of refined'));
  assert.deepEqual(await sessions.result('changed'), bytes('the result of changed'));
  assert.equal(await sessions.result('fresh'), undefined);
  assert.equal(await sessions.result('emptied'), undefined);
  const [quote, ...others] = await sessions.issuedQuotes({ since: 0, limit: 9 });
  assert.deepEqual(others, []);
  assert.deepEqual([quote?.nxq, quote?.place, quote?.details], ['nxq', '', null]);
  const asked = { property: 'azul:1', checkIn: '2027-05-03', checkOut: '2027-05-09' };
  assert.deepEqual(await sessions.findQuotes(asked, 9), [quote]);
});

it('goes on with the live sessions, and deletes them when they have expired', async (t) => {
  const { sessions, directory } = await openedFirstVersion(t);
  const body = bytes('a new result');
  assert.deepEqual(await sessions.commit(sampleChange('refined', 7, body)), { kind: 'committed' });
  assert.deepEqual(await sessions.result('refined'), body);
  assert.deepEqual(await sessions.usedKey('refined', 'key-7'), { fingerprint: 'fingerprint', revision: 7 });
  assert.equal(await sessions.deleteExpired({ bodiesBefore: 2_000, sessionsBefore: 0, limit: 9 }), 3);
  assert.deepEqual(await sessions.commit(sampleChange('changed', 8, body)), { kind: 'committed' });
  assert.equal(await sessions.deleteExpired({ bodiesBefore: 2_000, sessionsBefore: 2_000, limit: 9 }), 4);

  const database = new DatabaseSync(join(directory, 'sessions.sqlite'), { readOnly: true });
  t.after(() => database.close());
  for (const table of ['session', 'result', 'used_key']) {
    assert.equal(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows, 0, table);
  }
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
});

it('leaves nothing of the keys, sealed tokens and answers that the first version stored, and gives their space back', async (t) => {
  const { close, directory } = await openedFirstVersion(t);
  await close();
  for (const name of readdirSync(directory)) {
    const content = readFileSync(join(directory, name));
    assert.ok(!content.includes(KEY_IN_CLEAR), `${name} holds a key`);
    assert.ok(!content.includes(SEALED_TOKEN), `${name} holds a sealed token`);
    assert.ok(content.length < 100_000, `${name} still has the size of its answers`);
  }
});

it('counts the quotes of an earlier release, and shows the policies that stand in their details', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'sessions.sqlite');
  const earlier = new DatabaseSync(file);
  earlier.exec('PRAGMA journal_mode = WAL');
  migrate(earlier, { ...SESSION_SCHEMA, migrations: SESSION_SCHEMA.migrations.slice(0, 7) });
  const details = { guarantee: 'held', cancellation: 'Nichts wird erstattet: früh nicht und spät nicht.' };
  const insert = earlier.prepare(
    `INSERT INTO issued_quote (nxq, session, assistant, brand, property, check_in, check_out, guests, amount, currency,
       retrieved_at, valid_until, place, details) VALUES (?, 's', ?, 'azul', 'azul:1', '2027-05-03', '2027-05-09', 2, 41250,
       'EUR', 1, 1000, 'calpe', ?)`,
  );
  insert.run('q1', 'one', JSON.stringify(details));
  insert.run('q2', 'two', null);
  earlier.close();
  const before = openSqliteOwnerStore(directory);
  assert.deepEqual((await before.ledger.findQuotes({ nxq: 'q1' }, 9))[0]?.details, details);
  await before.close();

  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  assert.deepEqual((await sessions.findQuotes({ nxq: 'q1' }, 9))[0]?.details, details);
  const database = new DatabaseSync(file, { readOnly: true });
  t.after(() => database.close());
  const accounts = () => database.prepare('SELECT assistant, bytes FROM ledger_account').all();
  const bytes = QUOTE_BYTES + Buffer.byteLength(JSON.stringify(details));
  assert.deepEqual(
    accounts().map((row) => ({ ...row })),
    [
      { assistant: 'one', bytes },
      { assistant: 'two', bytes: QUOTE_BYTES },
    ],
  );
  assert.equal(await sessions.deleteSurplus({ maxBytes: bytes, maxAssistantBytes: bytes, limit: 9 }), 1);
  assert.equal(await sessions.deleteQuotes({ now: 200, keptMs: 100, limit: 9 }), 1);
  assert.deepEqual(
    accounts().map((row) => row.bytes),
    [0, 0],
  );
});

it('stores a policy once, deletes it with its last quote, and no quote that is neither old nor surplus', async (t) => {
  const directory = temporaryDirectory(t);
  const { sessions, close } = await openSqliteIn(directory);
  t.after(close);
  await sessions.open(sampleSession('s', 0));
  const change = sampleChange('s', 1, bytes('a result'));
  const [quote] = change.quotes;
  assert.ok(quote);
  const details = { guarantee: 'held', cancellation: 'Nothing is given back.' } as const;
  const quotes = [1, 2, 3].map((at) => ({ ...quote, nxq: `q${at}`, retrievedAt: at, details }));
  await sessions.commit({ ...change, quotes });
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'));
  t.after(() => database.close());
  const inLedger = () =>
    database
      .prepare(
        'SELECT (SELECT count(*) FROM issued_quote) AS quotes, (SELECT count(*) FROM quote_policy) AS policies, sum(bytes) AS bytes FROM ledger_account',
      )
      .get();
  assert.deepEqual({ ...inLedger() }, { quotes: 3, policies: 1, bytes: bytesOfQuotes(quotes) });
  await sessions.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 1 });
  assert.deepEqual({ ...inLedger() }, { quotes: 2, policies: 1, bytes: bytesOfQuotes(quotes.slice(1)) });
  assert.throws(() => database.exec('DELETE FROM issued_quote'), /append-only/);
  await sessions.deleteQuotes({ now: 200, keptMs: 100, limit: 9 });
  assert.deepEqual({ ...inLedger() }, { quotes: 0, policies: 0, bytes: 0 });
});
