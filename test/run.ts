import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { findChromium, findOrInstallChromium } from './support/chromium.ts';
import { installFolder } from './support/install-folder.ts';
import { installTools } from './support/install-tools.ts';
import { installPromtool } from './support/promtool.ts';
import { installPython } from './support/python.ts';
import { throwawayPostgres } from './support/throwaway-postgres.ts';
import { throwawayRedis } from './support/throwaway-redis.ts';

/**
 * `npm test` runs the quick jobs, which need nothing but Node. `npm run test:all` runs all others, and installs what they need.
 * Names select jobs of both, `--durations` prints how long each file took. As many jobs run in parallel as there are
 * cores, but at least two. What cannot be had is reported as not tested.
 */
type Job = {
  readonly name: string;
  /** In `npm test`. */
  readonly isQuick?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly needs?: readonly (keyof typeof REQUIREMENTS)[];
} & (
  | { readonly command: string; readonly args: readonly string[] }
  | {
      /** Folders and files. A file belongs to the job that names the longest part of its path. */
      readonly files: readonly string[];
      readonly except?: readonly string[];
      /** Runs files that belong to other jobs once more, in another way. */
      readonly isRepeat?: boolean;
      /** All files in one process, because loading the service takes longer than the tests of a file. */
      readonly isShared?: boolean;
      /** How many files run at once; as many as there are cores but one if left out. */
      readonly concurrency?: number;
    }
);
type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
type Duration = { readonly file: string; readonly ms: number; readonly tests: number };
type Outcome = {
  readonly job: Job;
  readonly counts: Counts | null;
  readonly faults: readonly string[];
  readonly output: string;
  readonly durations: readonly Duration[];
};

/** What jobs need besides Node. One is prepared after the other, because two of them cannot install at the same time. */
const REQUIREMENTS = {
  servers: { for: 'what several nodes share', prepare: startServers },
  browser: { for: 'the websites in a browser', prepare: () => chromium(findOrInstallChromium()) },
  'installed browser': { for: 'a booking in a browser', prepare: () => chromium(findChromium()) },
  tools: { for: 'what needs tools/', prepare: installTools },
  peers: { for: 'the index beside databases', prepare: () => installFolder('bench/peers') },
  recipes: {
    for: 'the recipes for assistants',
    prepare: () => installFolder('docs/examples/assistants'),
  },
  promtool: { for: 'alerts and dashboard with promtool', prepare: installPromtool },
  python: { for: 'the signer in Python', prepare: installPython },
} as const satisfies Record<
  string,
  { readonly for: string; readonly prepare: () => Prepared | Promise<Prepared> }
>;
type Prepared = { readonly missing: string } | { readonly env: Readonly<Record<string, string>> } | undefined;

/** They run in `inventory-properties` alone. */
const COSTLY_PROPERTIES = [
  'src/availability/snapshot/snapshot.test.ts',
  'src/sync/synchroniser.nodes.model.test.ts',
  'src/sync/synchroniser.pauses.model.test.ts',
];

/** The longest jobs come first, so that all cores end at about the same time. */
const JOBS: readonly Job[] = [
  { name: 'interface', isQuick: true, files: ['test/'], isShared: true },
  { name: 'unit', isQuick: true, files: ['src/'], isShared: true },
  // Apart from the others, because the runner keeps what finished tests have used until a process ends.
  {
    name: 'inventory',
    isQuick: true,
    files: ['src/availability/', 'src/storage/', 'src/sync/'],
    except: COSTLY_PROPERTIES,
    isShared: true,
  },
  {
    name: 'main-journeys',
    isQuick: true,
    files: ['test/cli/journey.test.ts', 'test/mcp/transport.test.ts'],
  },
  {
    name: 'browser-smoke',
    isQuick: true,
    files: ['test/browser/book-on-the-website.test.ts'],
    needs: ['installed browser'],
  },
  { name: 'types', isQuick: true, command: 'tsc', args: [] },
  { name: 'page-types', isQuick: true, command: 'tsc', args: ['-p', 'src/mcp/card/page'] },
  { name: 'style', isQuick: true, command: 'biome', args: ['check', '.'] },
  { name: 'dead-code', isQuick: true, command: 'knip', args: [] },

  // Installing takes a while, so those that need nothing come first.
  // Neighbours wait for refreshes and time-outs most of the time.
  { name: 'neighbours', files: ['test/neighbours/'], concurrency: 4 },
  // Decisions of a search take a millisecond a case. Parsers see enough inputs in the quick run and in the fuzzer.
  {
    name: 'properties',
    files: filesWithProperties('src/{limits,quotes,search}'),
    isRepeat: true,
    isShared: true,
    env: { STAYWIRE_TEST_CASES: '500' },
  },
  // A case of the inventory is a history of many steps.
  {
    name: 'inventory-properties',
    files: filesWithProperties('src/{availability,sync}'),
    isRepeat: true,
    isShared: true,
    env: { STAYWIRE_TEST_CASES: '60' },
  },
  {
    name: 'process',
    files: [
      // In a shared process, --max-old-space-size overrides the memory limits of threads.
      'src/connectors/shared/intake/intake-lane.test.ts',
      'test/process/',
      'test/signing/whole-service.test.ts',
    ],
    needs: ['servers', 'python'],
  },
  { name: 'browser', files: ['test/browser/'], isShared: true, needs: ['browser'] },
  { name: 'cli', files: ['test/cli/'], isShared: true, needs: ['servers'] },
  { name: 'packages', files: ['test/packages/'], isShared: true, needs: ['tools', 'recipes'] },
  {
    name: 'servers',
    files: [
      'src/storage/cluster/',
      'src/storage/stores.owner-store.test.ts',
      'src/storage/postgres/',
      'src/storage/redis/',
      'test/connectors/two-nodes.test.ts',
      'test/interface/redis-away.test.ts',
      'test/interface/two-nodes.test.ts',
    ],
    isShared: true,
    needs: ['servers'],
  },
  {
    // Fills memories, measures how long a thread is held, plays all faults of all vendors, and repeats contract suites.
    name: 'long',
    files: [
      'src/connectors/shared/intake/intake-threads.test.ts',
      'src/connectors/shared/listings/checked-listings.test.ts',
      'src/storage/sqlite/session-store.test.ts',
      'src/telemetry/audit/verify-log.test.ts',
      'test/connectors/budgets.test.ts',
      'test/connectors/faults.test.ts',
      'test/connectors/tokens.test.ts',
    ],
    isShared: true,
  },
  { name: 'cluster', files: ['test/cluster/'], isShared: true, needs: ['servers'] },
  { name: 'mcp', files: ['test/mcp/'], isShared: true, needs: ['servers'] },
  { name: 'bench', files: ['bench/'], needs: ['peers'] },
  { name: 'demo', files: ['demo/'], isShared: true },
  {
    name: 'nodes',
    // What callers see could differ here from one node with the embedded store. Each request goes to the other node.
    files: [
      'test/interface/idempotency.test.ts',
      'test/interface/limits.test.ts',
      'test/interface/quotas-of-an-assistant.test.ts',
      'test/interface/session.test.ts',
      'test/journeys/auth-keys-model.test.ts',
      'test/journeys/keys-model.test.ts',
      'test/journeys/session-model.test.ts',
      'test/mcp/transport-limits.test.ts',
    ],
    isRepeat: true,
    isShared: true,
    env: { STAYWIRE_TEST_NODES: '2' },
    needs: ['servers'],
  },
  { name: 'deploy', files: ['test/deploy/'], isShared: true, needs: ['promtool'] },
  { name: 'faults', files: ['test/faults/'], needs: ['servers'] },
  { name: 'fuzz', files: ['test/fuzz/'] },
  { name: 'release', files: ['test/release/'], isShared: true },
  {
    name: 'surroundings',
    files: ['test/signing/signers.test.ts', 'test/connectors/qloapps-live.test.ts'],
    needs: ['python'],
  },
  { name: 'durability', files: ['test/durability/'], isShared: true },
];

/** They end what hangs, also on a machine that is busy with something else. */
const MAX_JOB_MS = 60 * 60_000;
const MAX_TEST_MS = 300_000;
const WARNING = /^\(node:\d+\) .*Warning: .*$/m;

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Staywire runs on Node 24, which npm ci brings along; this is ${process.version}. Run it through npm.`,
  );
  process.exit(1);
}

const { values: options, positionals: names } = parseArgs({
  options: { all: { type: 'boolean', default: false }, durations: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const testFiles = globSync('{src,demo,bench,test}/**/*.test.ts', { exclude: ['**/node_modules/**'] }).sort();
const jobs = chooseJobs();
const reports = mkdtempSync(join(tmpdir(), 'staywire-test-run-'));
const missing = new Map<keyof typeof REQUIREMENTS, string>();
const env = {
  ...process.env,
  // The quick jobs install nothing.
  ...(jobs.every(({ isQuick }) => isQuick) ? { STAYWIRE_TEST_INSTALL: 'no' } : {}),
  // The tools and the Node of this project, also where this file is run by itself.
  PATH: [resolve('node_modules/.bin'), process.env.PATH].join(delimiter),
  // Sources are stripped of types and compiled once, not in each of the hundred processes that the tests start.
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
};
// Jobs without needs run while servers and tools are installed.
const preparing = prepare(new Set(jobs.flatMap(({ needs = [] }) => needs)));
const outcomes = await runAll(
  jobs,
  // Much of the long run waits for processes, servers and time-outs.
  Math.max(2, availableParallelism()) + (options.all ? 1 : 0),
);
rmSync(reports, { recursive: true });
for (const outcome of outcomes.filter(({ faults }) => faults.length > 0)) console.log(reportOf(outcome));
if (options.durations) printDurations();
for (const [name, why] of missing) {
  console.error(`\n!! NOT TESTED: ${REQUIREMENTS[name].for}. ${why}\n`);
}
for (const { output } of outcomes) {
  // A test that is skipped for want of something gives the reason.
  for (const [said] of output.matchAll(/(?<=# )NOT TESTED: .*$/gm)) console.error(`\n!! ${said}\n`);
}
const { passed, failed, skipped } = outcomes.reduce((sum, { counts }) => add(sum, counts), add(null, null));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = outcomes.some(({ faults }) => faults.length > 0) ? 1 : 0;

function chooseJobs(): readonly Job[] {
  const unknown = names.filter((name) => !JOBS.some((job) => job.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no ${unknown.join(', ')}. There are: ${JOBS.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(1);
  }
  return JOBS.filter(({ name, isQuick = false }) =>
    names.length > 0 ? names.includes(name) : isQuick !== options.all,
  );
}

function filesWithProperties(folders: string): readonly string[] {
  return globSync(`${folders}/**/*.test.ts`).filter((file) =>
    readFileSync(file, 'utf8').includes("from 'fast-check'"),
  );
}

function filesOf(job: Job): readonly string[] {
  if (!('files' in job)) return [];
  if (job.isRepeat) return testFiles.filter((file) => job.files.some((path) => file.startsWith(path)));
  const matched = (file: string, { files }: { readonly files: readonly string[] }) =>
    Math.max(...files.filter((path) => file.startsWith(path)).map(({ length }) => length), 0);
  const rivals = JOBS.filter((other) => 'files' in other && !other.isRepeat && other !== job);
  return testFiles.filter((file) => {
    const mine = matched(file, job);
    if (mine === 0 || job.except?.includes(file)) return false;
    return rivals.every((other) => !('files' in other) || matched(file, other) < mine);
  });
}

async function prepare(
  needs: ReadonlySet<keyof typeof REQUIREMENTS>,
): Promise<Readonly<Record<string, string>>> {
  let prepared: Readonly<Record<string, string>> = {};
  for (const need of needs) {
    const result: Prepared = await REQUIREMENTS[need].prepare();
    if (result && 'missing' in result) missing.set(need, result.missing);
    else if (result) prepared = { ...prepared, ...result.env };
  }
  return prepared;
}

async function startServers(): Promise<Prepared> {
  const [postgres, redis] = [await throwawayPostgres(), await throwawayRedis()];
  if ('missing' in postgres) return postgres;
  if ('missing' in redis) return redis;
  return { env: { STAYWIRE_TEST_POSTGRES_URL: postgres.url, STAYWIRE_TEST_REDIS_URL: redis.url } };
}

function chromium(found: ReturnType<typeof findChromium>): Prepared {
  return 'path' in found ? { env: { CHROMIUM_PATH: found.path } } : found;
}

async function runAll(queue: readonly Job[], lanes: number): Promise<Outcome[]> {
  const finished: Outcome[] = [];
  const waiting = queue.values();
  const lane = async () => {
    for (const job of waiting) {
      const prepared = job.needs === undefined ? {} : await preparing;
      // Tests of two nodes would test one without the servers.
      if (job.env?.STAYWIRE_TEST_NODES !== undefined && missing.has('servers')) continue;
      finished.push(await run(job, prepared));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return finished;
}

function commandOf(job: Job, files: readonly string[]): readonly [string, readonly string[]] {
  if ('command' in job) return [job.command, job.args];
  return [
    'node',
    [
      '--test',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/support/durations-reporter.ts',
      `--test-reporter-destination=${join(reports, job.name)}`,
      '--import=./test/support/property-cases.ts',
      `--test-timeout=${MAX_TEST_MS}`,
      ...(job.concurrency === undefined ? [] : [`--test-concurrency=${job.concurrency}`]),
      ...(job.isShared
        ? [
            '--test-isolation=none',
            // The test runner keeps what finished tests have used until the last one has.
            '--max-old-space-size=8192',
            '--import=./test/support/shared-process.ts',
          ]
        : []),
      ...files,
    ],
  ];
}

async function run(job: Job, prepared: Readonly<Record<string, string>>): Promise<Outcome> {
  const isTest = 'files' in job;
  const files = filesOf(job);
  // Without files, the test runner would search for tests.
  if (isTest && files.length === 0) {
    return { job, counts: null, faults: ['has no test'], output: '', durations: [] };
  }
  console.log(`▶ ${job.name}`);
  const startedAt = performance.now();
  const child = spawn(...commandOf(job, files), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...prepared, ...job.env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // On SIGINT the test runner prints which files were running.
  const limit = setTimeout(() => child.kill('SIGINT'), MAX_JOB_MS);
  const ended = await new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(code === 0 ? null : `ended with ${code ?? signal}`));
  });
  clearTimeout(limit);
  output = stripVTControlCharacters(output);
  const counts = isTest ? countsIn(output) : null;
  const faults = [
    ...(ended === null ? [] : [ended]),
    ...(isTest && counts === null ? ['did not finish'] : []),
    ...(counts && counts.passed + counts.failed + counts.skipped === 0 ? ['ran no test'] : []),
    ...(WARNING.exec(output) ?? []),
  ];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const said = counts ? `, ${counts.passed} passed` : '';
  console.log(`${faults.length === 0 ? '✔' : '✖'} ${job.name}${said} (${seconds} s)`);
  return { job, counts, faults, output, durations: isTest ? durationsOf(job) : [] };
}

/** Read from the summary of the test runner. A cancelled test, for example after a timeout, counts as failed. */
function countsIn(output: string): Counts | null {
  const count = (name: string) =>
    Number([...output.matchAll(new RegExp(`^ℹ ${name} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? Number.NaN);
  const failed = count('fail') + count('cancelled');
  return Number.isNaN(failed)
    ? null
    : { passed: count('pass'), failed, skipped: count('skipped') + count('todo') };
}

function durationsOf({ name }: Job): Duration[] {
  const lines = readFileSync(join(reports, name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Duration);
}

function printDurations(): void {
  for (const { job, durations } of outcomes) {
    for (const { file, ms, tests } of durations.toSorted((one, other) => other.ms - one.ms)) {
      console.log(
        `${(ms / 1000).toFixed(1).padStart(8)} s ${String(tests).padStart(5)}  ${job.name}  ${file}`,
      );
    }
  }
}

function reportOf({ job, faults, output }: Outcome): string {
  const failures = output.lastIndexOf('\n✖ failing tests:\n');
  const details = failures === -1 ? withoutPassed(output) : output.slice(failures);
  return `\n✖ ${job.name}: ${faults.join('; ')}\n${details}`;
}

function withoutPassed(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/^\s*[✔▶ℹ] /.test(line))
    .join('\n');
}

function add(one: Counts | null, other: Counts | null): Counts {
  return {
    passed: (one?.passed ?? 0) + (other?.passed ?? 0),
    failed: (one?.failed ?? 0) + (other?.failed ?? 0),
    skipped: (one?.skipped ?? 0) + (other?.skipped ?? 0),
  };
}
