import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runTarget } from './run-target.ts';
import { shareOf, TARGETS } from './targets.ts';

/**
 * `npm run fuzz -- --seed 7 --inputs 1000000` runs all targets, each in a process of its own, as many at once as there are
 * cores. `--target quotes --seed 7 --only 123` runs one input again.
 */
const DEFAULT_INPUTS = 1_000_000;
const MAX_FAULTS_SHOWN = 20;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    inputs: { type: 'string', default: String(DEFAULT_INPUTS) },
    target: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = wholeNumber('seed', values.seed);
const inputs = wholeNumber('inputs', values.inputs);
const only = values.only === undefined ? undefined : wholeNumber('only', values.only);

if (values.target === undefined) await runAll();
else await runOne(values.target);

async function runOne(name: string): Promise<void> {
  const target = TARGETS.find((one) => one.name === name);
  if (!target)
    return endWith(`There is no target ${name}. There are: ${TARGETS.map((one) => one.name).join(', ')}.`);
  let faults = 0;
  const {
    inputs: count,
    seconds,
    cpuSeconds,
    slowestCpuMs,
    grownBytes,
  } = await runTarget(target, {
    seed,
    inputs,
    only,
    onFault({ index, fault }) {
      faults += 1;
      if (faults > MAX_FAULTS_SHOWN) return;
      const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      console.log(`✖ --target ${name} --seed ${seed} --only ${index}\n${text}\n`);
    },
  });
  const facts = [
    `${count} inputs in ${seconds.toFixed(0)} s (${cpuSeconds.toFixed(0)} s of CPU time)`,
    `slowest ${slowestCpuMs.toFixed(1)} ms`,
    `heap grew by ${(grownBytes / 2 ** 20).toFixed(1)} MiB`,
    `${faults} faults`,
  ];
  console.log(`${faults === 0 ? '✔' : '✖'} ${name}, seed ${seed}: ${facts.join(', ')}`);
  if (faults > 0) process.exitCode = 1;
}

async function runAll(): Promise<void> {
  if (only !== undefined) return endWith('--only needs --target.');
  console.log(`Seed ${seed}`);
  const waiting = TARGETS.values();
  const lane = async () => {
    for (const target of waiting) {
      const code = await runInProcess(target.name, shareOf(target, inputs));
      if (code !== 0) process.exitCode = 1;
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
}

function runInProcess(target: string, share: number): Promise<number | null> {
  const args = ['--target', target, '--seed', String(seed), '--inputs', String(share)];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}

function wholeNumber(option: string, text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : endWith(`--${option} must be a whole number.`);
}

function endWith(message: string): never {
  console.error(message);
  process.exit(1);
}
