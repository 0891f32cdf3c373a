import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../clock.ts';
import { FileInUse, whileLocked } from './file-lock.ts';

const WAIT = { clock: systemClock };

function fileFor(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-lock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a');
  writeFileSync(path, '');
  const hold = (holder: string) => symlinkSync(holder, `${path}.lock`);
  return { folder, path, hold, files: () => readdirSync(folder).sort() };
}

function numberOfDeadProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

describe('the lock of a file', () => {
  it('lets one after the other work, and is gone afterwards', async (t) => {
    const { path, files } = fileFor(t);
    let [working, most] = [0, 0];
    const work = async (number: number) => {
      working += 1;
      most = Math.max(most, working);
      assert.deepEqual(files(), ['a', 'a.lock']);
      await new Promise(setImmediate);
      working -= 1;
      return number;
    };
    const all = [1, 2, 3].map((number) => whileLocked(path, WAIT, () => work(number)));
    assert.deepEqual(await Promise.all(all), [1, 2, 3]);
    assert.equal(most, 1);
    assert.deepEqual(files(), ['a']);
  });

  it('is given back when the work fails', async (t) => {
    const { path, files } = fileFor(t);
    const failing = whileLocked(path, WAIT, () => {
      throw new Error('in the middle');
    });
    await assert.rejects(failing, /in the middle/);
    assert.deepEqual(files(), ['a']);
  });

  it('is taken from a process that is gone, also by several at once', async (t) => {
    const { path, hold, files } = fileFor(t);
    hold(`${hostname()}:${numberOfDeadProcess()}`);
    const done = await Promise.all([1, 2].map((number) => whileLocked(path, WAIT, () => number)));
    assert.deepEqual([done, files()], [[1, 2], ['a']]);
    // After a restart of a container another process has had the number of this one.
    hold(`${hostname()}:${process.pid}`);
    assert.equal(await whileLocked(path, WAIT, () => 3), 3);
  });

  it('is left to a process that lives, and to those of other machines, and says whose it is', async (t) => {
    const holders = [
      [`${hostname()}:${process.ppid}`, `process ${process.ppid} on ${hostname()}`],
      ['elsewhere.example:7', 'process 7 on elsewhere.example'],
      ['somebody', 'somebody'],
    ] as const;
    for (const [holder, described] of holders) {
      const { path, hold, files } = fileFor(t);
      hold(holder);
      const waiting = whileLocked(path, { ...WAIT, maxWaitMs: 50 }, () => assert.fail('it was held'));
      await assert.rejects(waiting, (fault: Error) => {
        assert.ok(fault instanceof FileInUse);
        assert.ok(fault.message.includes(described) && fault.message.includes(`${path}.lock`), fault.message);
        return true;
      });
      assert.deepEqual(files(), ['a', 'a.lock']);
    }
  });

  it('is not taken away while somebody else takes it away', async (t) => {
    const { path, hold } = fileFor(t);
    hold(`${hostname()}:${numberOfDeadProcess()}`);
    symlinkSync('another', `${path}.lock.removal`);
    await assert.rejects(
      whileLocked(path, { ...WAIT, maxWaitMs: 50 }, () => undefined),
      FileInUse,
    );
    assert.ok(lstatSync(`${path}.lock`).isSymbolicLink());
  });

  it('is not waited for any longer once the command is interrupted', async (t) => {
    const { path, hold } = fileFor(t);
    hold(`${hostname()}:${process.ppid}`);
    const signal = AbortSignal.abort();
    await assert.rejects(
      whileLocked(path, { ...WAIT, signal }, () => undefined),
      { name: 'AbortError' },
    );
  });

  it('stands beside what a link leads to', async (t) => {
    const { folder, path, files } = fileFor(t);
    symlinkSync(path, join(folder, 'link'));
    await whileLocked(join(folder, 'link'), WAIT, () => assert.ok(files().includes('a.lock')));
    await whileLocked(join(folder, 'new'), WAIT, () => assert.ok(files().includes('new.lock')));
  });
});
