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

test('of a calendar that an earlier release stored, the time of its reading is not known', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, { ...INVENTORY_SCHEMA, migrations: INVENTORY_SCHEMA.migrations.slice(0, 3) });
  database.exec(`
    INSERT INTO property (number, id, brand, state) VALUES (1, 'azul:1', 'azul', '{}');
    INSERT INTO calendar (property, columns) VALUES (1, x'00');
  `);
  migrate(database, INVENTORY_SCHEMA);
  assert.deepEqual(
    { ...database.prepare('SELECT property, read_at FROM calendar').get() },
    { property: 1, read_at: 0 },
  );
});
