import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createInProcessTransport } from '../requests/in-process-transport.ts';
import { converse, STAY } from '../support/conversation.ts';
import { postRequest, sendAndLeave } from '../support/leaving-client.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';

/** One operator that makes one call at a time and answers when it is told to. */
async function setNarrowScene(t: TestContext) {
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b')];
  const booking_system = {
    kind: 'open' as const,
    url: operator.origin,
    timeout_ms: 30_000,
    concurrency: 1,
  };
  const service = await startTestService({
    network: networkFile([{ ...brandEntry('acme', operator.origin), booking_system }]),
    settings: { quoteDeadlineMs: 60_000, rateLimit: 100_000 },
  });
  t.after(async () => {
    operator.misbehave = () => false;
    for (const { answer } of calls) answer();
    await service.close();
    await operator.close();
  });
  const calls: { readonly answer: () => void; readonly response: ServerResponse }[] = [];
  operator.misbehave = (path, response) => {
    if (path !== '/quotes') return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    calls.push({ answer: () => resolve(false), response });
    return promise;
  };
  const asked = async (count: number) => {
    while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { service, operator, calls, asked };
}

test('a session has a short queue: eight wait, the ninth is told to come back, and nothing is lost', {
  skip: perNode('the requests of a session wait in the line of their node'),
}, async (t) => {
  const { service, calls, asked } = await setNarrowScene(t);
  const conversation = await converse(service);
  const key = { 'idempotency-key': 'mine' };
  const first = conversation.send(STAY, key);
  await asked(1);
  const duplicates = Array.from({ length: 8 }, () => conversation.send(STAY, key));
  await service.requestsInFlight(9);
  const refused = await conversation.send({ guests: '3' });
  assert.equal(refused.status, 200);
  assert.equal(refused.body.error, 'overloaded');
  assert.equal(refused.headers['retry-after'], '1');
  assert.match(refused.body.message, /^This session has 8 requests waiting/);
  const where = await service.get(refused.body.next_request.url);
  assert.equal(where.body.session, conversation.token, 'the way on reads the session');
  assert.equal((await conversation.read()).body.error, 'incomplete_payload', 'reading does not queue');
  calls[0]?.answer();
  const { raw } = await first;
  for (const duplicate of await Promise.all(duplicates)) {
    assert.equal(duplicate.raw, raw);
    assert.equal(duplicate.headers['idempotent-replayed'], 'true');
  }
  assert.equal(calls.length, 1);
  assert.equal((await conversation.read()).body.query.guests, 2, 'the refused one changed nothing');
});

test('another caller gets through after one turn, however many searches one caller has waiting', {
  skip: perNode('searches wait for an operator in the line of their node'),
}, async (t) => {
  const { service, operator, calls, asked } = await setNarrowScene(t);
  const doorOf = (assistant: string) =>
    createInProcessTransport({
      serveOperation: service.serveOperation,
      caller: { assistant, address: '192.0.2.1' },
    });
  const [greedy, modest] = [doorOf('greedy'), doorOf('modest')];
  const nights = (number: number) => ({
    ...STAY,
    check_out: new Date(Date.parse(STAY.check_in_day) + (number + 1) * 86_400_000).toISOString().slice(0, 10),
  });
  const sessions = await Promise.all(Array.from({ length: 50 }, () => greedy.call('openSession')));
  const all = sessions.map(({ body }, number) =>
    greedy.call('search', nights(number), { token: body.session }),
  );
  await service.requestsInFlight(50);
  const token: string = (await modest.call('openSession')).body.session;
  const wanted = modest.call('search', { ...STAY, guests: '4' }, { token });
  await service.requestsInFlight(51);
  for (let turn = 0; turn < 3; turn += 1) {
    await asked(turn + 1);
    calls[turn]?.answer();
  }
  assert.equal((await wanted).body.object, 'search_result');
  assert.deepEqual(operator.asked.map(({ guests }) => guests).slice(0, 3), [2, 2, 4]);
  operator.misbehave = () => false;
  for (const { answer } of calls) answer();
  await Promise.all(all);
});

test('2,000 requests that were abandoned leave nothing behind', {
  skip: perNode('connections are those of a node'),
}, async (t) => {
  const { service, calls } = await setNarrowScene(t);
  const origin = await service.listen();
  const caller = { assistant: 'local', address: '127.0.0.1' };
  const transport = createInProcessTransport({ serveOperation: service.serveOperation, caller });
  const sessions = await Promise.all(Array.from({ length: 20 }, () => transport.call('openSession')));
  const tokens = sessions.map(({ body }): string => body.session);
  const isAbandoned = (line: string) => line.includes('"status":499,');
  let abandoned = 0;
  while (abandoned < 2000) {
    // Each connection carries eight requests of one session: one of them asks the operator, the others wait for it.
    const clients = await Promise.all(
      tokens.map((token) => {
        const requests = Array.from({ length: 8 }, (_, number) =>
          postRequest(`/ai/v1/search?session=${token}`, { ...STAY, guests: `${1 + (number % 4)}` }),
        );
        return sendAndLeave(origin, requests.join(''));
      }),
    );
    await service.requestsInFlight(160);
    for (const client of clients) client.reset();
    while (service.logLines.filter(isAbandoned).length < 160) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    abandoned += 160;
    service.logLines.length = 0;
    // Calls are broken off while it is known how long the operator takes; at other times they are left to finish.
    calls.at(-1)?.answer();
    await service.time.pass(100);
  }
  assert.match(await service.metrics.render(), /^staywire_http_requests_in_flight 0$/m);
  // The places of the sessions and of the operator are free, as soon as it has finished what it was called for.
  const [token = ''] = tokens;
  const searched = transport.call('search', STAY, { token });
  let isAnswered = false;
  searched.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    for (const { answer } of calls) answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await searched).body.object, 'search_result');
});
