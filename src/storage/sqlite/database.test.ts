import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { allStored } from '../../../test/support/all-stored.ts';
import { overwritePageOf, withDatabase } from '../../../test/support/damage-database.ts';
import { loadedHome } from '../../../test/support/loaded-home.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import { migrate, type Schema } from './database.ts';

const PROPERTY = sampleProperty({ brand: 'azul', reference: '1' });
const CALENDAR = emptyCalendar(1, 5);
const HOME = { property: PROPERTY.id, calendar: CALENDAR, readAt: 7 };

/** A closed store with a little of everything. */
async function storedIn(t: TestContext) {
  const directory = temporaryDirectory(t);
  const { inventory, owner, sessions, close } = await openSqliteIn(directory);
  await inventory.replaceCatalogue('azul', [PROPERTY]);
  await inventory.saveCalendars([HOME]);
  await owner.set('console_password', 'secret');
  await sessions.open(sampleSession('a'));
  await sessions.commit(sampleChange('a', 1, new Uint8Array(1_000)));
  await close();
  return { directory, fileOf: (name: string) => join(directory, `${name}.sqlite`) };
}

async function opened(t: TestContext, directory: string, options: Parameters<typeof openSqliteIn>[1] = {}) {
  const warnings: string[] = [];
  const storage = await openSqliteIn(directory, {
    ...options,
    report: (warning) => void warnings.push(warning),
  });
  t.after(storage.close);
  return { ...storage, warnings };
}

const DAMAGE: Readonly<Record<string, (file: string, table: string) => void>> = {
  'bytes that are no database': (file) => writeFileSync(file, 'not the bytes of a database. '.repeat(500)),
  'a lost page of a table': overwritePageOf,
  'a file that ends too early': (file) => writeFileSync(file, readFileSync(file).subarray(0, 5_000)),
  'a database of another program': (file) => {
    writeFileSync(file, '');
    withDatabase(file, (database) => database.exec('CREATE TABLE theirs (a)'));
  },
};

describe('a file that cannot be used', () => {
  for (const [damage, inflict] of Object.entries(DAMAGE)) {
    it(`is renamed and begun anew if the service can do without it: ${damage}`, async (t) => {
      const { directory, fileOf } = await storedIn(t);
      const before = ['inventory', 'activity'].map((name) => {
        inflict(fileOf(name), name === 'inventory' ? 'property_by_brand' : 'activity_count');
        writeFileSync(`${fileOf(name)}-wal`, 'a log of the pages that are gone');
        return readFileSync(fileOf(name));
      });
      const { inventory, owner, warnings } = await opened(t, directory);
      assert.match(
        warnings[0] ?? '',
        /inventory\.sqlite.*renamed to .*inventory\.sqlite\.damaged-1.*read again/,
      );
      assert.match(
        warnings[1] ?? '',
        /activity\.sqlite.*renamed to .*activity\.sqlite\.damaged-1\. .*password/,
      );
      for (const [at, name] of ['inventory', 'activity'].entries()) {
        assert.deepEqual(readFileSync(`${fileOf(name)}.damaged-1`), before[at]);
        assert.equal(statSync(fileOf(name)).mode & 0o777, 0o600);
      }
      assert.equal(await owner.get('console_password'), null);
      assert.deepEqual(await allStored(inventory), []);
      await inventory.replaceCatalogue('azul', [PROPERTY]);
      await inventory.saveCalendars([HOME]);
      assert.deepEqual(await allStored(inventory), [loadedHome(PROPERTY, CALENDAR, 7)]);
    });

    it(`stops the start and is left alone if it is the ledger: ${damage}`, async (t) => {
      const { directory, fileOf } = await storedIn(t);
      const file = fileOf('sessions');
      inflict(file, 'issued_quote');
      const before = readFileSync(file);
      await assert.rejects(openSqliteIn(directory), {
        name: 'StorageFailure',
        message: /sessions\.sqlite.*(Restore a copy of it, or move it away|is a database of another program)/,
      });
      assert.deepEqual(readFileSync(file), before);
    });
  }

  it('of a newer version stops the start and is left alone', async (t) => {
    for (const name of ['sessions', 'inventory', 'activity']) {
      const { directory, fileOf } = await storedIn(t);
      withDatabase(fileOf(name), (database) => database.exec('PRAGMA user_version = 99'));
      const before = readFileSync(fileOf(name));
      await assert.rejects(openSqliteIn(directory), {
        kind: 'unknown_format',
        message: new RegExp(`${name}\\.sqlite was written by a newer version of Staywire.*schema 99`),
      });
      assert.deepEqual(readFileSync(fileOf(name)), before);
    }
  });

  it('is kept twice at most, the newest as number 1', async (t) => {
    const { directory, fileOf } = await storedIn(t);
    for (const content of ['first', 'second', 'third']) {
      writeFileSync(fileOf('inventory'), content);
      await (await openSqliteIn(directory)).close();
    }
    assert.equal(readFileSync(`${fileOf('inventory')}.damaged-1`, 'utf8'), 'third');
    assert.equal(readFileSync(`${fileOf('inventory')}.damaged-2`, 'utf8'), 'second');
  });
});

describe('damage in a file that is too large to be checked at every start', () => {
  const UNCHECKED = { maxCheckedBytes: 0 };

  it('is reported when it is met, and the next start checks the whole file', async (t) => {
    const { directory, fileOf } = await storedIn(t);
    overwritePageOf(fileOf('inventory'), 'calendar_state');
    overwritePageOf(fileOf('activity'), 'activity_count');
    const first = await openSqliteIn(directory, UNCHECKED);
    assert.deepEqual(await allStored(first.inventory), []);
    await assert.rejects(first.activity.read({ measures: ['sessions'], from: 0, to: 1 }), {
      kind: 'corrupt',
    });
    await first.close();
    assert.ok(existsSync(`${fileOf('inventory')}.suspect`));
    const { inventory, owner, warnings } = await opened(t, directory, UNCHECKED);
    assert.equal(warnings.filter((warning) => warning.includes('renamed to')).length, 2);
    assert.ok(!existsSync(`${fileOf('inventory')}.suspect`));
    assert.deepEqual(await allStored(inventory), []);
    assert.equal(await owner.get('console_password'), null);
  });

  it('of a listing leaves out its home', async (t) => {
    const { directory, fileOf } = await storedIn(t);
    withDatabase(fileOf('inventory'), (database) =>
      database.exec(`UPDATE listing SET state = '{'; UPDATE property SET amenities = '{'`),
    );
    const { inventory, warnings } = await opened(t, directory);
    assert.equal(inventory.listings.get(PROPERTY.id), undefined);
    assert.equal(inventory.listings.home(PROPERTY.id), undefined);
    assert.deepEqual(await allStored(inventory), []);
    assert.equal(warnings.filter((warning) => /could not be read/.test(warning)).length, 3);
  });
});

it('leaves the old version when an upgrade fails', () => {
  const database = new DatabaseSync(':memory:');
  const schema: Schema = {
    applicationId: 7,
    version: 1,
    create: 'CREATE TABLE a (x INTEGER) STRICT',
    upgrade: () => undefined,
  };
  migrate(database, schema);
  const faulty = {
    ...schema,
    version: 2,
    upgrade: () => 'ALTER TABLE a ADD COLUMN y TEXT; CREATE TABLE a (z)',
  };
  assert.throws(() => migrate(database, faulty), /already exists/);
  assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, 1);
  assert.throws(() => database.prepare('SELECT y FROM a'), /no such column/);
});
