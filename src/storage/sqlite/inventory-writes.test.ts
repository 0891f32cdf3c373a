import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { migrate } from './database.ts';
import { rowOf } from './inventory-rows.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { createInventoryWrites, type InventoryWrite } from './inventory-writes.ts';

function inventory() {
  const database = new DatabaseSync(':memory:');
  migrate(database, INVENTORY_SCHEMA);
  const apply = createInventoryWrites(database);
  return {
    write: (...writes: readonly InventoryWrite[]) => writes.map(apply),
    listed: () =>
      database
        .prepare('SELECT brand, id FROM property ORDER BY id')
        .all()
        .map(({ brand, id }) => `${brand} ${id}`),
  };
}

const begin = { kind: 'begin_catalogue' } as const;
const add = (...ids: readonly string[]): InventoryWrite => ({
  kind: 'add_to_catalogue',
  properties: ids.map((id) => ({ ...rowOf(sampleProperty({ brand: '', reference: id })), id })),
});
const replace = (brand: string, properties: number): InventoryWrite => ({
  kind: 'replace_catalogue',
  brand,
  properties,
});

it('refuses a catalogue that lost chunks, because the rest would remove listings', () => {
  const { write, listed } = inventory();
  write(begin, add('a', 'b'), add('c'), replace('azul', 3));
  assert.throws(() => write(add('c'), replace('azul', 3)), /lost/);
  assert.deepEqual(listed(), ['azul a', 'azul b', 'azul c']);
});

it('drops the chunks of a catalogue that was never finished', () => {
  const { write, listed } = inventory();
  write(begin, add('a', 'b'));
  write(begin, add('c'), replace('azul', 1));
  assert.deepEqual(listed(), ['azul c']);
});

it('moves a listing to the brand that lists it last', () => {
  const { write, listed } = inventory();
  write(begin, add('a'), replace('azul', 1));
  write(begin, add('a'), replace('verde', 1));
  assert.deepEqual(listed(), ['verde a']);
});
