import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { openSqliteIn } from '../support/temporary-storage.ts';
import { startTestService } from '../support/test-service.ts';

test('no file of the store holds a session token or a key of auth, in any form that the key opens', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-tokens-'));
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b', { amenities: { pool: 'Pool' } })];
  const network = networkFile([brandEntry('acme', operator.origin)]);
  t.after(async () => {
    await operator.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const key = 'a-long-and-random-key-0123456789';
  const open = async () => startTestService({ network, storage: await openSqliteIn(directory) });

  const service = await open();
  const auth = await service.post(`/ai/v1/auth?idempotency_key=${key}`, { source: 'acme' });
  const token: string = auth.body.session;
  let step = await service.get(auth.body.next_request.url);
  let last = '';
  while (step.body.object !== 'search_result') {
    last = step.body.next_request.url;
    step = await service.get(last);
  }
  const unused = await service.get(`/ai/v1/auth?source=acme&idempotency_key=${key}-2`);
  await service.close();

  for (const name of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, name));
    assert.ok(!bytes.includes(token), `${name} holds the token`);
    assert.ok(!bytes.includes(token.slice(4)), `${name} holds the token without its prefix`);
    assert.ok(!bytes.includes(unused.body.session.slice(4)), `${name} holds the other token`);
    assert.ok(!bytes.includes(key), `${name} holds the key of auth`);
  }

  const restarted = await open();
  t.after(() => restarted.close());
  const again = await restarted.get(`/ai/v1/auth?source=acme&idempotency_key=${key}-2`);
  assert.notEqual(again.body.session, unused.body.session, 'nothing on disk leads back to the token');
  assert.equal(again.headers['idempotent-replayed'], undefined);
  const kept = await restarted.get(`/ai/v1/search?session=${unused.body.session}`);
  assert.equal(
    kept.body.error,
    'incomplete_payload',
    'the session itself is still open to who has its token',
  );
  const replayed = await restarted.get(last);
  assert.equal(replayed.raw, step.raw);
  assert.equal((await restarted.get(`/ai/v1/result?session=${token}`)).raw, step.raw);
});
