import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../clock.ts';
import { lockFile, whileLocked } from './file-lock.ts';

const WAIT = { clock: systemClock };

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-lock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a');
  writeFileSync(path, '');
  return path;
}

describe('the lock of a file', () => {
  it('lets one after the other work, also when the work fails and when a link leads to the file', async (t) => {
    const path = fileFor(t);
    symlinkSync(path, `${path}-link`);
    let [working, most] = [0, 0];
    const work = async (number: number) => {
      working += 1;
      most = Math.max(most, working);
      await new Promise(setImmediate);
      working -= 1;
      if (number === 2) throw new Error('in the middle');
      return number;
    };
    const all = [1, 2, 3].map((number) =>
      whileLocked(number === 3 ? `${path}-link` : path, WAIT, () => work(number)),
    );
    const outcomes = await Promise.allSettled(all);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(most, 1);
    assert.ok(!existsSync(`${path}.lock`));
  });

  it('is held by another process until that ends, however it ends', async (t) => {
    const path = fileFor(t);
    const program = `
      const { lockFile } = await import(${JSON.stringify(import.meta.resolve('./file-lock.ts'))});
      console.log(lockFile(process.argv[1]) !== null);
      setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, `${path}.lock`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    assert.equal(String(said).trim(), 'true');
    assert.equal(lockFile(`${path}.lock`), null);
    const waiting = whileLocked(path, { ...WAIT, maxWaitMs: 50 }, () => assert.fail('it was held'));
    await assert.rejects(waiting, { code: 'EINUSE', message: /a is being changed by another command/ });
    await assert.rejects(
      whileLocked(path, { ...WAIT, signal: AbortSignal.abort() }, () => undefined),
      {
        name: 'AbortError',
      },
    );
    child.kill('SIGKILL');
    await once(child, 'close');
    assert.equal(await whileLocked(path, WAIT, () => 7), 7);
  });
});
