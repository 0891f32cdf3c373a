import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { openLoopbackClient } from '../../../../test/support/loopback-client.ts';
import { plainServer, sendJson } from '../../../../test/support/plain-server.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import type { RequestBudget } from '../../../limits/request-budget.ts';
import { retryAfterMs } from '../../../outbound/read-answer.ts';
import type { AccessToken } from './access-token.ts';
import { createAccountClient, type VendorConventions, withinBudget } from './account-client.ts';
import { constantToken } from './accounts.ts';

const patient = new AbortController().signal;
const options = { timeoutMs: 2000, maxBytes: 10_000, signal: patient, urgency: 'live' as const };
const conventions: VendorConventions = {
  authorization: (token) => ({ authorization: `Bearer ${token}` }),
  tokenRefusals: [401],
  readBudget: (header) => {
    const pauseMs = retryAfterMs(header, 0);
    const left = header('x-left');
    return {
      ...(pauseMs === undefined ? {} : { pauseMs }),
      ...(left === undefined ? {} : { left: Number(left), leftEndsInMs: 700 }),
      ...(header('x-cost') === undefined ? {} : { cost: Number(header('x-cost')) }),
    };
  },
};

function recordingBudget() {
  const events: unknown[][] = [];
  const budget: RequestBudget = {
    take: async ({ urgency }) => {
      events.push(['take', urgency]);
      return { done: (cost) => events.push(['done', cost]) };
    },
    restsForMs: () => 0,
    use: () => null,
    pause: (milliseconds) => events.push(['pause', milliseconds]),
  };
  return { budget, events };
}

function renewableToken(): AccessToken {
  let number = 1;
  return {
    current: async () => `token-${number}`,
    refused: (token) => {
      if (token === `token-${number}`) number += 1;
      return true;
    },
    restsForMs: () => 0,
  };
}

async function clientFor(t: TestContext, listener: RequestListener, token: AccessToken = renewableToken()) {
  const server = await plainServer(listener);
  const { budget, events } = recordingBudget();
  const client = createAccountClient({
    client: openLoopbackClient({ baseUrl: server.url, connections: 2 }),
    budget,
    token,
    conventions,
  });
  t.after(async () => {
    await client.close();
    await server.close();
  });
  return { client, server, events };
}

const failsAs = (kind: FailureKind) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === kind;

describe('a call in the name of an account', () => {
  it('takes a permit, presents the token, and gives back what it has cost', async (t) => {
    const { client, server, events } = await clientFor(t, (_, response) =>
      sendJson(response, {}, { 'x-cost': '3', 'x-left': '12' }),
    );
    const answer = await client.send({ method: 'GET', path: '/a?b=c' }, options);
    assert.equal(answer.status, 200);
    assert.equal(answer.digest, null, 'nobody compares it');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer token-1');
    assert.deepEqual(events, [
      ['take', 'live'],
      ['done', 3],
    ]);
  });

  it('gets a new token when the old one is refused, once', async (t) => {
    const { client, server } = await clientFor(t, (request, response) => {
      if (request.headers.authorization === 'Bearer token-2') sendJson(response, {});
      else response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    });
    assert.equal((await client.send({ method: 'GET', path: '/' }, options)).status, 200);
    assert.equal(server.requests.length, 2);
  });

  it('does not try for ever with tokens that are all refused, nor with a key that never changes', async (t) => {
    const refusing: RequestListener = (_, response) => response.writeHead(401).end();
    const renewed = await clientFor(t, refusing);
    await assert.rejects(renewed.client.send({ method: 'GET', path: '/' }, options), failsAs('rejected'));
    assert.equal(renewed.server.requests.length, 2);
    const constant = await clientFor(t, refusing, constantToken('key'));
    await assert.rejects(constant.client.send({ method: 'GET', path: '/' }, options), failsAs('rejected'));
    assert.equal(constant.server.requests.length, 1);
  });

  it('pauses as the vendor says; a price is not waited for, a synchronisation is tried again', async (t) => {
    let refusals = 0;
    const busy: RequestListener = (_, response) => {
      refusals += 1;
      if (refusals <= 2) response.writeHead(429, { 'retry-after': '7' }).end();
      else sendJson(response, {});
    };
    const { client, events } = await clientFor(t, busy);
    await assert.rejects(client.send({ method: 'GET', path: '/' }, options), failsAs('rate_limited'));
    assert.deepEqual(events, [
      ['take', 'live'],
      ['pause', 7000],
      ['done', undefined],
    ]);
    const answer = await client.send({ method: 'GET', path: '/' }, { ...options, urgency: 'background' });
    assert.equal(answer.status, 200);
  });
});

describe('Retry-After', () => {
  it('is read in seconds and as a date', () => {
    const of = (value?: string) => retryAfterMs(() => value, Date.UTC(2027, 0, 1));
    assert.equal(of('120'), 120_000);
    assert.equal(of('Fri, 01 Jan 2027 00:00:09 GMT'), 9000);
    assert.equal(of('Thu, 31 Dec 2026 00:00:00 GMT'), 0);
    assert.deepEqual([of(), of(''), of('soon'), of('-1')].map(String), [
      'undefined',
      'undefined',
      'undefined',
      'undefined',
    ]);
  });
});

it('a server without an account is called within its budget, prices as live calls, and rests when it says so', async (t) => {
  const server = await plainServer((request, response) => {
    if (request.url === '/quotes') response.writeHead(429, { 'retry-after': '7' }).end();
    else sendJson(response, {});
  });
  const { budget, events } = recordingBudget();
  const account = { budget, saveBudget: async () => void events.push(['saved']) };
  const open = withinBudget(openLoopbackClient, account, ({ path }) => path === '/quotes', { now: () => 0 });
  const client = open({ baseUrl: server.url, connections: 1 });
  t.after(() => server.close());
  await client.send({ method: 'GET', path: '/catalogue' }, options);
  await assert.rejects(client.send({ method: 'POST', path: '/quotes' }, options), { kind: 'rate_limited' });
  await client.close();
  assert.deepEqual(events, [
    ['take', 'background'],
    ['done', undefined],
    ['take', 'live'],
    ['pause', 7000],
    ['done', undefined],
    ['saved'],
  ]);
});
