import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createPostgresPool, type PostgresPool } from '../../src/storage/postgres/connection.ts';
import { setClusterScene } from '../support/cluster-scene.ts';
import { clusterServers, skippedWithoutServers } from '../support/cluster-storage.ts';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';

const CREDENTIAL = 'vendor-password-0123456789';
const [AUTH_KEY, STEP_KEY] = ['a-long-and-random-key-0123456789', 'another-random-key-9876543210'];

/** Name and bytes of whatever is kept somewhere. */
type Kept = readonly [place: string, bytes: Buffer];

describe('what a cluster keeps', { skip: skippedWithoutServers }, () => {
  it('holds no token, no key and no credential in clear text, in Redis, PostgreSQL or a folder', async (t) => {
    const { nodes, shared } = await setClusterScene(t, { token: CREDENTIAL });
    const [one, other] = nodes;

    const opened = await one.service.post(`/ai/v1/auth?idempotency_key=${AUTH_KEY}`, {});
    const again = await other.service.post(`/ai/v1/auth?idempotency_key=${AUTH_KEY}`, {});
    assert.equal(again.body.session, opened.body.session, 'the other node knows the opening');
    const token: string = opened.body.session;
    const ownKeys: string[] = [];
    let step = await one.service.get(opened.body.next_request.url);
    for (let turn = 0; step.body.object !== 'search_result'; turn += 1) {
      const { url } = step.body.next_request;
      ownKeys.push(new URL(url, 'http://any').searchParams.get('idempotency_key') ?? assert.fail(url));
      step = await (turn % 2 === 0 ? one : other).service.get(url);
    }
    await one.service.post(
      `/ai/v1/search?session=${token}`,
      { guests: '3' },
      { 'idempotency-key': STEP_KEY },
    );
    const unused = await other.service.post(`/ai/v1/auth?idempotency_key=${AUTH_KEY}-2`, {});
    const mcp = await sendToMcp(
      await other.service.listen(),
      toolMessage('search_stays', {
        destination: 'Lisbon',
        check_in_day: '2027-04-10',
        check_out: '2027-04-13',
        guests: 2,
      }),
    );
    const mcpToken = /ses_[\w-]{43}/.exec(mcp.text)?.[0] ?? '';
    assert.notEqual(mcpToken, '');

    const secrets = {
      'the token': token,
      'the token without its prefix': token.slice(4),
      'the token of an opening': unused.body.session.slice(4),
      'a key of auth': AUTH_KEY,
      'a key of a step': STEP_KEY,
      'a credential': CREDENTIAL,
      ...Object.fromEntries(ownKeys.map((key) => [`the offered key ${key}`, key])),
      'a token of a model': mcpToken.slice(4),
    };
    const { postgresUrl, redisUrl } = clusterServers();
    const pool = createPostgresPool({ url: postgresUrl, schema: shared.schema });
    t.after(() => pool.close());
    await one.storage.sessions.issuedQuotes({ since: 0, limit: 1 });
    const inFolders = () => nodes.flatMap(({ directory }) => filesIn(directory));
    const kept = [
      ...(await keptInRedis(redisUrl, shared.prefix)),
      ...(await keptInPostgres(pool)),
      ...inFolders(),
    ];
    // The queue of the ledger is emptied when it is sent; what is written at the end has to be looked at too.
    await one.close();
    await other.close();
    kept.push(...inFolders());

    const places = kept.map(([place]) => place);
    for (const known of [
      'session',
      'opening',
      'issued_quote',
      'property',
      'inventory.sqlite',
      'cluster.secret',
    ]) {
      assert.ok(
        places.some((place) => place.includes(known)),
        `${known} was looked at`,
      );
    }
    for (const [what, secret] of Object.entries(secrets)) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ]) {
        for (const [place, bytes] of kept) assert.ok(!bytes.includes(form), `${place} holds ${what}`);
      }
    }
    t.diagnostic(
      `${kept.length} values, tables and files were searched for ${Object.keys(secrets).length} secrets`,
    );
    for (const { directory } of nodes) {
      for (const [file] of filesIn(directory))
        assert.equal(statSync(file).mode & 0o077, 0, `${file} is for its owner alone`);
    }
  });
});

/** Every key with its whole value, whatever its type. */
async function keptInRedis(url: string, prefix: string): Promise<Kept[]> {
  const redis = new Redis(url);
  try {
    const kept: Kept[] = [];
    for (const key of await redis.keys(`${prefix}*`)) {
      const read = {
        string: () => redis.getBuffer(key),
        hash: () => redis.callBuffer('HGETALL', key),
        zset: () => redis.callBuffer('ZRANGE', key, 0, -1, 'WITHSCORES'),
        set: () => redis.callBuffer('SMEMBERS', key),
        list: () => redis.callBuffer('LRANGE', key, 0, -1),
        stream: () => redis.callBuffer('XRANGE', key, '-', '+'),
      }[await redis.type(key)];
      if (!read) throw new Error(`no way to read ${key}`);
      kept.push([`Redis ${key}`, Buffer.concat([Buffer.from(key), ...buffersIn(await read())])]);
    }
    return kept;
  } finally {
    redis.disconnect();
  }
}

function buffersIn(reply: unknown): Buffer[] {
  if (Buffer.isBuffer(reply)) return [reply];
  return Array.isArray(reply) ? reply.flatMap(buffersIn) : [];
}

/** Every table as text, and its columns of bytes as they are. */
async function keptInPostgres(pool: PostgresPool): Promise<Kept[]> {
  const tables = await pool.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [pool.schema],
  );
  const kept: Kept[] = [];
  for (const { name } of tables) {
    const rows = await pool.query<Record<string, unknown>>(
      `SELECT *, "${name}"::text AS whole FROM "${name}"`,
    );
    const parts = rows.flatMap((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(String(value)))),
    );
    kept.push([`PostgreSQL ${name}`, Buffer.concat(parts)]);
  }
  return kept;
}

function filesIn(directory: string): Kept[] {
  return globSync('**/*', { cwd: directory, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file)] as const);
}
