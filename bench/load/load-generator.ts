import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LOAD_CORE, pinned } from '../child.ts';
import { type LoadGenerator, type Slice, type SliceOutcome, STEP_BODIES } from './slice.ts';

const execute = promisify(execFile);

/** The load must be able to outrun the fastest server: both use much less processor time for a request than any of them. */
export function chooseLoadGenerator(): LoadGenerator {
  return spawnSync('wrk', ['--version']).error ? plainSockets : wrk;
}

const wrk: LoadGenerator = {
  name: 'wrk',
  run: ({ origin, kind, connections, seconds, tokensFile, ordinal, cores }) =>
    outcomeOf(cores, 'wrk', [
      ...['-t1', `-c${connections}`, `-d${seconds}s`, '-s', fileOf('requests.lua'), origin, '--'],
      ...[kind, tokensFile, String(ordinal), ...STEP_BODIES],
    ]),
};

export const plainSockets: LoadGenerator = {
  name: 'plain sockets',
  run: (slice: Slice) =>
    outcomeOf(slice.cores, process.execPath, [fileOf('sockets.process.ts'), JSON.stringify(slice)]),
};

/** The program prints the outcome as its last line. */
async function outcomeOf(
  cores: readonly number[] | undefined,
  command: string,
  args: readonly string[],
): Promise<SliceOutcome> {
  const { stdout } = await execute(...pinned(cores ?? LOAD_CORE, command, args));
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
