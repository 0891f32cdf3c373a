import assert from 'node:assert/strict';
import { describe, it, type TestContext, test } from 'node:test';
import type { AssistantLimits } from '../../src/sessions/assistant-limits.ts';
import { STAY } from '../support/conversation.ts';
import { postRequest, sendAndLeave } from '../support/leaving-client.ts';
import { limitedAssistants } from '../support/limited-assistants.ts';
import { setScene } from '../support/scene.ts';

/** The first assistant calls from 10.0.0.0/24, the second from 10.0.1.0/24. */
async function setLimitedScene(
  t: TestContext,
  limits: Readonly<Record<string, AssistantLimits>>,
  settings: Parameters<typeof setScene>[1] = {},
) {
  const { registry, change } = limitedAssistants(limits);
  const scene = await setScene(t, { ...settings, registry });
  const from = (remoteAddress: string) => ({
    get: (url: string) => scene.service.call({ method: 'GET', url, remoteAddress }),
    post: (url: string, body: object = {}) =>
      scene.service.call({
        method: 'POST',
        url,
        remoteAddress,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      }),
    async open(): Promise<string> {
      return (await this.post('/ai/v1/auth')).body.session;
    },
    search(session: string, body: object = STAY) {
      return this.post(`/ai/v1/search?session=${session}`, body);
    },
  });
  return { ...scene, from, change };
}

describe('the requests of an assistant', () => {
  it('count over all of its sessions and addresses', async (t) => {
    const { from, service } = await setLimitedScene(t, { acme: { requests: 5 }, other: {} });
    const [one, another] = [from('10.0.0.1'), from('10.0.0.2')];
    const sessions = [await one.open(), await another.open()];
    service.time.now += 10_000;
    const steps = [
      await one.search(sessions[0] ?? '', {}),
      await another.search(sessions[1] ?? '', {}),
      await another.get('/ai/v1/schema'),
    ];
    for (const { headers } of steps) assert.equal(headers['x-ratelimit-limit'], '600', 'of its own window');
    assert.deepEqual(
      steps.map(({ headers }) => headers['x-ratelimit-remaining']),
      ['599', '599', '598'],
    );

    const refused = await one.search(sessions[0] ?? '', STAY);
    assert.deepEqual([refused.status, refused.body.error], [200, 'rate_limited']);
    assert.equal(refused.body.retry_after_seconds, 50);
    assert.equal(refused.headers['retry-after'], '50');
    assert.equal(refused.headers['x-ratelimit-limit'], '5', 'of the window that refused it');
    assert.equal(refused.headers['x-ratelimit-remaining'], '0');
    assert.match(refused.body.next_request.url, /\/ai\/v1\/search\?session=/);
    for (const answer of [await another.post('/ai/v1/auth'), await another.get('/ai/v1/terms')]) {
      assert.deepEqual([answer.status, answer.body.error], [429, 'rate_limited']);
    }
    const unknown = await one.get('/ai/v1/nothing');
    assert.deepEqual([unknown.status, unknown.headers['x-ratelimit-remaining']], [404, '0']);

    const modest = from('10.0.1.1');
    assert.equal((await modest.search(await modest.open())).body.object, 'search_result');

    service.time.now += 50_000;
    const later = await one.search(sessions[0] ?? '');
    assert.equal(later.body.object, 'search_result', 'nothing was lost');
    assert.equal(later.headers['x-ratelimit-remaining'], '598', 'refusals used up nothing of its session');
  });

  it('follow the registry as it changes', async (t) => {
    const { from, change } = await setLimitedScene(t, { acme: { requests: 2 } });
    const caller = from('10.0.0.1');
    const status = async () => (await caller.get('/ai/v1/terms')).status;
    assert.deepEqual([await status(), await status(), await status()], [200, 200, 429]);
    change({ acme: { requests: 3 } });
    assert.deepEqual([await status(), await status()], [200, 429]);
    change({ acme: {} });
    assert.deepEqual([await status(), await status()], [200, 200]);
    change({ acme: { requests: 1 } });
    assert.equal(await status(), 429, 'those of the window so far count');
  });
});

describe('the searches of an assistant', () => {
  async function setWaitingScene(t: TestContext, limits: Readonly<Record<string, AssistantLimits>>) {
    const scene = await setLimitedScene(t, limits, { settings: { quoteDeadlineMs: 60_000 } });
    const { operator } = scene;
    const calls: (() => void)[] = [];
    operator.misbehave = (path) => {
      if (path !== '/quotes') return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      calls.push(() => resolve(false));
      return promise;
    };
    const asked = async (count: number) => {
      while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const answerAll = () => {
      operator.misbehave = () => false;
      for (const answer of calls) answer();
    };
    t.after(answerAll);
    return { ...scene, calls, asked, answerAll };
  }

  it('that ask operators are as many as its limit: the next is told to come back, and nothing is lost', async (t) => {
    const { from, asked, answerAll, change } = await setWaitingScene(t, { acme: { searches: 2 }, other: {} });
    const [one, another] = [from('10.0.0.1'), from('10.0.0.2')];
    const underWay = [
      one.search(await one.open()),
      another.search(await another.open(), { ...STAY, guests: '3' }),
    ];
    await asked(2);

    const session = await one.open();
    const before = await one.get(`/ai/v1/search?session=${session}`);
    const refused = await one.search(session, { ...STAY, guests: '4' });
    assert.deepEqual([refused.status, refused.body.error], [200, 'overloaded']);
    assert.match(refused.body.message, /^This assistant has as many searches/);
    assert.equal(refused.body.retry_after_seconds, 2);
    assert.equal(refused.headers['retry-after'], '2');
    const after = await one.get(refused.body.next_request.url);
    assert.equal(after.raw, before.raw, 'the session is as it was');

    const modest = from('10.0.1.1');
    const others = modest.search(await modest.open(), { ...STAY, guests: '1' });
    await asked(3);
    change({ acme: { searches: 3 }, other: {} });
    const third = one.search(session, { ...STAY, guests: '4' });
    await asked(4);

    answerAll();
    for (const search of [...underWay, others, third]) {
      assert.equal((await search).body.object, 'search_result');
    }
    change({ acme: { searches: 1 }, other: {} });
    assert.equal((await one.search(await one.open())).body.object, 'search_result', 'all places are free');
  });

  it('keep their places when their clients hang up, until operators are no longer busy with them', async (t) => {
    const { from, asked, answerAll, calls, service } = await setWaitingScene(t, { acme: { searches: 2 } });
    const origin = await service.listen();
    const caller = from('10.0.0.1');
    const hangUpOn = async (guests: string) => {
      const address = `/ai/v1/search?session=${await caller.open()}`;
      const before = calls.length;
      const request = postRequest(address, { ...STAY, guests }, ['User-Agent: acme-User']);
      const client = await sendAndLeave(origin, request);
      await asked(before + 1);
      client.reset();
    };
    const abandoned = () => service.logLines.filter((line) => line.includes('"status":499,')).length;
    await hangUpOn('1');
    await hangUpOn('2');
    while (abandoned() < 2) await new Promise((resolve) => setImmediate(resolve));
    const session = await caller.open();
    const refused = await caller.search(session, { ...STAY, guests: '3' });
    assert.equal(refused.body.error, 'overloaded', 'both calls are still open');
    assert.equal(calls.length, 2);

    const ended = service.nextQuoteCall('acme');
    answerAll();
    await ended;
    assert.equal((await caller.search(session, STAY)).body.object, 'search_result');
  });
});

const MINUTE = 60_000;

test('beyond its sessions an assistant opens no more until the oldest ends, and its open ones go on', async (t) => {
  const { service, open } = await setScene(t, { settings: { maxSessions: 2 } });
  const first = await open();
  await service.time.pass(5 * MINUTE);
  await open();
  const refused = await service.post('/ai/v1/auth', { source: 'acme' });
  assert.deepEqual([refused.status, refused.body.error], [429, 'too_many_sessions']);
  assert.equal(refused.headers['retry-after'], String(25 * 60));
  assert.equal(refused.body.retry_after_seconds, 25 * 60);
  assert.deepEqual(refused.body.next_request.body, { source: 'acme' });
  assert.equal((await first.send(STAY)).body.object, 'search_result');

  assert.match(
    refused.body.message,
    /Go on with one that is open: every field in its field_order can be changed/,
  );

  // Deleting comes later; whoever waits for as long as it was told is let in.
  service.time.now += 25 * MINUTE - 1_000;
  assert.equal((await service.post('/ai/v1/auth', {})).headers['retry-after'], '1');
  service.time.now += 1_000;
  assert.equal((await service.post('/ai/v1/auth', {})).status, 200);
  assert.equal((await service.post('/ai/v1/auth', {})).status, 429);
});
