import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkStorage, nothingConfirmed, recordConfirmed } from './check-storage.ts';

const WRITING_PROCESS = fileURLToPath(new URL('./writing-process.ts', import.meta.url));

/**
 * The operating system refuses to let any file grow beyond a megabyte: real failed writes, in the middle of
 * commits and checkpoints.
 */
const LIMIT_IN_BLOCKS = 2_000;

it('keeps every confirmed change and no half of any when writes begin to fail', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-limit-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const script = `ulimit -f ${LIMIT_IN_BLOCKS} && exec "$@"`;
  const program = [process.execPath, WRITING_PROCESS, directory, 'limited', '0'];
  const child = spawn('sh', ['-c', script, 'sh', ...program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  const [code, signal] = await once(child, 'close');
  assert.deepEqual([code, signal], [0, null], 'failing writes must not end the process');

  const confirmed = nothingConfirmed();
  const changes = recordConfirmed(confirmed, 'limited', await output);
  const refusals = (await output).split('\n').filter((line) => line.startsWith('refused'));
  assert.ok(changes > 20, `only ${changes} changes were confirmed before the limit was met`);
  assert.deepEqual(new Set(refusals), new Set(['refused input_output']));
  await checkStorage(directory, confirmed);
});
