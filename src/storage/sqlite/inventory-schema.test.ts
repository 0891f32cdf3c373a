import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { migrate } from './migrations.ts';

test('a rate card that an earlier release stored is found under its new name', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, { ...INVENTORY_SCHEMA, migrations: INVENTORY_SCHEMA.migrations.slice(0, 2) });
  database.exec(`INSERT INTO rate_card (brand, json) VALUES ('azul', '{"properties":[]}')`);
  migrate(database, INVENTORY_SCHEMA);
  assert.deepEqual(
    database
      .prepare('SELECT name, content FROM document')
      .all()
      .map((row) => ({ ...row })),
    [{ name: 'azul/rate_card', content: '{"properties":[]}' }],
  );
});
