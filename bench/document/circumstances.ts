import { execFileSync } from 'node:child_process';
import { cpus, totalmem, type } from 'node:os';

/** Where, when and with which code something was measured. */
export function circumstances(now: Date): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${gibibytes} GiB, ${type()}`;
  return `Node ${process.versions.node}, ${machine}; ${now.toISOString().slice(0, 10)}, commit ${commit()}.`;
}

function commit(): string {
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const changed = git('status', '--porcelain', '--', 'src', 'bench') === '' ? '' : ' with changes';
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed}`;
  } catch {
    return 'unknown';
  }
}
