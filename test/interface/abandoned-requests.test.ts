import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createInProcessTransport } from '../requests/in-process-transport.ts';
import { converse, STAY } from '../support/conversation.ts';
import { postRequest, sendAndLeave } from '../support/leaving-client.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';

/** What becomes of a request when its client goes before it is answered. */

const CONCURRENCY = 4;

/** An operator that keeps its quote calls until it is told to answer, however long the machine takes. */
async function setSlowScene(t: TestContext, storage?: Storage) {
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b')];
  const booking_system = {
    kind: 'open' as const,
    url: operator.origin,
    timeout_ms: 30_000,
    concurrency: CONCURRENCY,
  };
  const service = await startTestService({
    network: networkFile([{ ...brandEntry('acme', operator.origin), booking_system }]),
    settings: { quoteDeadlineMs: 60_000, rateLimit: 10_000 },
    ...(storage ? { storage } : {}),
  });
  t.after(async () => {
    await service.close();
    await operator.close();
  });
  const calls: { readonly answer: () => void; readonly response: ServerResponse }[] = [];
  let waiting: { count: number; done: () => void } | undefined;
  operator.misbehave = (path, response) => {
    if (path !== '/quotes') return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    calls.push({ answer: () => resolve(false), response });
    if (waiting && calls.length >= waiting.count) waiting.done();
    return promise;
  };
  const origin = await service.listen();
  return {
    service,
    open: () => converse(service),
    origin,
    calls,
    /** Resolves when the operator has been asked this often. */
    asked: (count: number) =>
      calls.length >= count
        ? Promise.resolve()
        : new Promise<void>((done) => {
            waiting = { count, done };
          }),
  };
}

/** Makes known how long the operator takes: at other times a call that everybody has left is left to finish. */
async function answerOneSearch(scene: Pick<SlowScene, 'open' | 'asked' | 'calls'>): Promise<void> {
  const conversation = await scene.open();
  const answer = conversation.send({ ...STAY, guests: '1' });
  await scene.asked(1);
  scene.calls[0]?.answer();
  await answer;
}

type SlowScene = Awaited<ReturnType<typeof setSlowScene>>;

/** Only something that never comes about takes so many. */
const MAX_LOOKS = 10_000;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks += 1) {
    assert.ok(looks < MAX_LOOKS, 'it did not come about');
    // Not at every turn of the loop: looking takes longer than what is waited for.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const inFlight = async ({ service }: Pick<SlowScene, 'service'>) =>
  Number(/^staywire_http_requests_in_flight (\d+)$/m.exec(await service.metrics.render())?.[1]);

const linesOf = ({ service }: Pick<SlowScene, 'service'>, status: number) =>
  service.logLines.filter((line) => line.includes(`"status":${status},`)).map((line) => JSON.parse(line));

test('a search whose client is gone asks no longer, changes nothing, and can be repeated under its key', async (t) => {
  const scene = await setSlowScene(t);
  await answerOneSearch(scene);
  const conversation = await scene.open();
  const bytes = postRequest(conversation.address(), STAY, ['Idempotency-Key: mine']);
  const client = await sendAndLeave(scene.origin, bytes);
  await scene.asked(2);
  client.reset();
  await until(async () => (await inFlight(scene)) === 0);
  assert.deepEqual((await conversation.read()).body.received, {}, 'nothing was committed');

  const [line] = linesOf(scene, 499);
  assert.deepEqual(
    [line.operation, line.method, line.path, line.error, line.assistant],
    ['search', 'POST', '/ai/v1/search', 'abandoned', 'local'],
  );
  const metrics = await scene.service.metrics.render();
  assert.match(
    metrics,
    /^staywire_http_requests_total\{operation="search",status="499",error="abandoned"\} 1$/m,
  );
  assert.match(metrics, /^staywire_search_steps_total\{outcome="abandoned"\} 1$/m);

  const again = conversation.send(STAY, { 'idempotency-key': 'mine' });
  await scene.asked(3);
  scene.calls[2]?.answer();
  const { body, headers } = await again;
  assert.equal(body.object, 'search_result');
  assert.equal(headers['idempotent-replayed'], undefined, 'it is carried out for the first time');
});

test('who closes in the ordinary way is found out by a sign of life that is not taken', async (t) => {
  const scene = await setSlowScene(t);
  const before = scene.service.time.now;
  const conversation = await scene.open();
  const client = await sendAndLeave(scene.origin, postRequest(conversation.address(), STAY));
  await scene.asked(1);
  client.hangUp();
  await until(async () => {
    await scene.service.time.pass(20);
    return linesOf(scene, 499).length === 1;
  });
  await until(async () => (await inFlight(scene)) === 0);
  assert.ok(scene.service.time.now - before < 5000, 'long before the operator would have been given up');
});

test('who only stops sending is still answered', async (t) => {
  const scene = await setSlowScene(t);
  const conversation = await scene.open();
  const client = await sendAndLeave(scene.origin, postRequest(conversation.address(), STAY));
  await scene.asked(1);
  client.halfClose();
  for (let passed = 0; passed < 3000; passed += 100) await scene.service.time.pass(100);
  assert.equal(scene.calls[0]?.response.destroyed, false);
  scene.calls[0]?.answer();
  const received = await client.received();
  const answer = received.slice(received.lastIndexOf('HTTP/1.1 '));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /"object":"search_result"/);
  assert.doesNotMatch(
    received,
    /^(?:HTTP\/1\.1 100 Continue\r\n\r\n){8}/,
    'not more signs of life than needed',
  );
  assert.deepEqual(linesOf(scene, 499), []);
});

test('a call that another search shares goes on', {
  skip: perNode('identical calls are shared by the searches of a node'),
}, async (t) => {
  const scene = await setSlowScene(t);
  const [first, second] = [await scene.open(), await scene.open()];
  const leaving = await sendAndLeave(scene.origin, postRequest(first.address(), STAY));
  await scene.asked(1);
  const answer = second.send(STAY);
  await scene.service.requestsInFlight(2);
  leaving.reset();
  await until(() => linesOf(scene, 499).length === 1);
  scene.calls[0]?.answer();
  assert.equal((await answer).body.object, 'search_result');
  assert.equal(scene.calls.length, 1);
  assert.deepEqual((await first.read()).body.received, {});
});

test('what is already being written is written whole', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule: { limit: 600, windowMs: 60_000 } });
  const [writing, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { sessions } = storage;
  const slow = {
    ...storage,
    sessions: {
      ...sessions,
      async commit(change: Parameters<typeof sessions.commit>[0]) {
        writing.resolve();
        await finished.promise;
        return sessions.commit(change);
      },
    },
  };
  const scene = await setSlowScene(t, slow);
  const conversation = await scene.open();
  const bytes = postRequest(conversation.address(), { guests: '2' }, ['Idempotency-Key: mine']);
  const client = await sendAndLeave(scene.origin, bytes);
  await writing.promise;
  client.reset();
  await until(() => linesOf(scene, 499).length === 1);
  finished.resolve();
  await until(async () => (await inFlight(scene)) === 0);
  const again = await conversation.send({ guests: '2' }, { 'idempotency-key': 'mine' });
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.body.received, { guests: '2' });
});

test('500 searches that are abandoned together ask the operator no more often than it answers at a time', {
  skip: perNode('searches wait for an operator in the line of their node'),
}, async (t) => {
  const scene = await setSlowScene(t);
  const caller = { assistant: 'local', address: '127.0.0.1' };
  const transport = createInProcessTransport({ serveOperation: scene.service.serveOperation, caller });
  const opened = await Promise.all(Array.from({ length: 500 }, () => transport.call('openSession')));
  const modest = await scene.open();
  // Each asks for other nights, so that no call is shared.
  const clients = await Promise.all(
    opened.map(({ body }, number) =>
      sendAndLeave(
        scene.origin,
        postRequest(`/ai/v1/search?session=${body.session}`, { ...STAY, ...stayNumber(number) }),
      ),
    ),
  );
  // Those who find no place in the queue are told so; the others wait.
  const told = () => linesOf(scene, 200).filter(({ operation }) => operation === 'search').length;
  await until(async () => (await inFlight(scene)) + told() === 500);
  const waiting = await inFlight(scene);
  assert.ok(waiting > 100, `${waiting} wait`);
  assert.equal(scene.calls.length, CONCURRENCY);
  for (const client of clients) client.reset();
  await until(() => linesOf(scene, 499).length === waiting);
  assert.equal(scene.calls.length, CONCURRENCY, 'the operator was called for no caller that left');

  const answer = modest.send(STAY);
  assert.equal(scene.calls.length, CONCURRENCY, 'it is still busy with those that it was called for');
  for (const call of scene.calls) call.answer();
  await scene.asked(CONCURRENCY + 1);
  scene.calls.at(-1)?.answer();
  assert.equal((await answer).body.object, 'search_result');
});

function stayNumber(number: number): Record<string, string> {
  const start = Date.parse('2027-04-01T00:00:00Z');
  const day = (offset: number) => new Date(start + offset * 86_400_000).toISOString().slice(0, 10);
  const checkIn = number % 25;
  const nights = 1 + (Math.floor(number / 25) % 20);
  const [check_in_day, check_out] = [day(checkIn), day(checkIn + nights)];
  return { check_in_month: check_in_day.slice(0, 7), check_in_day, check_out };
}
