import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { brandEntry, NOON, networkFile, property } from '../support/network.ts';
import { scaledCases } from '../support/property-cases.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { SAMPLE_RATE_RULE } from '../support/temporary-storage.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';

const MINUTE = 60_000;
const SESSION_MS = 30 * MINUTE;

/** What auth may still repeat, by assistant, address and key, as a plain reading of the rules. */
type Model = { openings: Map<string, ModelOpening>; elapsed: number; wall: number };
type ModelOpening = {
  readonly token: string;
  readonly source: string | null;
  readonly openedAt: number;
  readonly endsAt: number;
  isUsed: boolean;
};
type Real = { service: TestService; restart(): Promise<void>; readonly seen: Map<string, string> };
type Command = fc.AsyncCommand<Model, Real>;

type Call = {
  readonly assistant: 'Alpha' | 'Beta';
  readonly address: string;
  readonly key: string | null;
  readonly source: string | null;
  readonly view: 'full' | 'compact';
  readonly method: 'GET' | 'POST';
};

const REGISTRY = describeAssistantRegistry(
  {
    assistants: ['Alpha', 'Beta'].map((name) => ({
      id: name.toLowerCase(),
      name,
      status: 'approved',
      recognised_by: [{ user_agent: `${name}-User`, ranges: ['127.0.0.0/8'] }],
    })),
  },
  () => assert.fail('no file is named'),
);

function auth(
  { service }: Real,
  { assistant, address, key, source, view, method }: Call,
): Promise<TestAnswer> {
  const query = new URLSearchParams({ view });
  if (key !== null) query.set('idempotency_key', key);
  if (method === 'GET' && source !== null) query.set('source', source);
  const body = method === 'POST' ? { payload: JSON.stringify(source === null ? {} : { source }) } : {};
  return service.call({
    method,
    url: `/ai/v1/auth?${query}`,
    remoteAddress: address,
    headers: {
      'user-agent': `${assistant}-User/1.0`,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...body,
  });
}

const placeOf = ({ assistant, address, key }: Call) => JSON.stringify([assistant, address, key]);

function repeatable(model: Model, call: Call): ModelOpening | undefined {
  const opening = call.key === null ? undefined : model.openings.get(placeOf(call));
  if (!opening || opening.isUsed) return undefined;
  return model.elapsed - opening.openedAt <= MINUTE && model.wall < opening.endsAt ? opening : undefined;
}

function isNew(model: Model, real: Real, call: Call, answer: TestAnswer): void {
  assert.equal(answer.status, 200, answer.raw);
  assert.equal(answer.headers['idempotent-replayed'], undefined);
  const { session: token, source } = answer.body;
  assert.equal(source, call.source);
  assert.ok(!real.seen.has(token), 'a session that somebody has already');
  real.seen.set(token, call.assistant);
  const endsAt = Math.floor(model.wall / 1000) * 1000 + SESSION_MS;
  assert.equal(Date.parse(answer.body.expires_at), endsAt);
  model.openings.set(placeOf(call), { token, source, openedAt: model.elapsed, endsAt, isUsed: false });
}

function isRepeated(call: Call, answer: TestAnswer, { token, source, endsAt }: ModelOpening): void {
  assert.equal(answer.headers['idempotent-replayed'], 'true');
  assert.deepEqual(
    [answer.body.session, answer.body.source, answer.body.method, Date.parse(answer.body.expires_at)],
    [token, source, call.method, endsAt],
  );
  assert.equal(/view=compact/.test(answer.body.next_request.url), call.view === 'compact');
}

const open = (call: Call): Command => ({
  check: () => true,
  async run(model, real) {
    const earlier = repeatable(model, call);
    const answer = await auth(real, call);
    if (!earlier) return isNew(model, real, call, answer);
    if (earlier.source === call.source) {
      isRepeated(call, answer, earlier);
      assert.equal((await auth(real, call)).raw, answer.raw, 'the same bytes');
      return;
    }
    // A key that the service made is never reused: another request under it is a new one.
    if (call.key?.startsWith('sw.')) return isNew(model, real, call, answer);
    assert.deepEqual([answer.status, answer.body.error], [422, 'idempotency_key_reused']);
  },
  toString: () => `open ${JSON.stringify(call)}`,
});

const openAtOnce = (call: Call): Command => ({
  check: () => true,
  async run(model, real) {
    if (call.key === null || repeatable(model, call)) return;
    const answers = await Promise.all([auth(real, call), auth(real, call), auth(real, call)]);
    const first = answers.find(({ headers }) => headers['idempotent-replayed'] === undefined);
    assert.ok(first);
    isNew(model, real, call, first);
    for (const other of answers.filter((answer) => answer !== first)) {
      assert.deepEqual([other.raw, other.headers['idempotent-replayed']], [first.raw, 'true']);
    }
  },
  toString: () => `open three times at once ${JSON.stringify(call)}`,
});

/** Any request with the token, also one that is refused; a stranger to the session does not use it. */
const use = (choice: number, how: string, isOwn: boolean): Command => ({
  check: (model) => model.openings.size > 0,
  async run(model, { service, seen }) {
    const openings = [...model.openings.values()];
    const opening = openings[choice % openings.length];
    assert.ok(opening);
    const owner = seen.get(opening.token);
    const other = owner === 'Alpha' ? 'Beta' : 'Alpha';
    await service.get(how.replace('TOKEN', opening.token), {
      'user-agent': `${isOwn ? owner : other}-User/1.0`,
    });
    if (isOwn) opening.isUsed = true;
  },
  toString: () => `${isOwn ? 'use' : 'try to use'} session ${choice} by ${how}`,
});

const wait = (milliseconds: number): Command => ({
  check: () => true,
  async run(model, { service }) {
    service.time.now += milliseconds;
    model.elapsed += milliseconds;
    model.wall += milliseconds;
  },
  toString: () => `wait ${milliseconds} ms`,
});

const stepWallClock = (milliseconds: number): Command => ({
  check: () => true,
  async run(model, { service }) {
    service.time.stepWallClock(milliseconds);
    model.wall += milliseconds;
  },
  toString: () => `step the wall clock by ${milliseconds} ms`,
});

const restart: Command = {
  check: () => true,
  async run(model, real) {
    await real.restart();
    model.openings = new Map();
  },
  toString: () => 'restart',
};

test('whoever repeats whatever key at auth gets a session of their own, or the unused one that was lost on its way', async (t) => {
  assert.equal(REGISTRY.kind, 'valid');
  const registry = REGISTRY.value;
  const operator = await startScriptedOperator();
  operator.properties = [property('a')];
  const network = networkFile([brandEntry('acme', operator.origin)]);
  const memory = await openMemoryStorage({ directory: '', rateRule: { ...SAMPLE_RATE_RULE, limit: 1e9 } });
  // Sessions outlive the service, as they do on disk.
  const storage = { ...memory, close: async () => {} };
  const start = (now: number) => startTestService({ network, registry, storage, now });
  const real: Real = {
    service: await start(NOON),
    seen: new Map(),
    async restart() {
      const { now } = real.service.time;
      await real.service.close();
      real.service = await start(now);
    },
  };
  t.after(async () => {
    await real.service.close();
    await operator.close();
  });

  const call = fc.record({
    assistant: fc.constantFrom('Alpha' as const, 'Beta' as const),
    address: fc.constantFrom('127.0.0.1', '127.0.0.2'),
    key: fc.constantFrom('idempotency-key-1', 'idempotency-key-1', '1', 'sw.0.read', null),
    source: fc.constantFrom('acme', null, null),
    view: fc.constantFrom('full' as const, 'full' as const, 'compact' as const),
    method: fc.constantFrom('GET' as const, 'POST' as const),
  });
  const uses = fc.constantFrom(
    '/ai/v1/search?session=TOKEN',
    '/ai/v1/search?session=TOKEN&guests=2',
    '/ai/v1/search?session=TOKEN&colour=red',
    '/ai/v1/result?session=TOKEN',
  );
  const commands = [
    call.map(open),
    call.map(open),
    call.map(openAtOnce),
    fc.tuple(fc.nat(20), uses, fc.boolean()).map((args) => use(...args)),
    fc.constantFrom(1, 30_000, 30_000, 60_000, 60_001).map(wait),
    fc.constantFrom(-2 * 60 * MINUTE, 2 * 60 * MINUTE).map(stepWallClock),
    fc.constant(restart),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: '+1', maxCommands: 30 }), async (sequence) => {
      await real.restart();
      const model: Model = { openings: new Map(), elapsed: 0, wall: real.service.time.now };
      await fc.asyncModelRun(() => ({ model, real }), sequence);
    }),
    { numRuns: scaledCases(40) },
  );
});
