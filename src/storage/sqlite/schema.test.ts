import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { allStored } from '../../../test/support/all-stored.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { QUOTE_BYTES } from '../../sessions/quote-ledger.ts';
import { ACTIVITY_SCHEMA, INVENTORY_SCHEMA, SESSION_SCHEMA } from './schema.ts';

const SECRETS = ['a-key-that-0.1.0-stored', 'a-token-that-0.1.0-encrypted'] as const;

/** The files of 0.1.0, typed out: the ledger in them must be read whatever becomes of the code that wrote it. */
const FIRST_SESSIONS = `
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = ${SESSION_SCHEMA.applicationId};
  PRAGMA user_version = 1;
  CREATE TABLE session (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, emptied INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL) STRICT;
  CREATE INDEX session_by_end ON session (expires_at);
  CREATE INDEX session_to_empty ON session (expires_at) WHERE emptied = 0;
  CREATE TABLE result (session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE, body BLOB, answer_key TEXT) STRICT;
  CREATE TABLE answer (session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE, key TEXT NOT NULL,
    fingerprint TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (session, key)) STRICT;
  CREATE TABLE opening (id TEXT PRIMARY KEY, session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    fingerprint TEXT NOT NULL, body BLOB NOT NULL, sealed_token BLOB NOT NULL) STRICT;
  CREATE INDEX opening_by_session ON opening (session);
  CREATE TABLE issued_quote (number INTEGER PRIMARY KEY, nxq TEXT NOT NULL, session TEXT NOT NULL, assistant TEXT NOT NULL,
    brand TEXT NOT NULL, property TEXT NOT NULL, check_in TEXT NOT NULL, check_out TEXT NOT NULL, guests INTEGER NOT NULL,
    amount REAL NOT NULL, currency TEXT NOT NULL, retrieved_at INTEGER NOT NULL, valid_until INTEGER NOT NULL) STRICT;
  CREATE INDEX issued_quote_by_time ON issued_quote (retrieved_at);
  CREATE TRIGGER issued_quotes_stay BEFORE DELETE ON issued_quote BEGIN SELECT RAISE(ABORT, 'append-only'); END;
  CREATE TRIGGER issued_quotes_do_not_change BEFORE UPDATE ON issued_quote BEGIN SELECT RAISE(ABORT, 'append-only'); END;
  INSERT INTO session VALUES (1, 's', 6, 1000, 0, '{}');
  INSERT INTO answer VALUES (1, '${SECRETS[0]}', 'f', zeroblob(200000));
  INSERT INTO opening VALUES ('opening', 1, 'f', x'', CAST('${SECRETS[1]}' AS BLOB));
  INSERT INTO issued_quote VALUES (1, 'nxq', 's', 'a', 'azul', 'azul:1', '2027-05-03', '2027-05-09', 2, 41250, 'EUR', 1, 1000);
`;
const FIRST_INVENTORY = `
  PRAGMA application_id = ${INVENTORY_SCHEMA.applicationId};
  PRAGMA user_version = 1;
  CREATE TABLE property (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, brand TEXT NOT NULL, state TEXT NOT NULL) STRICT;
  CREATE INDEX property_by_brand ON property (brand);
  CREATE TABLE calendar (property INTEGER PRIMARY KEY REFERENCES property ON DELETE CASCADE, columns BLOB NOT NULL) STRICT;
  CREATE TABLE rate_card (brand TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  INSERT INTO property VALUES (1, 'azul:1', 'azul', '{}');
  INSERT INTO calendar VALUES (1, x'00');
`;

function write(directory: string, name: string, sql: string): void {
  const database = new DatabaseSync(join(directory, `${name}.sqlite`));
  database.exec(sql);
  database.close();
}

it('keeps the ledger of 0.1.0 and works with its files, without the keys and tokens in them', async (t) => {
  const directory = temporaryDirectory(t);
  write(directory, 'sessions', FIRST_SESSIONS);
  write(directory, 'inventory', FIRST_INVENTORY);
  const { sessions, inventory, close } = await openSqliteIn(directory);
  const asked = { property: 'azul:1', checkIn: '2027-05-03', checkOut: '2027-05-09' };
  const [quote, ...others] = await sessions.findQuotes(asked, 9);
  assert.deepEqual(others, []);
  assert.deepEqual([quote?.nxq, quote?.amount, quote?.place, quote?.details], ['nxq', 41250, '', null]);
  assert.equal(await sessions.find('s'), undefined);
  await sessions.open(sampleSession('s'));
  assert.deepEqual(await allStored(inventory), []);
  await inventory.replaceCatalogue('azul', [sampleProperty({ brand: 'azul', reference: '1' })]);
  await inventory.saveLearned('azul', '{}');
  await close();
  for (const name of readdirSync(directory)) {
    const content = readFileSync(join(directory, name));
    for (const secret of SECRETS) assert.ok(!content.includes(secret), `${name} holds ${secret}`);
    assert.ok(content.length < 200_000, `${name} still has the size of its answers`);
  }
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'));
  const account = database.prepare('SELECT assistant, bytes FROM ledger_account').get();
  assert.deepEqual({ ...account }, { assistant: 'a', bytes: QUOTE_BYTES });
  assert.throws(() => database.exec('DELETE FROM issued_quote'), /append-only/);
  database.close();
});

it('adds to the controls of a first activity.sqlite what came later, and refuses other versions', async (t) => {
  const directory = temporaryDirectory(t);
  const before = await openSqliteIn(directory);
  await before.controls.setPaused('azul', true, 7);
  await before.close();
  write(
    directory,
    'activity',
    'ALTER TABLE brand_control DROP COLUMN confirmed_losses; PRAGMA user_version = 1',
  );
  const { controls, close } = await openSqliteIn(directory);
  const [control] = await controls.all();
  assert.equal(control?.pausedAt, 7);
  await close();
  assert.equal(ACTIVITY_SCHEMA.upgrade(0), undefined);
  write(directory, 'sessions', 'PRAGMA user_version = 3');
  await assert.rejects(openSqliteIn(directory), { kind: 'unknown_format', message: /between releases/ });
});
