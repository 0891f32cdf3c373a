import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

const MAX_RUN_MS = 60_000;

type NpmRun = { readonly cwd: string; readonly cache: string };

/** npm as on a machine of its own: nothing of the environment tells it who runs it, what is configured, or what was installed before. */
export async function runNpm(
  { cwd, cache }: NpmRun,
  ...args: readonly string[]
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn('npm', [...args, '--cache', cache, '--userconfig', `${cache}/none`], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cache, TMPDIR: tmpdir(), NO_UPDATE_NOTIFIER: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_RUN_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}
