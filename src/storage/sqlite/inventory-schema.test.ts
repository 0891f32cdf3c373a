import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { indexedHome } from '../../availability/inventory-store.ts';
import { listingDigest } from '../../catalogue/catalogue.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { migrate } from './database.ts';
import { homeIn } from './inventory-rows.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';

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

test('of a calendar that an earlier release stored, neither the time of its reading nor its state is known', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, { ...INVENTORY_SCHEMA, migrations: INVENTORY_SCHEMA.migrations.slice(0, 3) });
  database.exec(`
    INSERT INTO property (number, id, brand, state) VALUES (1, 'azul:1', 'azul', '{}');
    INSERT INTO calendar (property, columns) VALUES (1, x'00');
  `);
  migrate(database, INVENTORY_SCHEMA);
  assert.deepEqual(
    { ...database.prepare('SELECT property, read_at, digest FROM calendar').get() },
    { property: 1, read_at: 0, digest: 0 },
  );
});

test('listings that an earlier release stored keep their texts, and what the index needs of them is in columns', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, { ...INVENTORY_SCHEMA, migrations: INVENTORY_SCHEMA.migrations.slice(0, 4) });
  const villa = sampleProperty({ brand: 'azul', reference: 'villa "1"', leadDays: 2, cut: ['name'] });
  const silent = sampleProperty({ brand: 'azul', reference: '2', amenities: null });
  const insert = database.prepare('INSERT INTO property (number, id, brand, state) VALUES (?, ?, ?, ?)');
  for (const [at, property] of [villa, silent].entries()) {
    insert.run(at + 1, property.id, property.brand, JSON.stringify(property));
  }
  insert.run(3, 'azul:3', 'azul', '{"id":');
  database.exec(`INSERT INTO calendar (property, columns, read_at) VALUES (1, x'00', 7)`);
  migrate(database, INVENTORY_SCHEMA);
  const rows = database
    .prepare('SELECT * FROM property JOIN listing ON property = number ORDER BY number')
    .all();
  assert.equal(rows.length, 2, 'what cannot be read is left out');
  for (const [at, property] of [villa, silent].entries()) {
    const row = rows[at] ?? {};
    assert.deepEqual(homeIn(row), indexedHome(property));
    assert.deepEqual(JSON.parse(String(row.state)), property);
    assert.equal(row.reference, property.reference);
    assert.equal(row.weight, weightOf(property));
    assert.equal(row.digest, listingDigest(property));
  }
  assert.equal(database.prepare('SELECT count(*) AS kept FROM calendar').get()?.kept, 1);
});
