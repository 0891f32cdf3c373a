import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import {
  openSqliteIn,
  temporaryDirectory,
  temporaryStorage,
} from '../../../test/support/temporary-storage.ts';
import { indexedHome } from '../../availability/inventory-store.ts';
import { migrate } from './database.ts';
import { openStoredDocuments } from './inventory-reads.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';

const home = (reference: string, summary: string) => sampleProperty({ brand: 'azul', reference, summary });

it('keeps a catalogue that does not fit on the disk in memory, until a later one is stored', async (t) => {
  const { inventory } = await temporaryStorage(t, { maxPages: 60 });
  const large = Array.from({ length: 100 }, (_, at) => home(String(at), 'x'.repeat(5000)));
  await assert.rejects(inventory.replaceCatalogue('azul', large), { kind: 'full' });
  assert.deepEqual(inventory.listings.get('azul:99'), large[99]);
  assert.deepEqual(inventory.listings.home('azul:99')?.home, indexedHome(large[99] ?? home('', '')));
  const small = home('99', 'A small one');
  await inventory.replaceCatalogue('azul', [small]);
  assert.deepEqual(inventory.listings.get('azul:99'), small);
  assert.equal(inventory.listings.get('azul:98'), undefined);
});

it('parses a listing again only once it has changed', async (t) => {
  const { inventory } = await temporaryStorage(t);
  await inventory.replaceCatalogue('azul', [home('1', 'first')]);
  const first = inventory.listings.get('azul:1');
  assert.equal(inventory.listings.get('azul:1'), first, 'the same object');
  await inventory.replaceCatalogue('azul', [home('1', 'first'), home('2', 'another')]);
  assert.equal(inventory.listings.get('azul:1'), first);
  await inventory.replaceCatalogue('azul', [home('1', 'second')]);
  assert.equal(inventory.listings.get('azul:1')?.summary, 'second');
  assert.equal(first?.summary, 'first');
});

it('has the listings after a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const before = await openSqliteIn(directory);
  await before.inventory.replaceCatalogue('azul', [home('1', 'first')]);
  await before.close();
  const after = await openSqliteIn(directory);
  t.after(() => after.close());
  assert.deepEqual(after.inventory.listings.get('azul:1'), home('1', 'first'));
});

it('a store of every earlier release can be read, and one that kept no documents has none', async (t) => {
  for (let release = 0; release <= INVENTORY_SCHEMA.migrations.length; release += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'staywire-documents-'));
    t.after(() => rmSync(directory, { recursive: true }));
    const database = new DatabaseSync(join(directory, 'inventory.sqlite'));
    migrate(database, { ...INVENTORY_SCHEMA, migrations: INVENTORY_SCHEMA.migrations.slice(0, release) });
    const keepsDocuments = release >= 3;
    if (keepsDocuments)
      database.exec("INSERT INTO document (name, content) VALUES ('casas/held_back', 'kept')");
    database.close();
    const documents = openStoredDocuments(directory);
    const found = await documents.document('casas/held_back');
    assert.equal(
      found && Buffer.from(found).toString(),
      keepsDocuments ? 'kept' : undefined,
      `release ${release}`,
    );
    await documents.close();
  }
});
