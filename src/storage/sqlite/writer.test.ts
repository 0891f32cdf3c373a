import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createWriter } from './writer.ts';

it('answers with the failure while the file cannot be opened, and works when it can', async (t) => {
  const directory = join(temporaryDirectory(t), 'not-yet');
  const file = join(directory, 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'sessions' });
  t.after(() => writer.close());
  const write = { kind: 'delete_expired', bodiesBefore: 0, sessionsBefore: 0, limit: 1 };
  const [outcome] = await writer.write([write], []);
  assert.ok(outcome?.kind === 'failed');
  assert.equal(outcome.cause, 'input_output');

  mkdirSync(directory);
  assert.deepEqual(await writer.write([], []), []);
});

it('rejects the batch during which its thread ends, and starts a new one', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'sessions' });
  t.after(() => writer.close());
  const notABatch = JSON.parse('null');
  await assert.rejects(writer.write(notABatch, []), { kind: 'interrupted' });
  assert.deepEqual(await writer.write([], []), []);
});

it('moves bodies to the thread instead of copying them', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, lockTimeoutMs: 0, contents: 'sessions' });
  t.after(() => writer.close());
  const body = new Uint8Array(5_000);
  await writer.write([], [body]);
  assert.equal(body.byteLength, 0);
});
