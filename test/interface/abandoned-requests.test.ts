import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Storage } from '../../src/storage/storage.ts';
import { converse, STAY } from '../support/conversation.ts';
import { postRequest, sendAndLeave } from '../support/leaving-client.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
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
