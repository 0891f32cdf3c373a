import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createPostgresPool } from '../../src/storage/postgres/connection.ts';
import { migrate, migrationOf, readMigrations } from '../../src/storage/postgres/migrate.ts';
import { openRedis } from '../../src/storage/redis/connection.ts';
import { setClusterScene, untilTrue } from '../support/cluster-scene.ts';
import { clusterServers, newSharedServers, skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse, STAY } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { temporaryDatabaseUrl } from '../support/throwaway-postgres.ts';
import { ownRedis } from '../support/throwaway-redis.ts';

const NEXT = readMigrations().length + 1;
const COMPATIBLE = migrationOf(
  NEXT,
  'next-release',
  `ALTER TABLE property ADD COLUMN views bigint NOT NULL DEFAULT 0;
   ALTER TABLE calendar ADD COLUMN source text;
   ALTER TABLE issued_quote ADD COLUMN channel text NOT NULL DEFAULT 'rest';
   ALTER TABLE live_node ADD COLUMN release text;
   CREATE TABLE novelty (id text PRIMARY KEY);`,
);
const INCOMPATIBLE = migrationOf(
  NEXT,
  'other-homes',
  '-- incompatible: homes are elsewhere\nALTER TABLE property RENAME TO home;',
);

describe('a node beside one of the next release', { skip: skippedWithoutServers }, () => {
  it('works with its schema, rows, documents, sessions and news', async (t) => {
    const shared = newSharedServers();
    const { postgresUrl, redisUrl } = clusterServers();
    const pool = createPostgresPool({ url: postgresUrl, schema: shared.schema });
    const redis = await openRedis({ url: redisUrl });
    t.after(() => Promise.all([pool.close(), redis.close()]));
    await migrate(pool, [...readMigrations(), COMPATIBLE]);
    const { nodes, operator } = await setClusterScene(t, {
      shared,
      properties: [property('a'), property('b')],
      settings: { sessionMinutes: 240 },
    });
    const [leader, node] = nodes;
    const matchesOn = async ({ service }: typeof node) =>
      (await (await converse(service)).search()).body.comparison_set.total_matches;
    assert.equal(await matchesOn(node), 2);

    // A session that the next release has changed, and this one changes then.
    const { token, send } = await converse(node.service);
    await send({ destination: STAY.destination });
    const sessionKeys = () => redis.ask((client) => client.keys(`${shared.prefix}:session:*`));
    for (const session of await sessionKeys()) {
      const state = JSON.parse((await redis.ask((client) => client.hget(session, 'state'))) ?? '');
      const later = { ...state, mood: { is: 'curious' } };
      await redis.ask((client) => client.hset(session, { state: JSON.stringify(later), mood: 'curious' }));
    }
    const { body } = await send(STAY);
    assert.equal(body.object, 'search_result');
    assert.equal((await leader.service.get(`/ai/v1/result?session=${token}`)).status, 200);
    for (const session of await sessionKeys()) {
      const [state, mood] = await redis.ask((client) => client.hmget(session, 'state', 'mood'));
      assert.deepEqual(
        [JSON.parse(state ?? '').mood, mood],
        [{ is: 'curious' }, 'curious'],
        'it lost nothing',
      );
    }

    // A home, a record and news that say more than this release knows.
    await pool.inTransaction(async (transaction) => {
      const [change] = await transaction.query<{ id: number }>("SELECT nextval('inventory_change_id') AS id");
      await transaction.query(
        `UPDATE property SET change = $1, digest = digest + 1, views = 7,
           state = (state::jsonb || '{"name": "House of the next release", "scents": ["pine"]}')::text
         WHERE id LIKE '%b'`,
        [change?.id],
      );
      await transaction.query(`UPDATE inventory_counter SET number = number + 1`);
      await transaction.query(
        `INSERT INTO inventory_change (number, id, node) SELECT number, $1, 'next' FROM inventory_counter`,
        [change?.id],
      );
    });
    const namesOn = async () =>
      (await (await converse(node.service)).search()).body.results.map(({ name }: { name: string }) => name);
    await untilTrue('its home is shown', async () => (await namesOn()).includes('House of the next release'));

    await pool.query(
      `UPDATE document SET content = convert_to((convert_from(content, 'UTF8')::jsonb || '{"pace": "brisk"}')::text, 'UTF8')
       WHERE name = 'acme/sync'`,
    );
    await redis.ask((client) =>
      client.xadd(`${shared.prefix}:refusals`, '*', 'node', 'next', 'greeting', randomUUID()),
    );
    operator.quote = (reference, { currency, check_in }) =>
      reference === 'a' && check_in === STAY.check_in_day
        ? { property: 'a', status: 'unavailable', reason: 'booked' }
        : { property: reference, status: 'quoted', currency, total: '100.00' };
    await matchesOn(leader);
    await untilTrue('news after the strange one is heard', async () => (await matchesOn(node)) === 1);

    // It takes over the brand, and reads on.
    operator.properties = [...operator.properties, property('c', { place: 'evora-pt', location: 'Évora' })];
    await leader.close();
    const offered = await converse(node.service);
    await untilTrue('it leads and reads', async () => {
      await node.service.time.pass(100_000);
      return (await offered.read()).body.allowed_values.destination.includes('evora-pt');
    });
  });

  it('that has changed the database beyond what it can work with does not start, and says why', async (t) => {
    const redis = await ownRedis();
    const postgresUrl = await temporaryDatabaseUrl(t);
    if ('missing' in redis || postgresUrl === undefined) return t.skip('NOT TESTED: there are no servers');
    t.after(() => redis.stop());
    const pool = createPostgresPool({ url: postgresUrl });
    await migrate(pool, [...readMigrations(), INCOMPATIBLE]);
    await pool.close();
    const { ended } = startServiceProcess({
      dataDirectory: join(temporaryDirectory(t), 'data'),
      network: networkFile([brandEntry('acme', 'http://127.0.0.1:9')]),
      env: { STAYWIRE_POSTGRES_URL: postgresUrl, STAYWIRE_REDIS_URL: redis.url },
    });
    const { code, output } = await ended;
    assert.equal(code, 1);
    assert.equal(
      output,
      'Staywire cannot start:\n  - the registry in PostgreSQL: cannot be read: A later release has changed the database (other-homes) in a way that this one cannot work with.\n',
    );
  });
});
