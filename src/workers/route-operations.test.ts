import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { answerWith } from '../contract/exchange.ts';
import { ClientGone } from '../contract/waiting-client.ts';
import type { OperationAnswer } from '../operations/serve-operation.ts';
import { systemRandom } from '../random.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import { newSessionToken } from '../sessions/session-token.ts';
import { ThreadGone } from './port-calls.ts';
import { createRouteOperations, type ServeElsewhere } from './route-operations.ts';
import { homeOf } from './session-home.ts';

const RATE: RateReading = { limit: 600, remaining: 599, resetAt: 1, allowed: true, retryAfterSeconds: 0 };

const answer = (body: string): OperationAnswer => ({ ...answerWith(body), key: null, rate: RATE });

function routing(serveElsewhere: ServeElsewhere) {
  return createRouteOperations({
    self: 0,
    workers: 2,
    serveHere: async () => answer('here'),
    serveElsewhere,
    rateWindows: { peek: async () => RATE },
    clock: createFakeClock(0),
  });
}

function tokenOf(worker: number): string {
  return newSessionToken(systemRandom, (token) => homeOf(token, 2) === worker);
}

it('serves a session where it lives, and everything else where it came', async () => {
  const sent: [number, string | undefined][] = [];
  const serve = routing(async (worker, request, client) => {
    assert.ok(!('client' in request) && !client.hasGone());
    sent.push([worker, request.token]);
    return answer('elsewhere');
  });
  const [ours, theirs] = [tokenOf(0), tokenOf(1)];
  assert.equal((await serve(sampleRequest({ token: ours }))).body, 'here');
  assert.equal((await serve(sampleRequest({ token: theirs }))).body, 'elsewhere');
  assert.equal((await serve(sampleRequest({ token: undefined }))).body, 'here');
  assert.equal((await serve(sampleRequest({ operation: 'readTerms', token: theirs }))).body, 'here');
  assert.deepEqual(sent, [[1, theirs]]);
});

it('asks to repeat a request that was lost with its thread', async () => {
  const serve = routing(() => Promise.reject(new ThreadGone()));
  const { error, retryAfterSeconds, key, rate } = await serve(
    sampleRequest({ token: tokenOf(1), key: 'mine' }),
  );
  assert.deepEqual(
    { error, retryAfterSeconds, key, rate },
    {
      error: 'overloaded',
      retryAfterSeconds: 1,
      key: 'mine',
      rate: RATE,
    },
  );
});

it('answers nobody who has gone', async () => {
  const serve = routing(() => Promise.reject(new ClientGone()));
  await assert.rejects(serve(sampleRequest({ token: tokenOf(1) })), ClientGone);
});
