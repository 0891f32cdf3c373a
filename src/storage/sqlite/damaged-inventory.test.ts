import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { allStored } from '../../../test/support/all-stored.ts';
import { overwritePageOf, withDatabase } from '../../../test/support/damage-database.ts';
import { loadedHome } from '../../../test/support/loaded-home.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import { quarantine } from './open-database.ts';

const PROPERTY = sampleProperty({ brand: 'azul', reference: '1' });
const CALENDAR = emptyCalendar(1, 5);

async function storedInventory(t: TestContext) {
  const directory = temporaryDirectory(t);
  const { inventory, close } = await openSqliteIn(directory);
  await inventory.replaceCatalogue('azul', [PROPERTY]);
  await inventory.saveCalendars([{ property: PROPERTY.id, calendar: CALENDAR, readAt: 7 }]);
  await close();
  return { directory, file: join(directory, 'inventory.sqlite') };
}

const DAMAGE: Readonly<Record<string, (file: string) => void>> = {
  'bytes that are no database': (file) => writeFileSync(file, 'not the bytes of a database. '.repeat(500)),
  'a lost page of a table': (file) => overwritePageOf(file, 'property'),
  'a lost page of an index, which no reading would notice': (file) =>
    overwritePageOf(file, 'property_by_brand'),
  'a file that ends too early': (file) => writeFileSync(file, readFileSync(file).subarray(0, 5_000)),
  'a database of another program': (file) => {
    writeFileSync(file, '');
    withDatabase(file, (database) => database.exec('CREATE TABLE theirs (a)'));
  },
};

for (const [damage, inflict] of Object.entries(DAMAGE)) {
  it(`is set aside and built anew: ${damage}`, async (t) => {
    const { directory, file } = await storedInventory(t);
    inflict(file);
    writeFileSync(`${file}-wal`, 'a log of the pages that are gone');
    const bytes = readFileSync(file);
    const warnings: string[] = [];
    const { inventory, close } = await openSqliteIn(directory, {
      report: (warning) => warnings.push(warning),
    });
    t.after(close);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /inventory\.sqlite.*renamed to .*inventory\.sqlite\.damaged-1/);
    assert.deepEqual(readFileSync(`${file}.damaged-1`), bytes);
    assert.equal(statSync(`${file}.damaged-1`).mode & 0o777, 0o600);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(await allStored(inventory), []);
    await inventory.replaceCatalogue('azul', [PROPERTY]);
    await inventory.saveCalendars([{ property: PROPERTY.id, calendar: CALENDAR, readAt: 7 }]);
    assert.deepEqual(await allStored(inventory), [loadedHome(PROPERTY, CALENDAR, 7)]);
  });
}

it('is set aside at the start after damage was met, where it is too large to be checked at every start', async (t) => {
  const { directory, file } = await storedInventory(t);
  overwritePageOf(file, 'calendar_state');
  const warnings: string[] = [];
  const options = { maxCheckedBytes: 0, report: (warning: string) => void warnings.push(warning) };
  const first = await openSqliteIn(directory, options);
  assert.deepEqual(await allStored(first.inventory), []);
  await first.close();
  assert.match(warnings.splice(0).join(), /stored inventory could not be read/);
  assert.ok(existsSync(`${file}.suspect`));
  const second = await openSqliteIn(directory, options);
  t.after(second.close);
  assert.match(warnings.join(), /renamed to .*inventory\.sqlite\.damaged-1/);
  assert.ok(!existsSync(`${file}.suspect`));
  await second.inventory.replaceCatalogue('azul', [PROPERTY]);
  await second.inventory.saveCalendars([{ property: PROPERTY.id, calendar: CALENDAR, readAt: 7 }]);
  assert.deepEqual(await allStored(second.inventory), [loadedHome(PROPERTY, CALENDAR, 7)]);
});

it('is left alone when a newer version wrote it', async (t) => {
  const { directory, file } = await storedInventory(t);
  withDatabase(file, (database) => database.exec('PRAGMA user_version = 99'));
  const bytes = readFileSync(file);
  await assert.rejects(openSqliteIn(directory), {
    kind: 'unknown_format',
    message: /inventory\.sqlite.*newer/,
  });
  assert.deepEqual(readFileSync(file), bytes);
});

it('counts as empty when a row in it makes no sense, and says so', async (t) => {
  const { directory, file } = await storedInventory(t);
  withDatabase(file, (database) => database.exec(`UPDATE property SET amenities = '{'`));
  const warnings: string[] = [];
  const { inventory, close } = await openSqliteIn(directory, { report: (warning) => warnings.push(warning) });
  t.after(close);
  assert.deepEqual(await allStored(inventory), []);
  assert.match(warnings.join(), /stored inventory could not be read/);
});

it('says so when a listing makes no sense, and knows nothing of that home', async (t) => {
  const { directory, file } = await storedInventory(t);
  withDatabase(file, (database) =>
    database.exec(`UPDATE listing SET state = '{'; UPDATE property SET amenities = '{'`),
  );
  const warnings: string[] = [];
  const { inventory, close } = await openSqliteIn(directory, { report: (warning) => warnings.push(warning) });
  t.after(close);
  assert.equal(inventory.listings.get(PROPERTY.id), undefined);
  assert.equal(inventory.listings.home(PROPERTY.id), undefined);
  assert.equal(warnings.filter((warning) => /listing could not be read/.test(warning)).length, 2);
});

it('is kept twice at most, the newest as number 1', (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'inventory.sqlite');
  for (const content of ['first', 'second', 'third']) {
    writeFileSync(file, content);
    quarantine(file);
  }
  assert.equal(existsSync(file), false);
  assert.deepEqual(readdirSync(directory).toSorted(), [
    'inventory.sqlite.damaged-1',
    'inventory.sqlite.damaged-2',
  ]);
  assert.equal(readFileSync(`${file}.damaged-1`, 'utf8'), 'third');
  assert.equal(readFileSync(`${file}.damaged-2`, 'utf8'), 'second');
});
