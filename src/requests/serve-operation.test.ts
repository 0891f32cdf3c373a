import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { writtenBody } from '../../test/support/sample-body.ts';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { ClockTime } from '../clock.ts';
import { type Answer, answerWith, type Caller, textOf } from '../contract/exchange.ts';
import { ClientGone } from '../limits/deadline.ts';
import { createLoadShedder, type WorkKind } from '../limits/load-shedding.ts';
import { createLinks } from '../search/answers/links.ts';
import { createRequestLimits } from '../sessions/rate-windows.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import type { PerformOperation, SessionLookup } from './perform-operation.ts';
import type { FindSession } from './serve-operation.ts';
import { createServeOperation, type OperationAnswer } from './serve-operation.ts';

const NOW = Date.parse('2026-11-15T09:00:00Z');
const session = { ...sampleSession('id'), apiVersion: '2026-11-01' };
const NOT_GIVEN: SessionLookup = { kind: 'no_token' };
const LIVE: SessionLookup = { kind: 'live', session, token: 'ses_a' };
const EXPIRED: SessionLookup = { kind: 'expired', session };
const CALLER_WINDOW = 'assistant 192.0.2.7';

const bodyOf = (answer: OperationAnswer) => JSON.parse(String(textOf(answer)));
const fails = (fault: Error) => () => Promise.reject(fault);

function setUp({
  lookup = NOT_GIVEN,
  findSession = async () => lookup,
  perform = async () => answerWith(writtenBody('{}')),
  allowed = true,
  lag = 0,
}: {
  readonly lookup?: SessionLookup;
  readonly findSession?: FindSession;
  readonly perform?: PerformOperation;
  readonly allowed?: boolean;
  readonly lag?: number;
} = {}) {
  const windows: string[] = [];
  const events: string[] = [];
  const shed: WorkKind[] = [];
  const reading = { limit: 60, remaining: 59, resetAt: 1_000, allowed, retryAfterSeconds: allowed ? 0 : 17 };
  const loadShedder = createLoadShedder({
    maxInFlight: 10,
    maxLagMs: 100,
    lag: () => lag,
    onShed: (kind) => shed.push(kind),
  });
  const count =
    (how: string) =>
    async (caller: string, { now, elapsed }: ClockTime) => {
      windows.push(`${how} ${caller}`);
      assert.deepEqual([now, elapsed], [NOW, createFakeClock(NOW).elapsed()]);
      return reading;
    };
  const serve = createServeOperation({
    perform,
    findSession,
    requestLimits: createRequestLimits({
      rateWindows: { take: count('take'), peek: count('peek') },
      limitsOf: () => ({}),
    }),
    loadShedder,
    links: createLinks(null),
    sources: ['casas'],
    clock: createFakeClock(NOW),
    observe: {
      served: (operation, { error }) => events.push(`${operation} served: ${error}`),
      abandoned: (operation) => events.push(`${operation} abandoned`),
      fault: ({ id }, fault) => events.push(`${id} fault: ${fault instanceof Error && fault.message}`),
    },
  });
  return { serve, windows, events, shed, loadShedder, reading };
}

describe('a request', () => {
  it('is carried out for the session that its token names', async () => {
    const request = sampleRequest({ token: 'ses_a' });
    const done = writtenBody('{"done":true}');
    const { serve, events, reading } = setUp({
      async findSession(...lookup) {
        assert.deepEqual(lookup, ['ses_a', 'assistant', NOW]);
        return LIVE;
      },
      async perform(...work) {
        assert.deepEqual(work, [request, LIVE]);
        return answerWith(done, { replayed: true });
      },
    });
    assert.deepEqual(await serve(request), {
      body: done,
      error: null,
      replayed: true,
      retryAfterSeconds: null,
      tag: null,
      current: null,
      key: null,
      rate: reading,
    });
    assert.deepEqual(events, ['search served: null']);
  });
});

describe('a session', () => {
  it('is looked up only where it has a meaning', async () => {
    for (const [operation, window] of [
      ['search', 'session id'],
      ['readResult', 'session id'],
      ['openSession', CALLER_WINDOW],
      ['readSchema', CALLER_WINDOW],
      ['readTerms', CALLER_WINDOW],
    ] as const) {
      const lookups: (string | undefined)[] = [];
      const { serve, windows } = setUp({
        async findSession(token) {
          lookups.push(token);
          return LIVE;
        },
      });
      await serve(sampleRequest({ operation, token: 'ses_a' }));
      assert.deepEqual(windows, [`take ${window}`], operation);
      assert.deepEqual(lookups, window === CALLER_WINDOW ? [] : ['ses_a'], operation);
    }
  });
});

describe('the rate limit', () => {
  it('counts each live session separately, and other callers by assistant and address', async () => {
    for (const [lookup, window] of [
      [LIVE, 'session id'],
      [EXPIRED, CALLER_WINDOW],
      [{ kind: 'not_found' }, CALLER_WINDOW],
      [NOT_GIVEN, CALLER_WINDOW],
    ] as const) {
      const { serve, windows } = setUp({ lookup });
      await serve(sampleRequest());
      assert.deepEqual(windows, [`take ${window}`], lookup.kind);
    }
  });

  it('refuses without carrying out the request, and says when to retry', async () => {
    const { serve, events, loadShedder } = setUp({ allowed: false, perform: fails(new Error('performed')) });
    const answer = await serve(sampleRequest());
    assert.deepEqual([answer.error, answer.retryAfterSeconds], ['rate_limited', 17]);
    assert.equal(bodyOf(answer).retry_after_seconds, 17);
    assert.deepEqual(events, ['search served: rate_limited']);
    assert.equal(loadShedder.inFlight, 0);
  });
});

describe('a busy service', () => {
  it('sheds by the kind of work, and says when to retry', async () => {
    for (const [operation, kind] of [
      ['search', 'search'],
      ['openSession', 'auth'],
      ['readResult', 'read'],
      ['readSchema', 'read'],
      ['readTerms', 'read'],
    ] as const) {
      const { serve, shed } = setUp({ lag: 650, perform: fails(new Error('performed')) });
      const answer = await serve(sampleRequest({ operation }));
      assert.deepEqual([answer.error, answer.retryAfterSeconds, shed], ['overloaded', 7, [kind]]);
      assert.equal(bodyOf(answer).retry_after_seconds, 7);
    }
  });

  it('holds a place while a request is under way, and frees it however that ends', async () => {
    const inFlight: number[] = [];
    for (const end of [async () => answerWith(writtenBody('{}')), fails(new Error('broken'))]) {
      const { serve, loadShedder } = setUp({
        perform: () => {
          inFlight.push(loadShedder.inFlight);
          return end();
        },
      });
      await serve(sampleRequest());
      inFlight.push(loadShedder.inFlight);
    }
    const versioned = setUp();
    await versioned.serve(sampleRequest({ versions: ['1999-01-01'] }));
    assert.deepEqual([...inFlight, versioned.loadShedder.inFlight], [1, 0, 1, 0, 0]);
  });
});

describe('a client that has gone', () => {
  it('gives its place back when it goes while it waits, and is no fault', async () => {
    const { serve, events, loadShedder } = setUp({ perform: fails(new ClientGone()) });
    await assert.rejects(serve(sampleRequest()), ClientGone);
    assert.deepEqual(events, ['search abandoned']);
    assert.equal(loadShedder.inFlight, 0);
  });
});

describe('a greedy caller', () => {
  it('is refused while others are served', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const sessionOf = (id: string): SessionLookup => ({ ...LIVE, session: { ...session, id } });
    const { serve } = setUp({
      perform: () => promise,
      findSession: async (token = '') => sessionOf(token),
    });
    const greedy = { assistant: 'assistant', address: '192.0.2.66' };
    const from = (caller: Caller, token: string) => serve(sampleRequest({ caller, token }));
    for (let held = 0; held < 6; held += 1) from(greedy, `${held}`);
    assert.equal((await from(greedy, '6')).error, 'overloaded');
    const modest = from({ ...greedy, address: '192.0.2.7' }, 'modest');
    resolve(answerWith(writtenBody('{}')));
    assert.equal((await modest).error, null);
  });
});

describe('the version', () => {
  const errorFor = async (lookup: SessionLookup, ...versions: string[]) =>
    (await setUp({ lookup }).serve(sampleRequest({ versions }))).error;

  it('may be any that is supported, and every pin must agree', async () => {
    assert.equal(await errorFor(NOT_GIVEN), null);
    assert.equal(await errorFor(NOT_GIVEN, '2026-11-01', '2026-11-01'), null);
    assert.equal(await errorFor(NOT_GIVEN, '2026-11-01', '1999-01-01'), 'unsupported_version');
    const answer = await setUp().serve(sampleRequest({ versions: ['1999-01-01'] }));
    assert.deepEqual(bodyOf(answer).supported_versions, ['2026-11-01']);
  });

  it('is that of the session while it lives', async () => {
    const older = { ...session, apiVersion: '2025-06-01' };
    const live: SessionLookup = { kind: 'live', session: older, token: 'ses_a' };
    assert.equal(await errorFor(live, '2025-06-01'), null);
    assert.equal(await errorFor(live, '2026-11-01'), 'unsupported_version');
    assert.equal(await errorFor({ kind: 'expired', session: older }, '2025-06-01'), 'unsupported_version');
  });
});

describe('a fault', () => {
  it('is an answer, and reported', async () => {
    for (const [fault, error, retryAfterSeconds] of [
      [new Error('broken'), 'internal_error', null],
      [new StorageFailure('full', 'broken'), 'storage_unavailable', 2],
      [new StorageFailure('overloaded', 'broken'), 'overloaded', 2],
    ] as const) {
      const { serve, events } = setUp({ perform: fails(fault) });
      const answer = await serve(sampleRequest());
      assert.deepEqual([answer.error, answer.retryAfterSeconds], [error, retryAfterSeconds]);
      assert.doesNotMatch(String(textOf(answer)), /broken/, 'causes are not shown');
      assert.deepEqual(events, ['req_1 fault: broken', `search served: ${error}`]);
    }
  });
});
