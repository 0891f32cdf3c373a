import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDatabase } from '../../../test/support/temporary-database.ts';
import { registrySourceContract } from '../../access/registry/registry-source.contract.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { openPostgresRegistry } from './shared-documents.ts';

registrySourceContract('PostgreSQL', async (t) => {
  const database = await temporaryDatabase(t);
  if (!database) return undefined;
  const open = () => {
    const source = openPostgresRegistry({ url: database.url });
    t.after(() => source.close());
    return source;
  };
  return [open(), open()];
});

describe('a registry in PostgreSQL', () => {
  it('is not sent again while it is the same', async (t) => {
    const database = await temporaryDatabase(t);
    if (!database) return;
    const source = openPostgresRegistry({ url: database.url });
    t.after(() => source.close());
    await source.replace(null, 'kept');
    await source.read();
    // Only somebody who reads the content again sees this.
    await database.pool.query(`UPDATE assistant_registry SET content = 'not read'`);
    assert.equal((await source.read())?.text, 'kept');
  });

  it('rejects while PostgreSQL is down, each time it is asked', async (t) => {
    const database = await temporaryDatabase(t);
    if (!database) return;
    const away = new URL(database.url);
    away.port = '1';
    const source = openPostgresRegistry({ url: away.href });
    t.after(() => source.close());
    for (const attempt of [1, 2]) {
      await assert.rejects(
        source.read(),
        (failure) => failure instanceof StorageFailure && failure.kind === 'unreachable',
        `attempt ${attempt}`,
      );
    }
  });
});
