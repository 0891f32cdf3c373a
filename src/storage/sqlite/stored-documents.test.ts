import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { migrate } from './migrate.ts';
import { openStoredDocuments } from './stored-documents.ts';

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
