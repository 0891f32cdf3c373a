import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { closeToOthers, writePrivately } from './private-files.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test('folder and files are for their owner alone, also when they were not before', (t) => {
  const umask = process.umask(0);
  const folder = mkdtempSync(path.join(tmpdir(), 'staywire-demo-'));
  t.after(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true });
  });
  const directory = path.join(folder, 'data', 'demo');
  closeToOthers(directory);
  assert.deepEqual([modeOf(path.dirname(directory)), modeOf(directory)], ['700', '700']);

  chmodSync(directory, 0o755);
  const file = path.join(directory, 'bookings.json');
  writeFileSync(file, '{}', { mode: 0o644 });
  closeToOthers(directory);
  assert.deepEqual([modeOf(directory), modeOf(file)], ['700', '600']);

  chmodSync(file, 0o644);
  writePrivately(file, { bookings: [] });
  assert.equal(modeOf(file), '600');
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { bookings: [] });
});

test('a folder that all users share keeps its mode', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'staywire-demo-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const shared = path.join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  closeToOthers(shared);
  assert.equal(modeOf(shared), '777');
});
