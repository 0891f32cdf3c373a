import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);
const SOON = formatDay(TODAY + 10);

async function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-process-'));
  const operator = await startScriptedOperator();
  operator.properties = [
    property('a', {}, [
      { from: formatDay(TODAY - 1), to: formatDay(TODAY + 90), available: true, price: '50.00' },
    ]),
  ];
  const processes: ServiceProcess[] = [];
  t.after(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await operator.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (env: Record<string, string> = {}) => {
    const started = startServiceProcess({
      dataDirectory: join(folder, 'data'),
      network: networkFile([brandEntry('acme', operator.origin)]),
      env,
    });
    processes.push(started);
    return started;
  };
  return { operator, start, folder };
}

async function post(url: string, body: object): Promise<{ body: Record<string, unknown>; status: number }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const STAY = {
  destination: 'lisbon-pt',
  check_in_month: SOON.slice(0, 7),
  check_in_day: SOON,
  check_out: formatDay(TODAY + 12),
  guests: 2,
};

test('on SIGTERM it finishes the search that is in flight, no process works beside it, and a new start has the result', async (t) => {
  const { operator, start } = await setUp(t);
  const first = start();
  const origin = await first.ready;
  const beside = await start().ended;
  assert.equal(beside.code, 1);
  assert.match(beside.output, /Another process works on the data/);
  const auth = await post(`${origin}/ai/v1/auth`, {});
  const inFlight = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  operator.misbehave = async (path) => {
    if (path === '/quotes') {
      inFlight.resolve();
      await mayAnswer.promise;
    }
    return false;
  };
  const search = post(`${origin}/ai/v1/search?session=${auth.body.session}`, STAY);
  await inFlight.promise;
  first.child.kill('SIGTERM');
  mayAnswer.resolve();
  const answer = await search;
  assert.equal(answer.body.object, 'search_result');
  const { code, output } = await first.ended;
  assert.equal(code, 0);
  assert.ok(!output.includes(String(auth.body.session)), 'a token in the output');

  const second = start();
  const result = await fetch(`${await second.ready}/ai/v1/result?session=${auth.body.session}`);
  assert.deepEqual(await result.json(), answer.body);
  second.child.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
});

test('neither what it prints nor its metrics hold the password of a server, and both name the node', async (t) => {
  const { start } = await setUp(t);
  const metricsPort = await freePort();
  const service = start({
    STAYWIRE_STORE: 'sqlite',
    STAYWIRE_POSTGRES_URL: 'postgres://staywire:open-sesame@127.0.0.1:1/staywire',
    STAYWIRE_REDIS_URL: 'redis://:open-sesame@127.0.0.1:1',
    STAYWIRE_NODE: 'stays-1',
    STAYWIRE_METRICS_PORT: String(metricsPort),
    STAYWIRE_LOG_LEVEL: 'trace',
  });
  await fetch(`${await service.ready}/healthz`);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  service.child.kill('SIGTERM');
  const { output } = await service.ended;
  assert.match(metrics, /^staywire_index_properties\{node="stays-1"\} 1$/m);
  assert.match(output, /"node":"stays-1"/);
  for (const text of [metrics, output]) assert.doesNotMatch(text, /open-sesame/);
});

test('on SIGTERM while it is still starting, it ends', async (t) => {
  const { operator, start } = await setUp(t);
  const asked = Promise.withResolvers<void>();
  operator.misbehave = (path) => {
    if (path === '/catalogue') asked.resolve();
    // Never answers: the start would wait for it.
    return true;
  };
  const service = start();
  await asked.promise;
  service.child.kill('SIGTERM');
  const { code, output } = await service.ended;
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /Staywire serves|store is closed/);
});

test('killed at any moment, it has lost nothing that it acknowledged', async (t) => {
  const { start } = await setUp(t);
  let token = '';
  let received: Record<string, unknown> = {};
  for (let round = 0; round < 3; round += 1) {
    const service = start();
    const origin = await service.ready;
    if (token === '') token = String((await post(`${origin}/ai/v1/auth`, {})).body.session);
    const url = `${origin}/ai/v1/search?session=${token}`;
    const before = await post(url, {});
    assert.deepEqual(before.body.received, received, `round ${round}`);
    const guests = String(1 + (round % 3));
    const change =
      round % 2 === 0 ? { guests } : { check_in_month: formatDay(TODAY + 20 + 10 * round).slice(0, 7) };
    received = (await post(url, change)).body.received as Record<string, unknown>;
    service.child.kill('SIGKILL');
    assert.equal((await service.ended).signal, 'SIGKILL');
  }
});

test('all faults of settings, network file and registry are listed at once, and it does not start', async (t) => {
  const { start } = await setUp(t);
  const wrong = await start({
    PORT: 'eighty',
    STAYWIRE_TYPO: 'x',
    STAYWIRE_NETWORK: '/nowhere/network.json',
    STAYWIRE_ASSISTANTS: '/nowhere/assistants.json',
  }).ended;
  assert.equal(wrong.code, 1);
  const [title, ...faults] = wrong.output.trimEnd().split('\n');
  assert.equal(title, 'Staywire cannot start:');
  assert.equal(faults.length, 4, wrong.output);
  for (const [index, pattern] of [
    /^ {2}- PORT must be a whole number/,
    /^ {2}- STAYWIRE_TYPO is not a setting/,
    /^ {2}- \/nowhere\/network\.json: cannot be read/,
    /^ {2}- \/nowhere\/assistants\.json: there is no such file/,
  ].entries()) {
    assert.match(faults[index] ?? '', pattern);
  }
});

test('an address that is taken is named with its settings, and it does not start', async (t) => {
  const { start } = await setUp(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  assert.ok(address && typeof address === 'object');
  const refused = await start({ PORT: String(address.port) }).ended;
  assert.equal(refused.code, 1);
  assert.match(refused.output, /EADDRINUSE.*HOST and PORT/);
});

test('a data folder that cannot be used is a listed fault, not a stack trace', async (t) => {
  const { start, folder } = await setUp(t);
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const damaged = join(folder, 'damaged');
  mkdirSync(damaged);
  writeFileSync(join(damaged, 'sessions.sqlite'), 'no database at all. '.repeat(500));
  for (const [directory, pattern] of [
    [
      file,
      /^ {2}- There can be no data in .*a-file: EEXIST.* Choose another folder with STAYWIRE_DATA_DIR\.$/,
    ],
    [damaged, /^ {2}- .*sessions\.sqlite: .*damaged.* Restore a copy of it, or move it away/],
  ] as const) {
    const { code, output } = await start({ STAYWIRE_DATA_DIR: directory }).ended;
    assert.equal(code, 1, output);
    const [title, ...faults] = output.trimEnd().split('\n');
    assert.equal(title, 'Staywire cannot start:', output);
    assert.equal(faults.length, 1, output);
    assert.match(faults[0] ?? '', pattern);
  }
});

test('a damaged inventory is set aside with a warning, and the service starts', async (t) => {
  const { start, folder } = await setUp(t);
  const directory = join(folder, 'data');
  mkdirSync(directory);
  writeFileSync(join(directory, 'inventory.sqlite'), 'no database at all. '.repeat(500));
  const service = start();
  const auth = await post(`${await service.ready}/ai/v1/auth`, {});
  assert.equal(auth.status, 200);
  service.child.kill('SIGTERM');
  const { code, output } = await service.ended;
  assert.equal(code, 0, output);
  assert.match(output, /renamed to .*inventory\.sqlite\.damaged-1/);
});
