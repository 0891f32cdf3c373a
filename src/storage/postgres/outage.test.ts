import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { allStored } from '../../../test/support/all-stored.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { temporaryInventory } from '../../../test/support/temporary-inventory.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { ownPostgres } from '../../../test/support/throwaway-postgres.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';

const HOME = sampleProperty({ brand: 'azul', reference: '1' });
const UNREACHABLE = { name: 'StorageFailure', kind: 'unreachable' };

describe('an inventory whose PostgreSQL is down', () => {
  it('is read from the copy, and written again as soon as it is back', { timeout: 60_000 }, async (t) => {
    const server = await ownPostgres();
    if ('missing' in server) return t.skip(`NOT TESTED: PostgreSQL that is down: ${server.missing}.`);
    t.after(() => server.stop());
    const reports: string[] = [];
    const schema = 'staywire';
    const one = await temporaryInventory(t, server, { schema, report: (text) => reports.push(text) });
    const another = await temporaryInventory(t, server, { schema, node: 'another' });
    assert.deepEqual(await allStored(one.store), []);
    await one.store.replaceCatalogue('azul', [HOME]);
    await one.store.saveCalendars([{ property: HOME.id, calendar: emptyCalendar(20_000, 3), readAt: 1 }]);
    await one.store.saveDocument('card', new TextEncoder().encode('a card'));
    await one.store.saveLearned('azul', '[1]');
    const offered: string[] = [];
    const followed = one.changes.follow(async ({ homes }) => {
      offered.push(...homes.map(({ id }) => id));
    });
    t.after(() => followed.stop());
    await followed.caughtUp();

    server.crash();
    assert.equal((await allStored(one.store)).length, 1, 'a start loads what it has');
    assert.equal(one.store.listings.get(HOME.id)?.name, HOME.name);
    assert.deepEqual(await one.store.document('card'), new TextEncoder().encode('a card'));
    assert.equal(await one.store.learned('azul'), '[1]');
    await assert.rejects(one.store.replaceCatalogue('azul', [{ ...HOME, name: 'Renamed' }]), UNREACHABLE);
    assert.equal(one.store.listings.get(HOME.id)?.name, HOME.name);
    await assert.rejects(followed.caughtUp(), UNREACHABLE);
    const empty = temporaryInventory(t, server, { schema, directory: temporaryDirectory(t) });
    await assert.rejects(empty, UNREACHABLE, 'a node that has nothing does not pretend');

    server.start();
    await another.store.replaceCatalogue('azul', [{ ...HOME, name: 'Renamed elsewhere' }]);
    for (let waited = 0; !offered.includes(HOME.id); waited += 10) {
      assert.ok(waited < 30_000, 'it follows again by itself');
      await delay(10);
    }
    assert.equal(one.store.listings.get(HOME.id)?.name, 'Renamed elsewhere');
    assert.match(reports.join(), /may be out of date/);
  });
});
