import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { writeCredentialsFile } from '../../src/connectors/shared/account/account-credentials.ts';
import { systemRandom } from '../../src/random.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { temporaryDatabase } from '../support/temporary-database.ts';

const KEY = 'ab'.repeat(32);

async function setUp(t: TestContext) {
  const database = await temporaryDatabase(t);
  if (!database) return undefined;
  const stage = createCommandStage(t);
  const text = `// Read by people too.\n${JSON.stringify(networkFile([brandEntry('acme', 'http://127.0.0.1:4000')]))}\n`;
  const path = (name: string) => join(stage.directory, name);
  writeFileSync(path('network.jsonc'), text);
  writeCredentialsFile(
    path('credentials.sealed'),
    Buffer.from(KEY, 'hex'),
    new Map([['hills', { api_key: 'top secret' }]]),
    systemRandom,
  );
  const servers = { STAYWIRE_POSTGRES_URL: database.url, STAYWIRE_REDIS_URL: 'redis://127.0.0.1:1' };
  const env = { ...servers, STAYWIRE_CREDENTIALS: 'credentials.sealed', STAYWIRE_CREDENTIALS_KEY: KEY };
  return { database, stage, text, path, env, servers };
}

describe('staywire network', () => {
  it('stores the files as they are, secrets sealed, and shows them', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { database, stage, text, path, env } = set;
    const stored = await stage.run(['network', 'store', '--json'], { env });
    assert.equal(stored.code, 0, stored.notes);
    assert.deepEqual(JSON.parse(stored.output), { revision: 1, brands: ['acme'], credentials: true });
    const rows = await database.pool.query<{ name: string; content: Buffer }>(
      'SELECT name, content FROM network_document ORDER BY name',
    );
    assert.deepEqual(
      rows.map(({ name, content }) => [name, content.toString()]),
      [
        ['credentials', readFileSync(path('credentials.sealed'), 'utf8')],
        ['network', text],
      ],
    );
    assert.ok(!rows.some(({ content }) => content.includes('top secret')));

    const elsewhere = createCommandStage(t);
    const shown = await elsewhere.run(['network', 'show'], { env });
    assert.deepEqual([shown.code, shown.output], [0, text.trimEnd()]);
    assert.match(shown.notes, /^Revision 1, stored .*, with sealed credentials\.$/m);
  });

  it('stores nothing that a node could not start with', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { stage, path, env, database } = set;
    const refused = async (fault: RegExp, changed: Readonly<Record<string, string>> = {}) => {
      const run = await stage.run(['network', 'store'], { env: { ...env, ...changed } });
      assert.equal(run.code, 2);
      assert.match(run.notes, fault);
      assert.doesNotMatch(run.notes, new RegExp(database.password));
    };
    await refused(/must be set: it opens the file/, { STAYWIRE_CREDENTIALS_KEY: '' });
    await refused(/STAYWIRE_POSTGRES_URL is not set/, { STAYWIRE_POSTGRES_URL: '' });
    const away = new URL(database.url);
    away.port = '1';
    await refused(/ECONNREFUSED/, { STAYWIRE_POSTGRES_URL: away.href });
    const imported = {
      ...brandEntry('acme', 'x'),
      all_in_totals: false,
      booking_system: { kind: 'imported', file: 'homes.jsonl' } as const,
    };
    writeFileSync(path('network.jsonc'), JSON.stringify(networkFile([imported])));
    await refused(/homes\.jsonl is\s+beside\s+the\s+network\s+file\s+of\s+this\s+machine/);
    writeFileSync(path('network.jsonc'), '{}');
    await refused(/network\.jsonc/);
    const shown = await stage.run(['network', 'show'], { env });
    assert.equal(shown.code, 2);
    assert.match(shown.notes, /No network is stored/);
  });
});

describe('a node without a network file', () => {
  const serving = {
    STAYWIRE_DATA_DIR: 'data',
    STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8',
    STAYWIRE_CREDENTIALS_KEY: KEY,
  };

  it('takes the network that is stored, and its own copy while PostgreSQL is down', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { stage, text, env, servers, database, path } = set;
    const node = createCommandStage(t);
    const served: Readonly<Record<string, string | undefined>>[] = [];
    const serve = (changed: Readonly<Record<string, string>> = {}) =>
      node.run(['serve'], {
        env: { ...servers, ...serving, ...changed },
        tools: { serve: async (one) => void served.push(one) },
      });
    const away = new URL(database.url);
    away.port = '1';
    const down = { STAYWIRE_POSTGRES_URL: away.href };

    const unreachable = await serve(down);
    assert.equal(unreachable.code, 2);
    assert.match(unreachable.notes.replace(/\s+/g, ' '), /has no copy of the network/);
    assert.doesNotMatch(unreachable.notes, new RegExp(database.password));
    assert.match((await serve()).notes.replace(/\s+/g, ' '), /No network is stored in PostgreSQL yet/);

    assert.equal((await stage.run(['network', 'store'], { env })).code, 0);
    for (const changed of [{}, down]) {
      const { code, notes } = await serve(changed);
      assert.equal(code, 0, notes);
      assert.equal(/taken from the copy/.test(notes.replace(/\s+/g, ' ')), changed === down);
      const started = served.at(-1) ?? {};
      assert.equal(readFileSync(started.STAYWIRE_NETWORK ?? '', 'utf8'), text);
      assert.equal(
        readFileSync(started.STAYWIRE_CREDENTIALS ?? '', 'utf8'),
        readFileSync(path('credentials.sealed'), 'utf8'),
      );
    }
  });
});
