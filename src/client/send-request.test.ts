import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientPlatform, RetryNotice, SendHttp } from './client-options.ts';
import { type ClientRequest, retryAfterIn, retryDelayMs, sendRequest } from './send-request.ts';

const REQUEST: ClientRequest = {
  url: 'http://service/ai/v1/search',
  method: 'POST',
  headers: new Headers({ 'idempotency-key': 'k-1' }),
  body: '{"guests":2}',
};
const PATIENCE = { timeoutMs: 30_000, maxRetries: 2, maxWaitMs: 60_000 };
const FOUND = { object: 'search_result' };

type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown };

/** Sends the given replies in turn; timers fire when the test calls for it. */
function createStage(replies: readonly (Reply | Error | 'silence')[]) {
  const timers: { readonly delayMs: number; readonly fire: () => void }[] = [];
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetch: SendHttp = async (url, init) => {
    const reply = replies[sent.length];
    sent.push({ url, init });
    if (reply === undefined) throw new Error('asked once too often');
    if (reply === 'silence') return new Promise(() => {});
    if (reply instanceof Error) throw reply;
    const { status = 200, headers = {}, body } = reply;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const platform: ClientPlatform = {
    fetch,
    after(delayMs, fire) {
      const timer = { delayMs, fire };
      timers.push(timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    random: () => 0,
    newKey: () => 'unused',
  };
  return {
    sent,
    timers,
    platform,
    /** Fires the only timer, which must have this delay. */
    async pass(delayMs: number) {
      await settle();
      assert.deepEqual(
        timers.map((timer) => timer.delayMs),
        [delayMs],
      );
      timers.shift()?.fire();
      await settle();
    },
  };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a request', () => {
  const busy: Readonly<Record<string, { reply: Reply | Error; delayMs: number; because: string }>> = {
    'cannot be sent': { reply: new TypeError('fetch failed'), delayMs: 250, because: 'network_error' },
    'is refused with 429': {
      reply: { status: 429, headers: { 'retry-after': '3' }, body: { error: 'rate_limited' } },
      delayMs: 3000,
      because: 'rate_limited',
    },
    'is refused with 429 for another reason': {
      reply: { status: 429, headers: { 'retry-after': '4' }, body: { error: 'too_many_sessions' } },
      delayMs: 4000,
      because: 'too_many_sessions',
    },
    'is refused with 503 by something in between': {
      reply: { status: 503, body: '<h1>unavailable</h1>' },
      delayMs: 250,
      because: 'unreadable_answer',
    },
    'is refused with 503 and a wait by something in between': {
      reply: { status: 503, headers: { 'retry-after': '2' }, body: '<h1>unavailable</h1>' },
      delayMs: 2000,
      because: 'unreadable_answer',
    },
    ...Object.fromEntries(
      ['rate_limited', 'overloaded', 'storage_unavailable', 'upstream_unavailable'].map((error) => [
        `search answers with ${error} and 200`,
        { reply: { body: { error, retry_after_seconds: 5 } }, delayMs: 5000, because: error },
      ]),
    ),
  };
  for (const [what, { reply, delayMs, because }] of Object.entries(busy)) {
    it(`that ${what} is repeated after a wait, the same in every byte`, async () => {
      const stage = createStage([reply, { body: FOUND }]);
      const notices: RetryNotice[] = [];
      const answer = sendRequest(REQUEST, {
        platform: stage.platform,
        patience: PATIENCE,
        onRetry: (notice) => notices.push(notice),
      });
      await stage.pass(delayMs);
      assert.deepEqual((await answer).json, FOUND);
      assert.deepEqual(notices, [{ retry: 1, delayMs, because }]);
      const [first, second] = stage.sent.map(({ url, init: { signal: _signal, ...init } }) => ({
        url,
        ...init,
      }));
      assert.deepEqual(first, second);
      assert.equal(new Headers(stage.sent[1]?.init.headers).get('idempotency-key'), 'k-1');
    });
  }

  for (const error of ['internal_error', 'nothing_on_offer', 'session_expired', 'invalid_value']) {
    it(`that is answered with ${error} is not repeated`, async () => {
      const stage = createStage([
        { status: error === 'internal_error' ? 500 : 200, body: { error, retry_after_seconds: 1 } },
      ]);
      const { json } = await sendRequest(REQUEST, { platform: stage.platform, patience: PATIENCE });
      assert.equal(json.error, error);
    });
  }

  it('is repeated as often as allowed, and then what was answered last is the answer', async () => {
    const overloaded = { body: { error: 'overloaded', retry_after_seconds: 1 } };
    const stage = createStage([overloaded, overloaded, overloaded]);
    const answer = sendRequest(REQUEST, { platform: stage.platform, patience: PATIENCE });
    await stage.pass(1000);
    await stage.pass(1000);
    assert.equal((await answer).json.error, 'overloaded');
    assert.equal(stage.sent.length, 3);
  });

  it('that never reaches anybody fails with the cause of the last attempt', async () => {
    const cause = new TypeError('fetch failed');
    const stage = createStage([cause]);
    await assert.rejects(
      sendRequest(REQUEST, { platform: stage.platform, patience: { ...PATIENCE, maxRetries: 0 } }),
      { name: 'StaywireError', code: 'network_error', status: null, cause },
    );
  });

  it('that is sent elsewhere goes nowhere else, and is not repeated', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = 'https://elsewhere.example/ai/v1/search?x=1';
      const stage = createStage([{ status, headers: { location }, body: FOUND }]);
      await assert.rejects(sendRequest(REQUEST, { platform: stage.platform, patience: PATIENCE }), {
        name: 'StaywireError',
        code: 'unexpected_redirect',
        status,
        body: null,
        message:
          'What answered redirects to https://elsewhere.example, which is not followed: the session would go along.',
      });
      // Not `error`, which workers do not have.
      assert.equal(stage.sent[0]?.init.redirect, 'manual');
    }
  });

  it('that is not answered in time is given up and repeated', async () => {
    const stage = createStage(['silence', { body: FOUND }]);
    const answer = sendRequest(REQUEST, { platform: stage.platform, patience: PATIENCE });
    await stage.pass(30_000);
    assert.equal(stage.sent[0]?.init.signal?.aborted, true);
    await stage.pass(250);
    assert.deepEqual((await answer).json, FOUND);
    assert.deepEqual(stage.timers, []);
  });

  it('whose body stops halfway is given up too', async () => {
    const stage = createStage([]);
    const halfway = new Response(
      new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([123])) }),
    );
    const answer = sendRequest(REQUEST, {
      platform: { ...stage.platform, fetch: async () => halfway },
      patience: { ...PATIENCE, maxRetries: 0 },
    });
    const outcome = assert.rejects(answer, { code: 'timeout' });
    await stage.pass(30_000);
    await outcome;
  });
});

describe('a signal', () => {
  const reason = new Error('the traveller left');

  it('that has aborted already keeps the request from being sent', async () => {
    const stage = createStage([]);
    const answer = sendRequest(REQUEST, {
      platform: stage.platform,
      patience: PATIENCE,
      signal: AbortSignal.abort(reason),
    });
    await assert.rejects(answer, reason);
    assert.equal(stage.sent.length, 0);
  });

  it('ends the wait before a repeat', async () => {
    const stage = createStage([{ body: { error: 'overloaded', retry_after_seconds: 9 } }]);
    const leaving = new AbortController();
    const answer = sendRequest(REQUEST, {
      platform: stage.platform,
      patience: PATIENCE,
      signal: leaving.signal,
    });
    const outcome = assert.rejects(answer, reason);
    await settle();
    assert.deepEqual(
      stage.timers.map(({ delayMs }) => delayMs),
      [9000],
    );
    leaving.abort(reason);
    await outcome;
    assert.deepEqual(stage.timers, []);
  });
});

const LOWEST = () => 0;
const HIGHEST = () => 1 - Number.EPSILON;

describe('the wait before a repeat', () => {
  it('doubles, at random in the upper half, up to eight seconds', () => {
    const delays = (random: () => number) =>
      [0, 1, 2, 3, 4, 5, 60].map((attempt) =>
        Math.round(retryDelayMs(attempt, { retryAfterSeconds: null, maxWaitMs: 60_000, random }) ?? -1),
      );
    assert.deepEqual(delays(LOWEST), [250, 500, 1000, 2000, 4000, 4000, 4000]);
    assert.deepEqual(delays(HIGHEST), [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('is what the service asks for, never less, and a little more so that clients do not return together', () => {
    const asked = (random: () => number) =>
      Math.round(retryDelayMs(0, { retryAfterSeconds: 7, maxWaitMs: 60_000, random }) ?? -1);
    assert.equal(asked(LOWEST), 7000);
    assert.equal(asked(HIGHEST), 7250);
  });
});

describe('Retry-After', () => {
  const read = (headers: Record<string, string>) => retryAfterIn(new Headers(headers));

  it('is a number of seconds', () => {
    assert.equal(read({ 'retry-after': '30' }), 30);
    assert.equal(read({ 'retry-after': ' 0 ' }), 0);
  });

  it('or a date, measured from the date of the answer', () => {
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    assert.equal(read({ 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT', date }), 30);
    assert.equal(read({ 'retry-after': 'Sun, 06 Nov 1994 08:49:00 GMT', date }), 0);
    assert.equal(read({ 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' }), null);
  });

  it('is ignored where it says nothing', () => {
    assert.equal(read({}), null);
    assert.equal(read({ 'retry-after': 'soon' }), null);
    assert.equal(read({ 'retry-after': '-5' }), null);
    assert.equal(read({ 'retry-after': '99999999999' }), null);
  });
});
