import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILER = new URL('node_modules/assemblyscript/bin/asc.js', import.meta.url);
const KERNEL = new URL('../src/availability/kernel/', import.meta.url);
const COMPILED = new URL('kernel.generated.ts', KERNEL);
const MAX_RUN_MS = 120_000;

/** The memory is the index's own, shared between threads; vectors of 128 bits are what the kernels are for. */
const OPTIONS = [
  '-O3',
  '--noAssert',
  '--uncheckedBehavior',
  'always',
  '--runtime',
  'stub',
  '--importMemory',
  '--sharedMemory',
  '--initialMemory',
  '1',
  '--maximumMemory',
  '65536',
  '--enable',
  'simd',
  '--enable',
  'threads',
];

/** `npm run generate:kernel`: compiles the kernels of the index. The result is committed, and a test compares it. */
if (import.meta.main) writeFileSync(COMPILED, compiledKernel());

export function compiledKernel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-kernel-'));
  try {
    const module = join(folder, 'kernel.wasm');
    const { stderr, status } = spawnSync(
      process.execPath,
      [fileURLToPath(COMPILER), 'queries.ts', '-o', module, ...OPTIONS],
      { cwd: fileURLToPath(new URL('assembly/', KERNEL)), encoding: 'utf8', timeout: MAX_RUN_MS },
    );
    if (status !== 0) throw new Error(`asc ended with ${status}: ${stderr}`);
    const text = readFileSync(module).toString('base64');
    return `/** Compiled from \`assembly/\` by \`npm run generate:kernel\`. */\nexport const KERNEL =\n  '${text}';\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
