import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findOrInstallChromium } from './support/chromium.ts';
import { installFolder } from './support/install-folder.ts';
import { installTools } from './support/install-tools.ts';
import { installPromtool } from './support/promtool.ts';
import { installPython } from './support/python.ts';
import { throwawayPostgres } from './support/throwaway-postgres.ts';
import { throwawayRedis } from './support/throwaway-redis.ts';

/**
 * `npm test`: types, style, dead code and all tests, with as many jobs in parallel as there are cores, but at least two.
 * Arguments select jobs by name. Without a browser the website tests are reported as not tested, and
 * so is a real city without its files.
 */
type Job = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};
type TestJob = Job & { readonly files: readonly string[] };
type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
type Outcome = {
  readonly job: Job | TestJob;
  readonly counts: Counts | null;
  readonly faults: readonly string[];
  readonly output: string;
};

const TOOLS: readonly Job[] = [
  { name: 'types', command: 'tsc', args: [] },
  { name: 'page-types', command: 'tsc', args: ['-p', 'src/mcp/card/page'] },
  { name: 'style', command: 'biome', args: ['check', '.'] },
  { name: 'dead-code', command: 'knip', args: [] },
];

/** Tests that start processes or are sensitive to other work: each file runs in its own process. */
const OWN_PROCESSES = {
  demo: 'demo/',
  durability: 'test/durability/',
  cluster: 'test/cluster/',
  faults: 'test/faults/',
  process: 'test/process/',
  browser: 'test/browser/',
  fuzz: 'test/fuzz/',
  neighbours: 'test/neighbours/',
  cli: 'test/cli/',
  mcp: 'test/mcp/',
  packages: 'test/packages/',
  deploy: 'test/deploy/',
  release: 'test/release/',
  bench: 'bench/',
};
/** All files of a folder share one process, because loading the service takes longer than the tests of a file. */
const SHARED_PROCESSES = { stores: 'src/storage/', unit: 'src/', service: 'test/' };

/** What callers of the service see is tested once more over two nodes that share PostgreSQL and Redis. */
const OVER_TWO_NODES = ['test/interface/', 'test/journeys/'];
/** What depends on sessions and limits; the others of the door pass over two nodes too, and take minutes. */
const MCP_OVER_TWO_NODES = ['/door.test.ts', '/door-limits.test.ts', '/same-as-rest.test.ts'];

/** Jobs that need what tools/ installs. */
const NEED_TOOLS: readonly string[] = ['packages'];
/** Jobs with tests that need PostgreSQL or Redis, and share one server of each for the whole run. */
const NEED_SERVERS: readonly string[] = ['stores', 'service', 'nodes', 'mcp-nodes', 'cluster', 'cli', 'mcp'];
/** Jobs that test several nodes and nothing else. */
const NODES_ONLY: readonly string[] = ['nodes', 'mcp-nodes'];
const RECIPES = 'docs/examples/assistants';
const PEERS = 'bench/peers';

const MAX_JOB_MS = 20 * 60_000;
const WARNING = /^\(node:\d+\) .*Warning: .*$/m;

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Staywire runs on Node 24, which npm ci brings along; this is ${process.version}. Run it through npm.`,
  );
  process.exit(1);
}

const jobs = chooseJobs(process.argv.slice(2));
const chromium = jobs.some(({ name }) => name === 'browser') ? findOrInstallChromium() : undefined;
const tools = jobs.some(({ name }) => NEED_TOOLS.includes(name)) ? installTools() : undefined;
const recipes = jobs.some(({ name }) => name === 'packages') ? installFolder(RECIPES) : undefined;
const peers = jobs.some(({ name }) => name === 'bench') ? installFolder(PEERS) : undefined;
// Before any job, because two of them cannot install at the same time.
if (jobs.some(({ name }) => name === 'deploy')) installPromtool();
if (jobs.some(({ name }) => name === 'service')) installPython();
const servers = jobs.some(({ name }) => NEED_SERVERS.includes(name)) ? await startServers() : {};
const env = {
  ...process.env,
  ...servers,
  // The tools and the Node of this project, also where somebody runs this file by itself.
  PATH: [resolve('node_modules/.bin'), process.env.PATH].join(delimiter),
  // Sources are stripped of types and compiled once, not in each of the hundred processes that the tests start.
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...(chromium && 'path' in chromium ? { CHROMIUM_PATH: chromium.path } : {}),
};
const hasServers = Object.keys(servers).length === 2;
const outcomes = await runAll(
  jobs.filter(({ name }) => hasServers || !NODES_ONLY.includes(name)),
  Math.max(2, availableParallelism()),
);
for (const outcome of outcomes.filter(({ faults }) => faults.length > 0)) console.log(reportOf(outcome));
if (chromium && 'missing' in chromium) {
  console.error(`\n!! NOT TESTED: the websites in a browser. ${chromium.missing}\n`);
}
if (tools) console.error(`\n!! NOT TESTED: what needs tools/. ${tools.missing}\n`);
if (peers) console.error(`\n!! NOT TESTED: the index beside databases. ${peers.missing}\n`);
if (recipes) console.error(`\n!! NOT TESTED: the recipes for assistants. ${recipes.missing}\n`);
if (jobs.some(({ name }) => NODES_ONLY.includes(name)) && !hasServers) {
  console.error('\n!! NOT TESTED: the interface over two nodes. PostgreSQL or Redis cannot be had.\n');
}
for (const { output } of outcomes) {
  // A test that is skipped for want of something says so to whoever runs the tests.
  for (const [said] of output.matchAll(/(?<=# )NOT TESTED: .*$/gm)) console.error(`\n!! ${said}\n`);
}
if (jobs.some(({ name }) => name === 'service') && process.env.STAYWIRE_TEST_CITY === undefined) {
  console.error('\n!! NOT TESTED: a real city. Set STAYWIRE_TEST_CITY to a folder with its two files.\n');
}
const { passed, failed, skipped } = outcomes.reduce((sum, { counts }) => add(sum, counts), add(null, null));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = outcomes.some(({ faults }) => faults.length > 0) ? 1 : 0;

/** What cannot be had is said by the tests that need it, which are skipped. */
async function startServers(): Promise<Readonly<Record<string, string>>> {
  const [postgres, redis] = [await throwawayPostgres(), await throwawayRedis()];
  return {
    ...('url' in postgres ? { STAYWIRE_TEST_POSTGRES_URL: postgres.url } : {}),
    ...('url' in redis ? { STAYWIRE_TEST_REDIS_URL: redis.url } : {}),
  };
}

function chooseJobs(names: readonly string[]): (Job | TestJob)[] {
  const all = [...TOOLS, ...testJobs()];
  const unknown = names.filter((name) => !all.some((job) => job.name === name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`);
    process.exit(1);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function testJobs(): TestJob[] {
  const folders = Object.entries({ ...OWN_PROCESSES, ...SHARED_PROCESSES });
  const filesOf = Map.groupBy(
    globSync('{src,demo,bench,test}/**/*.test.ts', { exclude: ['**/node_modules/**'] }).sort(),
    (file) => folders.find(([, folder]) => file.startsWith(folder))?.[0],
  );
  const job = (name: string, args: readonly string[], files = filesOf.get(name) ?? []): TestJob => {
    return { name, command: 'node', args: ['--test', '--test-reporter=spec', ...args, ...files], files };
  };
  const inOneProcess = [
    '--test-isolation=none',
    // The test runner keeps what finished tests have used until the last one has.
    '--max-old-space-size=8192',
    '--import=./test/support/shared-process.ts',
    '--import=./test/support/property-seed.ts',
  ];
  const shared = Object.keys(SHARED_PROCESSES).map((name) =>
    job(name, [...inOneProcess, '--test-timeout=60000']),
  );
  const ofService = filesOf.get('service') ?? [];
  const overTwoNodes = (one: TestJob): TestJob => ({ ...one, env: { STAYWIRE_TEST_NODES: '2' } });
  const nodes = job(
    'nodes',
    [...inOneProcess, '--test-timeout=180000'],
    ofService.filter((file) => OVER_TWO_NODES.some((folder) => file.startsWith(folder))),
  );
  const ofMcp = filesOf.get('mcp') ?? [];
  const mcpNodes = job(
    'mcp-nodes',
    ['--test-timeout=300000'],
    ofMcp.filter((file) => MCP_OVER_TWO_NODES.some((name) => file.endsWith(name))),
  );
  const own = Object.keys(OWN_PROCESSES).map((name) =>
    // Neighbours wait for refreshes and time-outs most of the time.
    job(name, ['--test-timeout=300000', ...(name === 'neighbours' ? ['--test-concurrency=4'] : [])]),
  );
  return [...shared, overTwoNodes(nodes), overTwoNodes(mcpNodes), ...own];
}

async function runAll(queue: readonly (Job | TestJob)[], lanes: number): Promise<Outcome[]> {
  const finished: Outcome[] = [];
  const waiting = queue.values();
  const lane = async () => {
    for (const job of waiting) finished.push(await run(job));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return finished;
}

async function run(job: Job | TestJob): Promise<Outcome> {
  // Without files, the test runner would search for tests.
  if ('files' in job && job.files.length === 0) {
    return { job, counts: null, faults: ['has no test'], output: '' };
  }
  console.log(`▶ ${job.name}`);
  const startedAt = performance.now();
  const child = spawn(job.command, job.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...job.env },
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
  const counts = 'files' in job ? countsIn(output) : null;
  const faults = [
    ...(ended === null ? [] : [ended]),
    ...('files' in job && counts === null ? ['did not finish'] : []),
    ...(counts && counts.passed + counts.failed + counts.skipped === 0 ? ['ran no test'] : []),
    ...(WARNING.exec(output) ?? []),
  ];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const said = counts ? `, ${counts.passed} passed` : '';
  console.log(`${faults.length === 0 ? '✔' : '✖'} ${job.name}${said} (${seconds} s)`);
  return { job, counts, faults, output };
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
