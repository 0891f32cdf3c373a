import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { createCommandStage } from '../support/command-stage.ts';
import { temporaryDatabase } from '../support/temporary-database.ts';
import { openSqliteIn } from '../support/temporary-storage.ts';

it('staywire migrate-store needs no network file, and ends with 2 where it cannot run', async (t) => {
  const database = await temporaryDatabase(t);
  if (!database) return;
  const stage = createCommandStage(t);
  const command = ['migrate-store', '--from', 'sqlite', '--to', 'postgres'];
  const service = await openSqliteIn(join(stage.directory, 'data'));
  const env = { STAYWIRE_POSTGRES_URL: database.url, STAYWIRE_DATA_DIR: 'data' };
  const refused = async (fault: RegExp, changed: Readonly<Record<string, string>> = {}) => {
    const { code, notes } = await stage.run(command, { env: { ...env, ...changed } });
    assert.equal(code, 2, notes);
    assert.match(notes.replace(/\s+/g, ' '), fault);
    assert.doesNotMatch(notes, new RegExp(database.password));
  };
  await refused(/The service is running on/);
  await service.close();
  const away = new URL(database.url);
  away.port = '1';
  await refused(/once PostgreSQL answers, run this again/, { STAYWIRE_POSTGRES_URL: away.href });
  await refused(/STAYWIRE_POSTGRES_URL is not set/, { STAYWIRE_POSTGRES_URL: '' });
  await refused(/There is no embedded store/, { STAYWIRE_DATA_DIR: 'elsewhere' });
  const { code, output, notes } = await stage.run([...command, '--json'], { env });
  assert.equal(code, 0, notes);
  assert.deepEqual(JSON.parse(output), { outcome: 'migrated', quotes: 0, bookings: 0, paused_brands: 0 });
});
