import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { StorageFailure } from '../../src/sessions/storage-failure.ts';
import { type Conversation, STAY } from '../support/conversation.ts';
import { type FaultyStorage, openFaultyStorage } from '../support/faulty-storage.ts';
import { type Scene, setScene } from '../support/scene.ts';
import type { TestAnswer } from '../support/test-service.ts';

/**
 * Every code of the registry is provoked on every kind of endpoint for which the registry claims it. What is expected of
 * each is typed out here; only the list of codes comes from the registry, so that a code without a provocation shows.
 */
type Endpoint = 'auth' | 'search' | 'result' | 'schema' | 'terms';
type Stage = Scene & { readonly storage: FaultyStorage; readonly conversation: Conversation };
type Provocation = (stage: Stage, call: Call) => Promise<TestAnswer>;
/** The plain request to an endpoint with a live session, changed as a provocation wants it. */
type Call = (changes?: {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST' | 'DELETE';
  payload?: string;
  remoteAddress?: string;
}) => Promise<TestAnswer>;

const EVERYWHERE: readonly Endpoint[] = ['auth', 'search', 'result', 'schema', 'terms'];
const METHODS: Record<Endpoint, 'GET' | 'POST'> = {
  auth: 'POST',
  search: 'POST',
  result: 'GET',
  schema: 'GET',
  terms: 'GET',
};

type Expected = {
  readonly status: number;
  readonly on: readonly Endpoint[];
  /** The status on search, where it is not 200. */
  readonly onSearch?: number;
  readonly retryAfter?: boolean;
  readonly provoke: Provocation | Partial<Record<Endpoint, Provocation>>;
};

const silent: Provocation = async ({ operator, conversation }) => {
  operator.misbehave = (_path, response) => {
    response.writeHead(500).end();
    return true;
  };
  return conversation.send(STAY);
};
const full = new StorageFailure('full', 'no room');

const EXPECTED: Readonly<Record<string, Expected>> = {
  access_denied: {
    status: 403,
    onSearch: 403,
    on: EVERYWHERE,
    provoke: (_stage, call) => call({ remoteAddress: '203.0.113.7' }),
  },
  session_required: {
    status: 400,
    on: ['search', 'result'],
    provoke: (_stage, call) => call({ query: { session: '' } }),
  },
  session_not_found: {
    status: 404,
    on: ['search', 'result'],
    provoke: (_stage, call) => call({ query: { session: `ses_${'x'.repeat(43)}` } }),
  },
  session_expired: {
    status: 410,
    on: ['search', 'result'],
    provoke: async ({ service }, call) => {
      service.time.now += 3_600_000;
      return call();
    },
  },
  unknown_source: {
    status: 404,
    on: ['auth'],
    provoke: (_stage, call) => call({ payload: '{"source":"nobody"}' }),
  },
  incomplete_payload: { status: 200, on: ['search'], provoke: (_stage, call) => call() },
  invalid_value: {
    status: 200,
    on: ['search'],
    provoke: (_stage, call) => call({ payload: '{"guests":99}' }),
  },
  unknown_field: {
    status: 400,
    on: EVERYWHERE,
    provoke: (_stage, call) => call({ query: { pets: '1' } }),
  },
  prerequisite_missing: {
    status: 200,
    on: ['search'],
    provoke: (_stage, call) => call({ payload: '{"check_out":"2027-04-13"}' }),
  },
  refine_not_available: {
    status: 200,
    on: ['search'],
    provoke: (_stage, call) => call({ payload: '{"amenities":"pool"}' }),
  },
  invalid_request: {
    status: 400,
    on: EVERYWHERE,
    provoke: {
      auth: (_stage, call) => call({ payload: '{' }),
      search: (_stage, call) => call({ payload: '{' }),
      result: ({ service, conversation: { token } }) =>
        service.get(`/ai/v1/result?session=${token}&session=${token}`),
      schema: (_stage, call) => call({ query: { view: 'tiny' } }),
      terms: ({ service }) => service.get('/ai/v1/terms?view=full&view=full'),
    },
  },
  unsupported_media_type: {
    status: 415,
    on: ['auth', 'search'],
    provoke: (_stage, call) => call({ payload: '{}', headers: { 'content-type': 'text/plain' } }),
  },
  result_not_ready: { status: 409, on: ['result'], provoke: (_stage, call) => call() },
  upstream_unavailable: {
    status: 503,
    on: ['search', 'result'],
    retryAfter: true,
    provoke: {
      search: silent,
      result: async (stage, call) => {
        await silent(stage, call);
        return call();
      },
    },
  },
  nothing_on_offer: {
    status: 503,
    on: ['search'],
    retryAfter: true,
    provoke: async ({ service, open }, call) => {
      // The calendars end before.
      service.time.now += 300 * 86_400_000;
      return call({ query: { session: (await open('acme')).token } });
    },
  },
  invalid_idempotency_key: {
    status: 400,
    on: EVERYWHERE,
    provoke: (_stage, call) => call({ query: { idempotency_key: 'schlüssel' } }),
  },
  idempotency_key_reused: {
    status: 422,
    on: ['auth', 'search'],
    provoke: {
      auth: async (_stage, call) => {
        const headers = { 'idempotency-key': 'a-long-enough-key' };
        await call({ headers });
        return call({ headers, payload: '{"source":"acme"}' });
      },
      search: async (_stage, call) => {
        const headers = { 'idempotency-key': 'k' };
        await call({ headers, payload: '{"guests":1}' });
        return call({ headers, payload: '{"guests":2}' });
      },
    },
  },
  unsupported_version: {
    status: 400,
    on: EVERYWHERE,
    provoke: (_stage, call) => call({ headers: { 'x-api-version': '1999-12-31' } }),
  },
  rate_limited: {
    status: 429,
    on: EVERYWHERE,
    retryAfter: true,
    provoke: async (_stage, call) => {
      let answer = await call();
      for (let sent = 0; sent < 30; sent += 1) answer = await call();
      return answer;
    },
  },
  session_used_up: {
    status: 409,
    on: ['search'],
    provoke: async ({ storage }, call) => {
      Object.assign(storage.sessions, { countUsedKeys: async () => 1_000 });
      return call({ payload: '{"guests":1}', headers: { 'idempotency-key': 'one too many' } });
    },
  },
  too_many_sessions: {
    status: 429,
    on: ['auth'],
    retryAfter: true,
    provoke: async (_stage, call) => {
      // One session is open already.
      await call();
      return call();
    },
  },
  overloaded: {
    status: 503,
    on: EVERYWHERE,
    retryAfter: true,
    provoke: async ({ service }, call) => {
      service.load.lagMs = 60_000;
      return call();
    },
  },
  storage_unavailable: {
    status: 503,
    on: ['auth', 'search', 'result'],
    retryAfter: true,
    provoke: {
      auth: async ({ storage }, call) => {
        storage.faults.open = full;
        return call();
      },
      search: async ({ storage }, call) => {
        storage.faults.commit = full;
        return call({ payload: '{"guests":1}' });
      },
      result: async ({ storage, conversation }, call) => {
        await conversation.search();
        storage.faults.result = full;
        return call();
      },
    },
  },
  not_found: {
    status: 404,
    onSearch: 404,
    on: EVERYWHERE,
    provoke: ({ service }) => service.get('/ai/v1/nothing'),
  },
  method_not_allowed: {
    status: 405,
    onSearch: 405,
    on: EVERYWHERE,
    provoke: (_stage, call) => call({ method: 'DELETE' }),
  },
  internal_error: {
    status: 500,
    on: EVERYWHERE,
    provoke: async ({ storage }, call) => {
      // Every request is counted; documents need nothing else of the store.
      const take = async () => {
        throw new Error('a bug');
      };
      Object.assign(storage.rateWindows, { take });
      return call();
    },
  },
};

test('every code of the registry has a provocation, and nothing else has', () => {
  assert.deepEqual(Object.keys(EXPECTED).sort(), Object.keys(ERRORS).sort());
});

for (const [code, expected] of Object.entries(EXPECTED)) {
  test(`${code}, on ${expected.on.join(', ')}`, async (t) => {
    const registered = ERRORS[code as ErrorCode];
    const claimed = registered.endpoints.includes('any') ? EVERYWHERE : registered.endpoints;
    assert.deepEqual([...claimed], [...expected.on], 'the registry claims exactly these endpoints');
    assert.equal(registered.status, expected.status);
    for (const endpoint of expected.on) {
      const provoke = typeof expected.provoke === 'function' ? expected.provoke : expected.provoke[endpoint];
      assert.ok(provoke, `${code} is provoked on ${endpoint}`);
      const limit = code === 'rate_limited' ? 20 : 600;
      const storage = await openFaultyStorage({ limit, windowMs: 60_000 });
      const scene = await setScene(t, {
        storage,
        settings: { rateLimit: limit, maxSessions: code === 'too_many_sessions' ? 2 : 1000 },
      });
      const conversation = await scene.open();
      const answer = await provoke(
        { ...scene, storage, conversation },
        callOf(scene, endpoint, conversation),
      );
      holdExpected(answer, code, endpoint, expected);
      if (code === 'internal_error') {
        const id = String(answer.headers['x-request-id']);
        assert.ok(scene.service.logLines.some((line) => line.includes(id) && line.includes('a bug')));
        assert.ok(!answer.raw.includes('a bug'), 'causes are logged, never shown');
      }
    }
  });
}

function callOf({ service }: Scene, endpoint: Endpoint, { token }: Conversation): Call {
  const session = endpoint === 'auth' ? {} : { session: token };
  return ({ query = {}, headers = {}, method = METHODS[endpoint], payload, remoteAddress } = {}) =>
    service.call({
      method,
      url: `/ai/v1/${endpoint}?${new URLSearchParams({ ...session, ...query })}`,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(payload === undefined ? {} : { payload }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
}

function holdExpected(answer: TestAnswer, code: string, endpoint: Endpoint, expected: Expected): void {
  const status = endpoint === 'search' ? (expected.onSearch ?? 200) : expected.status;
  assert.equal(answer.body.error, code, `${endpoint}: ${answer.raw}`);
  assert.equal(answer.status, status, endpoint);
  assert.equal(answer.body.status, status, endpoint);
  assert.ok(answer.body.message.length > 0);
  assert.equal(answer.body.schema_url, '/ai/v1/schema', 'where the code is explained');
  if (expected.retryAfter) {
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
    assert.equal(answer.body.retry_after_seconds, Number(answer.headers['retry-after']));
    assert.ok(answer.body.next_request, 'the way on after the wait');
  } else {
    assert.equal(answer.headers['retry-after'], undefined);
  }
}

test('a store that fails in the middle has kept nothing, and the next try succeeds', async (t) => {
  const storage = await openFaultyStorage();
  const { open } = await setScene(t, { storage });
  const conversation = await open();
  storage.faults.commit = full;
  const key = { 'idempotency-key': 'again' };
  const failed = await conversation.send(STAY, key);
  assert.deepEqual([failed.status, failed.body.error], [200, 'storage_unavailable']);
  delete storage.faults.commit;
  assert.deepEqual((await conversation.read()).body.received, {});
  assert.equal((await conversation.result()).status, 409);
  const { body } = await conversation.send(STAY, key);
  assert.equal(body.object, 'search_result');
});

test('a store that takes no more work is an overload, not a fault of the request', async (t) => {
  const storage = await openFaultyStorage();
  const { service } = await setScene(t, { storage });
  storage.faults.open = new StorageFailure('overloaded', 'too many changes wait');
  const { status, body } = await service.post('/ai/v1/auth', {});
  assert.deepEqual([status, body.error], [503, 'overloaded']);
});

test('a session that another node keeps changing ends in a refusal, not in a loop', async (t) => {
  const storage = await openFaultyStorage();
  const { open } = await setScene(t, {
    storage: { ...storage, sessions: { ...storage.sessions, commit: async () => ({ kind: 'conflict' }) } },
  });
  const conversation = await open();
  const { status, headers, body } = await conversation.send({ guests: 2 });
  assert.deepEqual([status, body.error], [200, 'overloaded']);
  assert.equal(headers['retry-after'], '1');
  assert.deepEqual(body.received, {});
});
