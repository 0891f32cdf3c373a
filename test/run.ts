import { spawnSync } from 'node:child_process';
import { findOrInstallChromium } from './support/chromium.ts';

/** `npm test`: types, style and dead code, then every test. Whatever a machine lacks is installed, or named loudly as not tested. */
const TESTS = ['src/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts', 'test/**/*.test.ts'];

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Staywire runs on Node 24, which npm ci brings along; this is ${process.version}. Run it through npm.`,
  );
  process.exit(1);
}
run('tsc', []);
run('biome', ['check', '.']);
run('knip', []);

const chromium = findOrInstallChromium();
if ('missing' in chromium) console.error(`\n!! NOT TESTED: the websites in a browser. ${chromium.missing}\n`);
run(
  'node',
  ['--test', '--test-timeout=300000', ...TESTS],
  'path' in chromium ? { CHROMIUM_PATH: chromium.path } : {},
);

function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
