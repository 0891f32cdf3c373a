import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { timeOn } from '../clock.ts';
import { answerWith, type OperationRequest } from '../contract/exchange.ts';
import { ClientGone } from '../limits/deadline.ts';
import { valid } from '../parsing/reading.ts';
import { systemRandom } from '../random.ts';
import type { FindSession, SessionLookup } from '../requests/find-session.ts';
import type { OperationAnswer } from '../requests/serve-operation.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import { createRequestLimits, type RequestLimits } from '../sessions/rate-windows.ts';
import { newSessionToken } from '../sessions/session-token.ts';
import { ThreadGone } from './port-calls.ts';
import { createRouteOperations, homeOf, type ServeElsewhere } from './route-operations.ts';
import { createSharedRateWindows, newRateTable } from './shared-tables.ts';

const NOT_FOUND: SessionLookup = { kind: 'not_found' };
const RATE: RateReading = { limit: 600, remaining: 599, resetAt: 1, allowed: true, retryAfterSeconds: 0 };

const answer = (body: string): OperationAnswer => ({ ...answerWith(body), key: null, rate: RATE });

function routing(
  serveElsewhere: ServeElsewhere,
  findSession: FindSession = async () => NOT_FOUND,
  requestLimits: Pick<RequestLimits, 'peek'> = { peek: async () => RATE },
) {
  return createRouteOperations({
    self: 0,
    workers: 2,
    serveHere: async () => answer('here'),
    serveElsewhere,
    findSession,
    requestLimits,
    clock: createFakeClock(0),
  });
}

function tokenOf(worker: number): string {
  return newSessionToken(systemRandom, (token) => homeOf(token, 2) === worker);
}

it('serves a session where it lives, and everything else where it came', async () => {
  const sent: [number, string | undefined][] = [];
  const serve = routing(async (worker, request, client) => {
    assert.ok(!client.hasGone());
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

it('shows the quota of the assistant that is used up also where a thread was lost', async () => {
  const requestLimits = createRequestLimits({
    rateWindows: createSharedRateWindows({ limit: 600, windowMs: 60_000 }, newRateTable(systemRandom), 1),
    limitsOf: () => ({ requests: 1 }),
  });
  const request = sampleRequest({ token: tokenOf(1) });
  await requestLimits.count(request.caller, null, timeOn(createFakeClock(0)));
  const lost = routing(() => Promise.reject(new ThreadGone()), undefined, requestLimits);
  const { limit, remaining, allowed } = (await lost(request)).rate;
  assert.deepEqual([limit, remaining, allowed], [1, 0, false]);
});

it('answers nobody who has gone', async () => {
  const serve = routing(() => Promise.reject(new ClientGone()));
  await assert.rejects(serve(sampleRequest({ token: tokenOf(1) })), ClientGone);
});

describe('a session of another thread', () => {
  const token = tokenOf(1);
  const used = sampleSession('s', 3);

  async function served(request: Partial<OperationRequest>, lookup: SessionLookup | Error) {
    const serve = routing(
      async () => answer('elsewhere'),
      async (...asked) => {
        assert.deepEqual(asked, [token, 'assistant', 0]);
        if (lookup instanceof Error) throw lookup;
        return lookup;
      },
    );
    return (await serve(sampleRequest({ token, ...request }))).body;
  }

  it('is read where the request arrives', async () => {
    const live: SessionLookup = { kind: 'live', session: used, token };
    assert.equal(await served({}, live), 'here');
    assert.equal(await served({ operation: 'readResult' }, live), 'here');
  });

  it('is changed only where it lives', async () => {
    const live: SessionLookup = { kind: 'live', session: used, token };
    assert.equal(await served({ values: valid(new Map([['guests', 2]])) }, live), 'elsewhere');
    assert.equal(
      await served({ values: { kind: 'invalid', faults: ['invalid_request'] } }, live),
      'elsewhere',
    );
  });

  it('is read where it lives if that does more than read', async () => {
    const untouched = sampleSession('s', 0);
    assert.equal(await served({}, { kind: 'live', session: untouched, token }), 'elsewhere');
    const silent = { ...used, operatorsSilent: true };
    assert.equal(await served({}, { kind: 'live', session: silent, token }), 'elsewhere');
  });

  it('is left to its thread when it cannot be found here', async () => {
    assert.equal(await served({}, NOT_FOUND), 'elsewhere');
    assert.equal(await served({}, { kind: 'expired', session: used }), 'elsewhere');
    assert.equal(await served({}, new Error('the disk is gone')), 'elsewhere');
  });
});
