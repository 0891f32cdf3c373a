import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { QuotesRequest } from '../../src/connectors/open/protocol.ts';
import { createInProcessTransport } from '../requests/in-process-transport.ts';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
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

test('a caller gets a brand in every search beside one whose questions it mostly, but not always, fails to answer', async (t) => {
  let large = 0;
  const { service, callerOf } = await setFailingScene(t, (guests) => {
    if (guests < 5) return null;
    large += 1;
    return large % 3 === 0 ? null : 500;
  });
  const greedy = callerOf('greedy', '192.0.2.1');
  const modest = callerOf('modest', '192.0.2.2');
  const missed: number[] = [];
  for (let second = 0; second < 60; second += 1) {
    if ((await modest(2)).object !== 'search_result') missed.push(second);
    for (const guests of [5, 6, 7, 8]) await greedy(guests);
    await service.time.pass(1000);
  }
  assert.deepEqual(missed, []);
});

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

test('a brand that takes one call at a time has prices for a caller beside questions that it does not answer', {
  skip: perNode('a caller of another node may wait for its turn twice'),
}, async (t) => {
  const ANSWER_TENTHS = 15;
  let tenths = 0;
  let answers: { readonly due: number; readonly send: () => void }[] = [];
  const answer = () =>
    new Promise<null>((resolve) => answers.push({ due: tenths + ANSWER_TENTHS, send: () => resolve(null) }));
  const { service, calls, callerOf } = await setFailingScene(
    t,
    (guests) => (guests < 5 ? answer() : SILENCE),
    {
      concurrency: 1,
      timeout_ms: 8000,
    },
  );
  const greedy = callerOf('greedy', '192.0.2.1');
  const modest = callerOf('modest', '192.0.2.2');
  const found: Promise<string>[] = [];
  for (; tenths < 700; tenths += 1) {
    for (const { due, send } of answers) if (due <= tenths) send();
    answers = answers.filter(({ due }) => due > tenths);
    if (tenths % 30 === 0 && tenths < 600) greedy(5 + ((tenths / 30) % 4));
    if (tenths % 41 === 1 && tenths < 600) found.push(modest(2).then(({ object }) => object));
    await service.time.pass(100);
  }
  assert.deepEqual(await Promise.all(found), Array(15).fill('search_result'));
  assert.ok(calls.filter((guests) => guests >= 5).length >= 10, 'the greedy one is asked for too');
});

test('a server that limits requests has prices for a caller beside one that asks without end', {
  skip: perNode('what nodes share is asked for again by the clock, which stands still here'),
}, async (t) => {
  const answered: number[] = [];
  const { service, callerOf } = await setFailingScene(
    t,
    () => {
      const now = service.time.now;
      if (answered.filter((at) => at > now - 60_000).length >= 60) return 429;
      answered.push(now);
      return null;
    },
    { rate_limits: [{ requests: 60, seconds: 60 }] },
  );
  const greedy = callerOf('greedy', '192.0.2.1');
  const modest = callerOf('modest', '192.0.2.2');
  const missed: number[] = [];
  for (let second = 0; second < 180; second += 5) {
    for (let search = 0; search < 20; search += 1) {
      const day = String(10 + ((second + search) % 15)).padStart(2, '0');
      const stay = { check_in_day: `2027-03-${day}`, check_out: `2027-03-${Number(day) + 3}` };
      await greedy(1 + (search % 4), { check_in_month: '2027-03', ...stay });
    }
    if ((await modest(2)).object !== 'search_result') missed.push(second);
    await service.time.pass(5000);
  }
  assert.deepEqual(missed, []);
  assert.ok(answered.length > 90, `the greedy one has its share too: ${answered.length} calls`);
});

for (const status of [503, 400]) {
  test(`a server with rate limits has prices for a caller when it answers another with ${status} and Retry-After`, async (t) => {
    const { callerOf } = await setFailingScene(t, (guests) => (guests < 5 ? null : status), {
      rate_limits: [{ requests: 600, seconds: 60 }],
    });
    assert.equal((await callerOf('greedy', '192.0.2.1')(5)).error, 'upstream_unavailable');
    assert.equal((await callerOf('modest', '192.0.2.2')(2)).object, 'search_result');
  });
}

test('a brand that fails for everybody is left alone with a single caller, and comes back', async (t) => {
  let isWell = true;
  const { service, calls, callerOf } = await setFailingScene(t, () => (isWell ? null : 503));
  const search = callerOf('alone', '192.0.2.1');
  assert.equal((await search(2)).object, 'search_result');
  isWell = false;
  const before = calls.length;
  for (let second = 0; second < 60; second += 1) {
    assert.equal((await search(3)).error, 'upstream_unavailable');
    await service.time.pass(1000);
  }
  const inVain = calls.length - before;
  assert.ok(inVain <= 5 + 60 / 15, `it was asked ${inVain} times in vain`);
  isWell = true;
  await service.time.pass(15_000);
  assert.equal((await search(3)).object, 'search_result');
});
