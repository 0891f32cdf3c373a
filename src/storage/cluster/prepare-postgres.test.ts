import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { temporaryPool, throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { systemRandom } from '../../random.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { createPostgresPool } from '../postgres/connection.ts';
import { preparePostgres, untilReachable } from './prepare-postgres.ts';

const ASK = 'SELECT count(*) AS count FROM cluster_secret';

async function setUp(t: TestContext) {
  const server = await throwawayPostgres();
  const direct = await temporaryPool(t);
  if (!direct || 'missing' in server) return undefined;
  const proxy = await startTcpProxy({ port: Number(new URL(server.url).port) });
  const pool = createPostgresPool({ url: proxy.via(server.url), schema: direct.schema });
  t.after(async () => {
    await pool.close();
    await proxy.close();
  });
  const directory = temporaryDirectory(t);
  const clock = createFakeClock(0);
  const warnings: string[] = [];
  const prepare = async (hasCopy: boolean) => {
    const prepared = await preparePostgres({
      ...{ pool, directory, hasCopy, clock },
      random: systemRandom,
      report: (warning) => warnings.push(warning),
    });
    t.after(() => prepared.stop());
    return prepared;
  };
  /** Lets the pauses between attempts pass until it is so. */
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await clock.advance(1000);
  };
  return { direct, proxy, directory, warnings, prepare, until };
}

describe('PostgreSQL at the start of a node', () => {
  it('is waited for by a node whose folder has no copy, or no secret', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { proxy, directory, warnings, prepare, until } = set;
    proxy.refuse();
    let secret: Uint8Array | undefined;
    void prepare(true).then((prepared) => {
      secret = prepared.secret;
    });
    await until(() => warnings.length > 1);
    assert.equal(secret, undefined);
    proxy.resume();
    await until(() => secret !== undefined);
    const file = join(directory, 'cluster.secret');
    assert.deepEqual(Buffer.from(readFileSync(file, 'utf8'), 'base64url'), secret);
    assert.equal(statSync(file).mode & 0o777, 0o600);

    proxy.refuse();
    warnings.length = 0;
    let isPrepared = false;
    void prepare(false).then(() => {
      isPrepared = true;
    });
    await until(() => warnings.length > 1);
    assert.equal(isPrepared, false);
    proxy.resume();
    await until(() => isPrepared);
  });

  it('is not waited for by a node whose folder has both, and is used once it answers', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { proxy, warnings, prepare, until } = set;
    const { secret } = await prepare(true);
    proxy.refuse();
    const { pool, secret: kept } = await prepare(true);
    assert.deepEqual(new Uint8Array(kept), new Uint8Array(secret));
    assert.match(warnings.join('\n'), /The node starts with what its folder has\.$/);
    assert.equal(pool.isReachable(), false);
    for (const ask of [
      () => pool.query(ASK),
      () => pool.inTransaction(async () => {}),
      () => pool.connect(),
    ]) {
      await assert.rejects(ask, { kind: 'unreachable' });
    }
    proxy.resume();
    await until(() =>
      pool.query(ASK).then(
        () => true,
        () => false,
      ),
    );
    assert.equal(warnings.length, 1);
  });
});

test('what passes is waited for, and what does not is for the owner', async () => {
  for (const [kind, isWaitedFor] of [
    ['unreachable', true],
    ['busy', true],
    ['refused', false],
    ['unknown_format', false],
  ] as const satisfies readonly (readonly [StorageFailureKind, boolean])[]) {
    const clock = createFakeClock(0);
    const { signal } = new AbortController();
    const reports: string[] = [];
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries < 4) throw new StorageFailure(kind, 'Not now.');
      return 'done';
    };
    const outcome = untilReachable(work, {
      clock,
      report: (text) => reports.push(text),
      signal,
    }).catch((failure: StorageFailure) => failure.kind);
    for (let pauses = 0; pauses < 3; pauses += 1) await clock.advance(5000);
    assert.equal(await outcome, isWaitedFor ? 'done' : kind);
    assert.equal(reports.length, isWaitedFor ? 3 : 0);
  }
});
