import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { createWriter } from './writer.ts';

it('answers with the fault while the file cannot be opened, and works when it can', async (t) => {
  const directory = join(temporaryDirectory(t), 'not-yet');
  const writer = createWriter({ file: join(directory, 'a.sqlite'), busyMs: 0, room: 'sessions' });
  t.after(() => writer.close());
  const write = { op: 'forget', endedBefore: 0, forgottenBefore: 0, limit: 1 };
  const { outcomes } = await writer.write([write], new ArrayBuffer(8));
  const [outcome] = outcomes;
  assert.ok(typeof outcome === 'object' && 'fault' in outcome);
  assert.equal(outcome.fault.kind, 'input_output');

  mkdirSync(directory);
  assert.deepEqual((await writer.write([], new ArrayBuffer(8))).outcomes, []);
});

it('rejects what it was doing when its thread ends, and starts a new one', async (t) => {
  const file = join(temporaryDirectory(t), 'a.sqlite');
  const writer = createWriter({ file, busyMs: 0, room: 'sessions' });
  t.after(() => writer.close());
  const notABatch = JSON.parse('null');
  await assert.rejects(writer.write(notABatch, new ArrayBuffer(8)), { kind: 'interrupted' });
  assert.deepEqual((await writer.write([], new ArrayBuffer(8))).outcomes, []);
});
