import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { createReadCalendars, type SyncedBrand } from './read-calendars.ts';

test('calendars that take long to put give way to others, and those after a pause are left', async () => {
  let elapsed = 0;
  const clock = { ...createFakeClock(0), elapsed: () => elapsed };
  const stopped = new AbortController();
  const events: string[] = [];
  const properties = ['a', 'b', 'c', 'd'].map((id) => ({ id, reference: id }) as CatalogueEntry);
  const brand = {
    system: {
      calendars: async (references: readonly string[]) =>
        new Map(references.map((one) => [one, { kind: 'valid', value: emptyCalendar(0, 2) }])),
    },
    offer: {
      admitsStayRules: () => true,
      putCalendar(id: string) {
        events.push(id);
        elapsed += 11;
        if (id === 'a') setImmediate(() => events.push('others'));
        if (id === 'c') stopped.abort();
        return true;
      },
    },
    queue: { answered: () => undefined },
    store: { saveCalendars: async (saved: readonly unknown[]) => void events.push(`${saved.length} saved`) },
  } as unknown as SyncedBrand;
  const read = createReadCalendars({
    clock,
    horizonNights: 1,
    untilWritable: async () => {},
    observe: { storeFailed: assert.fail },
  });
  assert.equal(await read(brand, properties, stopped.signal), 3);
  assert.deepEqual(events, ['a', 'others', 'b', 'c', '3 saved']);
});
