import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';
import { openSqliteIn, temporaryDirectory } from '../support/temporary-storage.ts';

test('no file of the store holds a key or a text of a client, and a repeated key is recognised all the same', async (t) => {
  const directory = temporaryDirectory(t);
  const { open, service } = await setScene(t, { storage: await openSqliteIn(directory) });
  const conversation = await open();
  const { guests, ...others } = STAY;
  const note = 'a text of the caller that no field takes';
  const requests = [{ ...others, note }, { guests }, { amenities: 'pool' }].map((values, at) => ({
    values,
    key: `a-key-of-the-client-${at}`,
  }));
  for (const { values, key } of requests) {
    const { headers } = await conversation.send(values, { 'idempotency-key': key });
    assert.equal(headers['idempotent-replayed'], undefined, key);
  }
  const last = requests.at(-1);
  const again = await conversation.send(last?.values, { 'idempotency-key': last?.key ?? '' });
  assert.deepEqual(again.body.applied_filters, { amenities: ['pool'] });
  assert.equal(again.headers['idempotent-replayed'], 'true');

  const holdsNoKey = () => {
    for (const name of readdirSync(directory)) {
      const bytes = readFileSync(join(directory, name));
      for (const { key } of requests) assert.ok(!bytes.includes(key), `${name} holds ${key}`);
      assert.ok(!bytes.includes(note), `${name} holds what was asked`);
    }
  };
  assert.ok(
    readdirSync(directory).includes('sessions.sqlite-wal'),
    'the log of an open store is searched too',
  );
  holdsNoKey();
  await service.close();
  holdsNoKey();
});
