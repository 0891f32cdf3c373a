import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sampleChange, sampleSession } from '../../test/support/sample-session.ts';
import { openSqliteIn, temporaryDirectory, temporaryStorage } from '../../test/support/temporary-storage.ts';
import { temporaryPool, throwawayPostgres } from '../../test/support/throwaway-postgres.ts';
import { sampleCount } from '../analytics/activity-store.contract.ts';
import { sampleOutcome } from '../analytics/bookings/booking-outcomes.contract.ts';
import { openPostgresOwnerStore } from './postgres/owner-store.ts';
import { openOwnerStore } from './stores.ts';

const ALL = { measures: ['sessions'], from: 0, to: 100 } as const;

async function beside(t: TestContext, dataDirectory: string) {
  const opened = await openOwnerStore({ store: 'sqlite', dataDirectory, postgresUrl: null });
  t.after(() => opened.close());
  return opened;
}

describe('what a command opens', () => {
  it('reads and writes beside a service that runs on the folder', async (t) => {
    const service = await temporaryStorage(t);
    await service.sessions.open(sampleSession('s'));
    await service.sessions.commit(sampleChange('s', 1, new Uint8Array(1)));
    await service.activity.add({ id: 'a', at: 1, counts: [sampleCount('sessions', 10)] });
    const command = await beside(t, service.directory);
    assert.equal((await command.activity.read(ALL)).length, 1);
    assert.equal((await command.ledger.findQuotes({ nxq: 's-1' }, 9))[0]?.session, 's');
    await command.owner.set('console_password', 'set beside');
    await command.outcomes.put([sampleOutcome('1', { nxq: 's-1' })]);
    assert.equal(await service.owner.get('console_password'), 'set beside');
    assert.equal((await service.outcomes.ofQuote({ nxq: 's-1', brand: 'azul' }, 5)).length, 1);
    await service.controls.setPaused('azul', true, 7);
    assert.equal((await command.controls.all())[0]?.pausedAt, 7);
    await Promise.all(
      [service, command].flatMap(({ activity }, index) =>
        Array.from({ length: 20 }, (_, at) =>
          activity.add({ id: `${index} ${at}`, at: 1, counts: [sampleCount('sessions', 10)] }),
        ),
      ),
    );
    assert.equal((await command.activity.read(ALL))[0]?.count, 41);
  });

  it('says that there is nothing yet where there is no folder, and makes none by reading', async (t) => {
    const folder = join(temporaryDirectory(t), 'data');
    const command = await beside(t, folder);
    const nothing = { name: 'StorageFailure', message: /There is no data of a service in .*data/ };
    await assert.rejects(command.activity.span(), nothing);
    await assert.rejects(command.outcomes.put([sampleOutcome('1')]), nothing);
    await assert.rejects(command.outcomes.ofQuote({ nxq: 'nxq', brand: 'azul' }, 5), nothing);
    await assert.rejects(command.ledger.findQuotes({ nxq: 'nxq' }, 1), nothing);
    assert.equal(await command.owner.get('console_password'), null);
    assert.ok(!existsSync(folder));
  });

  it('sets a password before the first start, for the owner of the folder alone', async (t) => {
    const folder = join(temporaryDirectory(t), 'data');
    const command = await beside(t, folder);
    assert.equal(await command.owner.get('console_password'), null);
    await command.owner.set('console_password', 'first');
    assert.equal(await command.owner.get('console_password'), 'first');
    assert.equal(statSync(join(folder, 'activity.sqlite')).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const service = await openSqliteIn(folder);
    t.after(() => service.close());
    assert.equal(await service.owner.get('console_password'), 'first');
  });

  it('leaves a damaged file to the service, and says so', async (t) => {
    const folder = temporaryDirectory(t);
    writeFileSync(join(folder, 'activity.sqlite'), 'no database '.repeat(1_000));
    const command = await beside(t, folder);
    await assert.rejects(command.activity.span(), { name: 'StorageFailure', kind: 'corrupt' });
    assert.ok(!existsSync(join(folder, 'activity.sqlite.damaged-1')));
  });

  it('is PostgreSQL where nodes share it', async (t) => {
    const pool = await temporaryPool(t);
    const server = await throwawayPostgres();
    if (!pool || 'missing' in server) return;
    const [one, other] = await Promise.all(
      ['one', 'other'].map(() => openPostgresOwnerStore({ url: server.url, schema: pool.schema })),
    );
    assert.ok(one && other);
    await one.owner.set('console_password', 'shared');
    assert.equal(await other.owner.get('console_password'), 'shared');
    assert.deepEqual(await other.ledger.findQuotes({ nxq: 'none' }, 9), []);
    await Promise.all([one.close(), other.close()]);
  });
});
