import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { registryFor } from '../../src/access/registry/assistant-registry.ts';
import { createServiceOfThreads } from '../../src/app/request-threads.ts';
import { readSettings } from '../../src/app/settings.ts';
import { systemClock } from '../../src/clock.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import { KEY_DIRECTORY_PATH } from '../../src/outbound/key-directory.ts';
import type { OwnIdentity } from '../../src/outbound/own-identity.ts';
import { LOOPBACK_NETWORKS } from '../../src/parsing/ip-address.ts';
import { systemRandom } from '../../src/random.ts';
import { formatDay } from '../../src/stay/day.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import type { BrandControls } from '../../src/sync/brand-controls.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { homeOf } from '../../src/threads/route-operations.ts';
import { createInProcessTransport } from '../requests/in-process-transport.ts';
import { accessListOf } from '../support/access-list-of.ts';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { createPlainActivityStore, type PlainActivityStore } from '../support/plain-activity-store.ts';
import { AGENT, sampleIdentity } from '../support/sample-identity.ts';
import { type ScriptedOperator, startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { provedByOthers } from '../support/verified-by-others.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);
const CHECK_IN = formatDay(TODAY + 10);
const CHECK_OUT = formatDay(TODAY + 12);
const WORKERS = 2;
const NODE = 'stays-1';

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
type Reply = { readonly status: number; readonly body: any; readonly headers: Record<string, unknown> };

/** Each over a connection of its own, so that any of the threads may get it. */
async function read(url: string, headers: Record<string, string> = {}): Promise<Reply> {
  const request = get(url, { agent: false, headers });
  const [response] = await once(request, 'response');
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
}

/** Where what a test or all tests together have started is ended. */
type Ending = Pick<TestContext, 'after'>;

async function startOperator(t: Ending): Promise<ScriptedOperator> {
  const operator = await startScriptedOperator();
  t.after(() => operator.close());
  operator.properties = [
    property('a', {}, [
      { from: formatDay(TODAY - 1), to: formatDay(TODAY + 90), available: true, price: '50.00' },
    ]),
  ];
  return operator;
}

async function startThreads(
  t: Ending,
  overrides: Record<string, string> = {},
  {
    waitForStart = true,
    identity,
    activity,
    controls,
  }: {
    readonly waitForStart?: boolean;
    readonly controls?: BrandControls;
    readonly identity?: OwnIdentity;
    readonly activity?: PlainActivityStore;
  } = {},
) {
  const operator = await startOperator(t);
  const directory = mkdtempSync(join(tmpdir(), 'staywire-threads-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const network = describeNetwork(networkFile([brandEntry('acme', operator.origin)]), {
    env: {},
    sealedCredentials: new Map(),
    directory,
  });
  const settings = readSettings({
    STAYWIRE_NETWORK: 'unused',
    STAYWIRE_DATA_DIR: directory,
    STAYWIRE_OPERATOR_NETWORKS: LOOPBACK_NETWORKS.join(),
    STAYWIRE_LOG_LEVEL: 'silent',
    ...overrides,
  });
  assert.ok(network.kind === 'valid' && settings.kind === 'valid');
  const { rateLimit, rateWindowSeconds } = settings.value;
  const storage = await openSqliteStorage({
    directory,
    rateRule: { limit: rateLimit, windowMs: rateWindowSeconds * 1000 },
    onDeleted: (ids) => service.sessionsDeleted(ids),
  });
  const threads = new Map<number, Worker>();
  let starts = 0;
  const logLines: string[] = [];
  const service = createServiceOfThreads({
    workers: WORKERS,
    node: NODE,
    settings: settings.value,
    networkSettings: network.value,
    accessList: accessListOf({
      assistants: registryFor(null, LOOPBACK_NETWORKS).assistants,
    }),
    identity: identity ?? null,
    activity,
    controls: controls ?? null,
    storage,
    clock: systemClock,
    random: systemRandom,
    log: createLog({
      level: 'info',
      clock: systemClock,
      destination: { write: (line) => void logLines.push(line) },
    }),
    metrics: createMetrics({ node: NODE }),
    onStarted(worker, number) {
      threads.set(number, worker);
      starts += 1;
    },
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await service.close();
    await storage.close();
  };
  t.after(close);
  const origin = waitForStart ? await service.listen({ host: '127.0.0.1', port: 0 }) : '';
  if (waitForStart) await service.start();
  const openIn = async (thread: number): Promise<string> => {
    for (;;) {
      const { body } = await read(`${origin}/ai/v1/auth`);
      if (homeOf(body.session, WORKERS) === thread) return body.session;
    }
  };
  return { origin, service, operator, threads, starts: () => starts, openIn, logLines, close };
}

const stepOf = (origin: string, session: string, values: string) =>
  read(`${origin}/ai/v1/search?session=${session}&${values}`);

async function complete(origin: string, session: string, guests = 2): Promise<Reply> {
  await stepOf(origin, session, 'destination=lisbon-pt');
  await stepOf(origin, session, `check_in_day=${CHECK_IN}`);
  await stepOf(origin, session, `check_out=${CHECK_OUT}`);
  return stepOf(origin, session, `guests=${guests}`);
}

describe('a service of several threads', () => {
  /** For tests that leave it as it was: threads take a second to start. */
  let started: Promise<Awaited<ReturnType<typeof startThreads>>> | undefined;
  const endings: (() => unknown)[] = [];
  const identity = sampleIdentity();

  function sharedThreads() {
    started ??= startThreads(
      { after: (end: () => unknown) => void endings.push(end) } as Ending,
      { STAYWIRE_PUBLIC_URL: AGENT },
      { controls: createControlsInMemory(), identity },
    );
    return started;
  }

  after(async () => {
    for (const end of endings.reverse()) await end();
  });

  it('a session goes on over any connection, and sees each of its steps at once', async () => {
    const { origin, openIn } = await sharedThreads();
    for (const thread of [0, 1]) {
      const session = await openIn(thread);
      const done = await complete(origin, session);
      assert.equal(done.status, 200);
      assert.equal(done.body.object, 'search_result');
      const again = await Promise.all(
        Array.from({ length: 12 }, () => read(`${origin}/ai/v1/result?session=${session}`)),
      );
      for (const { status, body } of again) {
        assert.equal(status, 200);
        assert.deepEqual(body.results, done.body.results);
      }
    }
  });

  it('hands operations of the program itself to its threads, whichever the session lives in', async () => {
    const { service, openIn } = await sharedThreads();
    const transport = createInProcessTransport({
      serveOperation: service.serveOperation,
      caller: { assistant: 'local', address: '127.0.0.1' },
    });
    const stay = { destination: 'lisbon-pt', check_in_day: CHECK_IN, check_out: CHECK_OUT, guests: '2' };
    const { body: opened } = await transport.call('openSession');
    for (const token of [opened.session, await openIn(0), await openIn(1)]) {
      const { body } = await transport.call('search', stay, { token });
      assert.equal(body.object, 'search_result');
    }
  });

  it('every thread reads a session as its last change has left it', async () => {
    const { origin, openIn } = await sharedThreads();
    const session = await openIn(0);
    await complete(origin, session);
    for (let change = 0; change < 20; change += 1) {
      const guests = 1 + (change % 2);
      assert.equal((await stepOf(origin, session, `guests=${guests}`)).status, 200);
      const readings = await Promise.all(
        ['search', 'result', 'search', 'result', 'search', 'result'].map((path) =>
          read(`${origin}/ai/v1/${path}?session=${session}`),
        ),
      );
      assert.deepEqual(
        readings.map(({ body }) => body.query.guests),
        readings.map(() => guests),
      );
    }
  });

  it('requests of a session are carried out one after the other, and a repeated key only once', async () => {
    const { origin, openIn, operator } = await sharedThreads();
    let quotes = 0;
    operator.misbehave = async (path) => {
      if (path === '/quotes') quotes += 1;
      return false;
    };
    const session = await openIn(1);
    await stepOf(origin, session, 'destination=lisbon-pt');
    const url = `${origin}/ai/v1/search?session=${session}&check_in_day=${CHECK_IN}&check_out=${CHECK_OUT}&guests=2`;
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => read(url, { 'idempotency-key': 'the-same' })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 200),
    );
    operator.misbehave = async () => false;
    assert.equal(quotes, 1);
    assert.equal(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 7);
  });

  it('what is counted comes together from all threads, and none of it twice when one of them has ended', async (t) => {
    const activity = createPlainActivityStore();
    const { origin, service, threads, starts, openIn, close } = await startThreads(t, {}, { activity });
    const sessions = await Promise.all([0, 1].map(openIn));
    const notThere = (session: string) => stepOf(origin, session, 'destination=Atlantis');
    for (const session of sessions) await notThere(session);
    await service.flushActivity();
    const countOf = (...words: readonly string[]) =>
      Object.entries(activity.totals())
        .filter(([text]) => words.every((word) => text.includes(word)))
        .reduce((sum, [, number]) => sum + Number.parseInt(number, 10), 0);
    assert.equal(countOf('missing_places ', 'facet=atlantis'), 2);
    assert.equal(countOf('standings ', 'facet=destination', 'reason=destination:not_on_network'), 2);
    const before = starts();
    await threads.get(0)?.terminate();
    while (starts() === before) await new Promise((resolve) => setTimeout(resolve, 10));
    const [first = ''] = sessions;
    for (;;) {
      const { body } = await notThere(first);
      if (body.error === 'invalid_value') break;
    }
    assert.equal((await complete(origin, first)).body.object, 'search_result');
    await service.flushActivity();
    assert.equal(countOf('missing_places '), 2);
    assert.equal(countOf('standings ', 'facet=completed'), 1);
    assert.equal(countOf('standings ', 'reason=destination:not_on_network'), 1);
    assert.equal(countOf('standings '), countOf('sessions '));
    assert.equal(countOf('price_calls ', 'brand=acme'), 1);
    const [, other = ''] = sessions;
    await stepOf(origin, other, 'guests=2');
    await close();
    assert.ok(countOf('requests ', 'facet=search') >= 8, 'what was counted last is stored at the end');
  });

  it('a repeated opening finds its session, whichever thread gets it', async () => {
    const { origin } = await sharedThreads();
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => read(`${origin}/ai/v1/auth`, { 'idempotency-key': 'open-once' })),
    );
    assert.equal(new Set(replies.map(({ body }) => body.session)).size, 1);
  });

  it('the limits of a session and of a caller count over all threads', async (t) => {
    const { origin, openIn } = await startThreads(t, { STAYWIRE_RATE_LIMIT: '40' });
    const session = await openIn(1);
    // From its second request on, a session is read in whichever thread it is asked for.
    await stepOf(origin, session, 'destination=lisbon-pt');
    const steps = await Promise.all(
      Array.from({ length: 60 }, () => read(`${origin}/ai/v1/search?session=${session}`)),
    );
    assert.equal(steps.filter(({ body }) => body.error === 'rate_limited').length, 21);
    const left = steps.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    assert.deepEqual(new Set(left), new Set(Array.from({ length: 39 }, (_, number) => number)));
    const openings = await Promise.all(Array.from({ length: 60 }, () => read(`${origin}/ai/v1/auth`)));
    assert.ok(openings.filter(({ body }) => body.status === 429).length >= 20);
    assert.ok(openings.filter(({ body }) => body.status === 200).length < 40);
  });

  it('a thread that ends is replaced, and everything that was acknowledged is still there', async (t) => {
    const { origin, threads, starts, openIn, logLines } = await startThreads(t);
    const sessions = await Promise.all([0, 1].map(openIn));
    for (const session of sessions) await complete(origin, session);
    const before = await Promise.all(
      sessions.map((session) => read(`${origin}/ai/v1/result?session=${session}`)),
    );
    let acknowledged = 0;
    let isOver = false;
    // One session of the thread that ends is changed all the time.
    const walking = (async () => {
      for (let guests = 1; !isOver; guests = (guests % 2) + 1) {
        const url = `${origin}/ai/v1/search?session=${sessions[1]}&guests=${guests}`;
        const reply = await read(url).catch(() => undefined);
        if (reply?.status === 200) acknowledged = guests;
      }
    })();
    await threads.get(1)?.terminate();
    while (starts() < WORKERS + 1) await new Promise((resolve) => setImmediate(resolve));
    const untilServed = async (url: string): Promise<Reply> => {
      for (;;) {
        const reply = await read(url).catch(() => undefined);
        if (reply?.status === 200) return reply;
      }
    };
    await untilServed(`${origin}/ai/v1/result?session=${sessions[1]}`);
    isOver = true;
    await walking;
    const after = await Promise.all(
      sessions.map((session) => untilServed(`${origin}/ai/v1/result?session=${session}`)),
    );
    assert.deepEqual(after[0]?.body.results, before[0]?.body.results);
    assert.equal(after[1]?.body.query.guests, acknowledged);
    assert.ok(logLines.some((line) => line.includes('is replaced')));
    assert.equal((await stepOf(origin, await openIn(1), 'destination=lisbon-pt')).status, 200);
  });

  it('metrics count what all threads have served', async () => {
    const { origin, service, openIn } = await sharedThreads();
    const completed = async () =>
      Number(
        /^staywire_search_steps_total\{outcome="complete",node="stays-1"\} (\d+)$/m.exec(
          await service.renderMetrics(),
        )?.[1] ?? 0,
      );
    const before = await completed();
    for (const thread of [0, 1]) await complete(origin, await openIn(thread));
    assert.equal(await completed(), before + 2);
    const text = await service.renderMetrics();
    assert.match(text, /^staywire_index_properties\{node="stays-1"\} 1$/m);
    assert.match(text, /^staywire_index_bytes\{node="stays-1"\} [1-9]\d+$/m);
    assert.match(text, /^staywire_http_request_seconds_count\{operation="search",node="stays-1"\} \d+$/m);
  });

  it('closing lets searches in flight end, wherever they came in', async (t) => {
    const { origin, operator, openIn, close } = await startThreads(t);
    const mayAnswer = Promise.withResolvers<void>();
    let asked = 0;
    const allAsked = Promise.withResolvers<void>();
    operator.misbehave = async (path) => {
      if (path !== '/quotes') return false;
      asked += 1;
      if (asked === 2) allAsked.resolve();
      await mayAnswer.promise;
      return false;
    };
    const sessions = await Promise.all([0, 1].map(openIn));
    // Different parties, because operators are asked once for equal searches.
    const searches = sessions.map((session, number) => complete(origin, session, number + 1));
    await allAsked.promise;
    const closing = close();
    mayAnswer.resolve();
    for (const { status, body } of await Promise.all(searches)) {
      assert.equal(status, 200);
      assert.equal(body.object, 'search_result');
    }
    await closing;
  });

  it('ends when it is told to while its threads are still starting', async (t) => {
    const { service, close, threads } = await startThreads(t, {}, { waitForStart: false });
    const listening = service.listen({ host: '127.0.0.1', port: 0 }).catch(() => undefined);
    while (threads.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await close();
    await listening;
    await service.start();
    for (const worker of threads.values()) assert.equal(worker.threadId, -1);
  });

  it('pausing a brand takes its homes out of the next search in every thread, and resuming brings them back without a call', async () => {
    const { origin, operator, openIn, service } = await sharedThreads();
    const paths: string[] = [];
    operator.misbehave = (path) => {
      paths.push(path);
      return false;
    };
    const sessions = await Promise.all([0, 1].map(openIn));
    const placesIn = (session: string) => read(`${origin}/ai/v1/search?session=${session}`);
    for (const session of sessions) assert.equal((await placesIn(session)).body.error, 'incomplete_payload');
    await service.operators.pause('acme');
    for (const session of [...sessions, ...sessions]) {
      const { body } = await placesIn(session);
      assert.equal(body.error, 'nothing_on_offer');
      assert.match(body.message, /not on offer here at present: Brand acme\./);
    }
    assert.equal((await read(`${origin}/readyz`)).status, 200);
    await service.operators.resume('acme');
    // The homes come back in the background.
    for (const session of sessions) {
      while ((await placesIn(session)).body.error === 'nothing_on_offer')
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(paths, []);
    for (const session of sessions) {
      const { body } = await complete(origin, session);
      assert.equal(body.object, 'search_result', JSON.stringify(body));
    }
    assert.deepEqual(
      (await service.operators.health()).map(({ brand, homes }) => [brand, homes]),
      [['acme', 1]],
    );
  });

  it('signs requests to operators in one thread, and publishes the keys in all of them', async () => {
    const { origin, operator } = await sharedThreads();
    const agents: unknown[] = [];
    operator.misbehave = (_, { req }) => {
      agents.push(req.headers['signature-agent']);
      return false;
    };
    const { body } = await read(`${origin}/ai/v1/auth`);
    await complete(origin, body.session);
    assert.deepEqual(new Set(agents), new Set([`sig1="${AGENT}"`]));
    for (let at = 0; at < 8; at += 1) {
      const { body: directory, headers } = await read(`${origin}${KEY_DIRECTORY_PATH}`);
      const [{ keyid }] = identity.keys;
      assert.equal(directory.keys[0].kid, keyid);
      const sent = headers as Record<string, string>;
      const proof = { headers: sent, body: JSON.stringify(directory) };
      await provedByOthers(proof, { now: Date.now(), url: `${AGENT}${KEY_DIRECTORY_PATH}` });
    }
  });

  it('a second service on the same port is refused, though threads share it', async (t) => {
    const { origin } = await sharedThreads();
    const folder = mkdtempSync(join(tmpdir(), 'staywire-threads-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const operator = await startOperator(t);
    const second = startServiceProcess({
      dataDirectory: join(folder, 'data'),
      network: networkFile([brandEntry('acme', operator.origin)]),
      env: { PORT: new URL(origin).port, STAYWIRE_WORKERS: '2' },
    });
    t.after(() => second.child.kill('SIGKILL'));
    const { code, output } = await second.ended;
    assert.equal(code, 1);
    assert.match(output, /EADDRINUSE.*HOST and PORT/s);
  });
});
