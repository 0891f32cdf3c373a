import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runCommand, startCommand } from '../support/command-line.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { EMBEDDED, writeEmbeddedStore } from '../support/embedded-store.ts';
import { temporaryDatabase } from '../support/temporary-database.ts';
import { openSqliteIn } from '../support/temporary-storage.ts';

const COMMAND = ['migrate-store', '--from', 'sqlite', '--to', 'postgres'];

async function setUp(t: TestContext) {
  const database = await temporaryDatabase(t);
  if (!database) return undefined;
  const stage = createCommandStage(t);
  const data = join(stage.directory, 'data');
  await writeEmbeddedStore(data);
  const env = { STAYWIRE_POSTGRES_URL: database.url, STAYWIRE_DATA_DIR: 'data' };
  return { database, stage, data, env };
}

describe('staywire migrate-store', () => {
  it('needs no network file, says what was moved, and that sessions are not', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { stage, env } = set;
    const moved = await stage.run([...COMMAND, '--json'], { env });
    assert.equal(moved.code, 0, moved.notes);
    assert.deepEqual(JSON.parse(moved.output), {
      outcome: 'migrated',
      moved: EMBEDDED,
      homes_left_alone: false,
      differing: [],
    });
    const again = await stage.run(COMMAND, { env });
    assert.equal(again.code, 0, again.notes);
    assert.match(again.output, /homes +305[\s\S]*Sessions are not moved/);
  });

  it('ends with 2 where it cannot run, without the password of the server', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { stage, env, data, database } = set;
    const refused = async (fault: RegExp, changed: Readonly<Record<string, string>> = {}) => {
      const { code, notes } = await stage.run(COMMAND, { env: { ...env, ...changed } });
      assert.equal(code, 2, notes);
      assert.match(notes.replace(/\s+/g, ' '), fault);
      assert.doesNotMatch(notes, new RegExp(database.password));
    };
    const away = new URL(database.url);
    away.port = '1';
    await refused(/once PostgreSQL answers, run the same command again/, {
      STAYWIRE_POSTGRES_URL: away.href,
    });
    await refused(/STAYWIRE_POSTGRES_URL is not set/, { STAYWIRE_POSTGRES_URL: '' });
    await refused(/There is no embedded store/, { STAYWIRE_DATA_DIR: 'elsewhere' });
    const service = await openSqliteIn(data);
    await refused(/The service is running on/);
    await service.close();
    assert.equal((await stage.run(COMMAND, { env })).code, 0);
    await database.pool.query("INSERT INTO property VALUES ('rojo:1', 'rojo', '{}', 1, 0)");
    await refused(/such as rojo:1\. .*--merge/);
    assert.equal((await stage.run([...COMMAND, '--merge'], { env })).code, 0);
    await database.pool.query("INSERT INTO live_node VALUES ('n1', clock_timestamp() + interval '1 hour')");
    await refused(/Nodes work on this PostgreSQL: n1\./);
  });

  it('can be killed at any point, and completes when it is run again', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { stage, env, database } = set;
    const options = { directory: stage.directory, env };
    for (const moment of [/Moving calendars/, /Moving the ledger/]) {
      const running = startCommand(COMMAND, options);
      await running.said(moment);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    const { code, stderr } = await runCommand(COMMAND, options);
    assert.equal(code, 0, stderr);
    const [row] = await database.pool.query(
      'SELECT (SELECT count(*) FROM property) AS homes, (SELECT count(*) FROM issued_quote) AS quotes',
    );
    assert.deepEqual(row, { homes: EMBEDDED.homes, quotes: EMBEDDED.quotes });
  });
});
