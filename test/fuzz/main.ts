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
const MAX_FAULTS_SHOWN = 20;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    inputs: { type: 'string', default: '1000000' },
    target: { type: 'string' },
    only: { type: 'string' },
  },
});
const [seed, inputs] = [Number(values.seed), Number(values.inputs)];
const only = values.only === undefined ? undefined : Number(values.only);

if (values.target === undefined) {
  console.log(`Seed ${seed}`);
  const waiting = TARGETS.values();
  const lane = async () => {
    for (const target of waiting) {
      if ((await runInProcess(target.name, shareOf(target, inputs))) !== 0) process.exitCode = 1;
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
} else await runOne(values.target);

async function runOne(name: string): Promise<void> {
  const target = TARGETS.find((one) => one.name === name);
  if (!target) throw new Error(`There are: ${TARGETS.map((one) => one.name).join(', ')}.`);
  let faults = 0;
  const { count, slowestCpuMs } = await runTarget(target, {
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
  const facts = `${count} inputs, slowest ${slowestCpuMs.toFixed(1)} ms, ${faults} faults`;
  console.log(`${faults === 0 ? '✔' : '✖'} ${name}, seed ${seed}: ${facts}`);
  if (faults > 0) process.exitCode = 1;
}

function runInProcess(target: string, share: number): Promise<number | null> {
  const args = ['--target', target, '--seed', String(seed), '--inputs', String(share)];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}
