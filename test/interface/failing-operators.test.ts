import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { QuotesRequest } from '../../src/connectors/open/quote.ts';
import { createInProcessTransport } from '../requests/in-process-transport.ts';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { setScene } from '../support/scene.ts';

/** In place of a status: no answer at all. */
const SILENCE = 0;

/** One operator, whose homes take eight guests. `fails` says with which status it fails for a party; null when it answers. */
async function setFailingScene(
  t: TestContext,
  fails: (guests: number) => number | null | Promise<null>,
  bookingSystem = {},
) {
  const homes = ['a', 'b'].map((reference) => property(reference, { max_guests: 8 }));
  const { service, operator } = await setScene(t, {
    brands: { acme: { properties: homes, bookingSystem } },
    settings: { rateLimit: 100_000 },
  });
  const calls: number[] = [];
  operator.misbehave = async (path, response, body) => {
    if (path !== '/quotes') return false;
    const { guests } = body as QuotesRequest;
    calls.push(guests);
    const status = await fails(guests);
    if (status !== null && status !== SILENCE) {
      const headers = {
        'content-type': 'application/json',
        ...(status === 429 ? {} : { 'retry-after': '3600' }),
      };
      response.writeHead(status, headers).end('{}');
    }
    return status !== null;
  };
  const callerOf = (assistant: string, address: string) => {
    const caller = { assistant, address };
    const transport = createInProcessTransport({ serveOperation: service.serveOperation, caller });
    return async (guests: number, stay: object = {}) => {
      const token: string = (await transport.call('openSession')).body.session;
      return (await transport.call('search', { ...STAY, guests: String(guests), ...stay }, { token })).body;
    };
  };
  return { service, calls, callerOf };
}

for (const status of [500, 400]) {
  for (const [whose, greedyAssistant] of [
    ['another assistant', 'greedy'],
    ['another user of the same assistant', 'modest'],
  ] as const) {
    test(`a caller gets a brand in every search beside ${whose} whose questions it answers with ${status}`, async (t) => {
      const { service, calls, callerOf } = await setFailingScene(t, (guests) =>
        guests >= 5 ? status : null,
      );
      const greedy = callerOf(greedyAssistant, '192.0.2.1');
      const modest = callerOf('modest', '192.0.2.2');
      const missed: number[] = [];
      for (let second = 0; second < 60; second += 1) {
        // What is answered for tonight or tomorrow cannot be asked again for long.
        if (second > 0) {
          for (const day of ['02', '01'])
            await greedy(2, {
              check_in_month: '2027-03',
              check_in_day: `2027-03-${day}`,
              check_out: '2027-03-05',
            });
        }
        // Its first question comes when the brand has been doubted already, or nearly.
        for (const guests of [5, 6, 7, 8]) await greedy(guests);
        const { object } = await modest(2);
        if (object !== 'search_result') missed.push(second);
        await service.time.pass(1000);
      }
      assert.deepEqual(missed, []);
      const repeated = calls.filter((guests) => guests === 2).length - 60 - 2 * 59;
      assert.ok(repeated <= 60 / 15 + 1, `${repeated} questions were repeated`);
    });
  }
}

test('a brand comes back after an outage, and after a start, beside a caller whose questions it cannot answer', async (t) => {
  for (const isAnsweredBefore of [true, false]) {
    let isWell = isAnsweredBefore;
    const { service, callerOf } = await setFailingScene(t, (guests) => (isWell && guests < 5 ? null : 503));
    const greedy = callerOf('greedy', '192.0.2.1');
    const modest = callerOf('modest', '192.0.2.2');
    if (isAnsweredBefore) assert.equal((await modest(2)).object, 'search_result');
    isWell = false;
    const had: boolean[] = [];
    for (let second = 0; second < 100; second += 1) {
      isWell = second >= 40;
      // In time for each probe, and always before the other one.
      await greedy(5 + (second % 4));
      had.push((await modest(2)).object === 'search_result');
      await service.time.pass(1000);
    }
    assert.deepEqual(had.slice(-30), Array(30).fill(true));
  }
});

test('everybody silent: no envelope, the payload is kept, and a later try succeeds', async (t) => {
  const { service, operator, open } = await setScene(t);
  operator.misbehave = (_path, response) => {
    response.writeHead(503).end();
    return true;
  };
  const conversation = await open('acme');
  const failed = await conversation.send({ brand_locked: true, ...STAY });
  assert.equal(failed.status, 200);
  assert.equal(failed.body.error, 'upstream_unavailable');
  assert.equal(failed.headers['retry-after'], '5');
  assert.equal(failed.body.retry_after_seconds, 5);
  assert.deepEqual(failed.body.received, { source: 'acme', brand_locked: true, ...STAY });
  assert.deepEqual(failed.body.missing_fields, []);
  assert.equal(failed.body.next_request.method, 'GET');
  const silence = await conversation.result();
  assert.deepEqual([silence.status, silence.body.error], [503, 'upstream_unavailable']);
  assert.equal(silence.headers['retry-after'], '5');
  assert.match(
    silence.body.message,
    /gave a usable answer, so there are no prices yet.*Your answers are kept/,
  );
  assert.equal(silence.body.next_request.url, failed.body.next_request.url);

  operator.misbehave = () => false;
  const { body } = await service.get(failed.body.next_request.url);
  assert.equal(body.object, 'search_result');
  assert.equal(body.comparison_set.options_count, 2);
  assert.equal((await conversation.result()).status, 200);
});

test('everybody silent after a change: the last envelope can still be read', async (t) => {
  const { operator, open } = await setScene(t);
  const conversation = await open();
  const { raw } = await conversation.search();
  operator.misbehave = (_path, response) => {
    response.writeHead(503).end();
    return true;
  };
  const failed = await conversation.send({ guests: 3 });
  assert.equal(failed.body.error, 'upstream_unavailable');
  assert.deepEqual(failed.body.received, { ...STAY, guests: '3' }, 'the change is kept');
  assert.equal((await conversation.result()).raw, raw);
  operator.misbehave = () => false;
  const { body } = await conversation.read();
  assert.equal(body.query.guests, 3);
});

test('an operator that keeps failing is left in peace for a while, and asked again later', async (t) => {
  const { service, operator, open } = await setScene(t);
  let calls = 0;
  operator.misbehave = (_path, response) => {
    calls += 1;
    response.writeHead(500).end();
    return true;
  };
  const conversation = await open();
  const waits: unknown[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const { body, headers } = await conversation.send(STAY);
    assert.equal(body.error, 'upstream_unavailable');
    assert.equal(headers['retry-after'], String(body.retry_after_seconds));
    waits.push(body.retry_after_seconds);
  }
  assert.ok(calls < 8, `asked ${calls} times`);
  assert.deepEqual(waits, [5, 5, 5, 5, 15, 15, 15, 15], 'as long as it is left alone');
  service.time.now += 4_000;
  assert.equal((await conversation.send(STAY)).body.retry_after_seconds, 11);
  operator.misbehave = () => false;
  service.time.now += 11_000;
  assert.equal((await conversation.read()).body.object, 'search_result');
});
