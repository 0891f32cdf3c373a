import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import { migrate } from './database.ts';
import { createInventoryTables, packCalendar, rowsInChunks, unpackCalendar } from './inventory-tables.ts';
import { INVENTORY_SCHEMA } from './schema.ts';

const home = (reference: string, summary: string) => sampleProperty({ brand: 'azul', reference, summary });

it('parses a listing again only after its brand was stored', async (t) => {
  const { inventory } = await temporaryStorage(t);
  await inventory.replaceCatalogue('azul', [home('1', 'first')]);
  const first = inventory.listings.get('azul:1');
  assert.equal(first?.summary, 'first');
  await inventory.replaceCatalogue('verde', []);
  assert.equal(inventory.listings.get('azul:1'), first, 'the same object');
  await inventory.replaceCatalogue('azul', [home('1', 'second')]);
  assert.equal(inventory.listings.get('azul:1')?.summary, 'second');
  await inventory.replaceCatalogue('azul', []);
  assert.equal(inventory.listings.get('azul:1'), undefined);
});

it('stores nothing of a catalogue that does not fit on the disk', async (t) => {
  const { inventory } = await temporaryStorage(t, { maxPages: 60 });
  await inventory.replaceCatalogue('azul', [home('1', 'A small one')]);
  const large = Array.from({ length: 100 }, (_, at) => home(String(at), 'x'.repeat(5000)));
  await assert.rejects(inventory.replaceCatalogue('azul', large), { kind: 'full' });
  assert.equal(inventory.listings.get('azul:1')?.summary, 'A small one');
  assert.equal(inventory.listings.get('azul:2'), undefined);
});

it('rejects a calendar whose columns differ in length, and takes the next', async (t) => {
  const { inventory } = await temporaryStorage(t);
  const calendar = { ...emptyCalendar(1, 5), price: new Uint32Array(4) };
  await assert.rejects(inventory.saveCalendars([{ property: 'azul:1', calendar, readAt: 7 }]), RangeError);
  await inventory.saveCalendars([{ property: 'azul:1', calendar: emptyCalendar(1, 5), readAt: 7 }]);
});

describe('a catalogue in chunks', () => {
  function inventory() {
    const database = new DatabaseSync(':memory:');
    migrate(database, INVENTORY_SCHEMA);
    const tables = createInventoryTables(database);
    const add = (...ids: readonly string[]) => {
      for (const rows of rowsInChunks(ids.map((id) => home(id, id)))) tables.addToCatalogue(rows);
    };
    const listed = () =>
      database
        .prepare('SELECT brand, id FROM property ORDER BY id')
        .all()
        .map(({ brand, id }) => `${brand} ${id}`);
    return { ...tables, add, listed };
  }

  it('is refused when some were lost, because the rest would remove listings', () => {
    const { beginCatalogue, add, replaceCatalogue, listed } = inventory();
    beginCatalogue();
    add('a', 'b');
    add('c');
    replaceCatalogue('azul', 3);
    add('c');
    assert.throws(() => replaceCatalogue('azul', 3), /lost/);
    assert.deepEqual(listed(), ['azul azul:a', 'azul azul:b', 'azul azul:c']);
  });

  it('has nothing of one that was never finished, and moves a listing to the brand that lists it last', () => {
    const { beginCatalogue, add, replaceCatalogue, listed } = inventory();
    beginCatalogue();
    add('a', 'b');
    for (const brand of ['azul', 'verde']) {
      beginCatalogue();
      add('c');
      replaceCatalogue(brand, 1);
    }
    assert.deepEqual(listed(), ['verde azul:c']);
  });
});

it('packs a calendar with its version, notices lost nights, and unpacks at any address', () => {
  const calendar = emptyCalendar(-5, 4);
  calendar.price.set([1, 2, 3, 4_294_967_295]);
  const packed = packCalendar(calendar);
  assert.deepEqual([packed[0], packed.length], [1, 12 + 4 * 11]);
  const shifted = new Uint8Array(1 + packed.length);
  shifted.set(packed, 1);
  assert.deepEqual(unpackCalendar(shifted.subarray(1)), calendar);
  assert.throws(() => unpackCalendar(packed.subarray(0, -1)), { kind: 'corrupt' });
  packed[0] = 2;
  assert.throws(() => unpackCalendar(packed), { kind: 'unknown_format' });
});
