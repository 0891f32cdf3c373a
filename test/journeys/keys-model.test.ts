import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { type ScriptedOperator, startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

// Repeated, late, stale and concurrent keys, of the service and of the client. Two things must hold whatever happens: an
// answer describes the search as it stands, and nothing is carried out twice.

type Values = Record<string, unknown>;
type Model = { steps: number };
type Real = {
  readonly service: TestService;
  readonly operator: ScriptedOperator;
  readonly url: string;
  readonly resultUrl: string;
  /** Every address with a value that any answer has offered so far. */
  readonly offered: { readonly url: string; readonly field: string; readonly value: string }[];
  /** Requests that succeeded under a key of the client's own. */
  readonly keyed: { readonly key: string; readonly values: Values }[];
};
type Command = fc.AsyncCommand<Model, Real>;

/** What a client that asks without a key is told. */
type Present = { readonly received: Values; readonly result: string | null; readonly isCurrent: boolean };

async function present({ service, url, resultUrl }: Real): Promise<Present> {
  const result = await service.get(resultUrl);
  const step = await service.post(url, {});
  return {
    received: step.body.received ?? queryOf(step),
    result: result.status === 200 ? result.raw : null,
    isCurrent: result.status === 200 && result.headers['x-result-current'] !== 'false',
  };
}

/** A session without a refine step answers a reading with its result; its query says what was received. */
function queryOf({ body: { query, applied_filters } }: TestAnswer): Values {
  const { amenities } = applied_filters;
  return {
    destination: query.destination,
    check_in_month: query.check_in.slice(0, 7),
    check_in_day: query.check_in,
    check_out: query.check_out,
    guests: String(query.guests),
    ...(amenities.length > 0 ? { amenities } : {}),
  };
}

/** The answer tells the present: the step of the search as it stands, or the bytes of the current result. */
async function tellsThePresent(real: Real, answer: TestAnswer): Promise<void> {
  const now = await present(real);
  if (answer.body.object === 'search_result') {
    assert.equal(answer.raw, now.result, 'a result that is not the current one');
    assert.equal(now.isCurrent, true);
    return;
  }
  assert.ok(answer.body.received, answer.raw);
  assert.deepEqual(answer.body.received, now.received);
  collectOffers(real, answer);
}

function collectOffers({ offered }: Real, { body }: TestAnswer): void {
  for (const one of body.available_requests ?? []) if (one.field) offered.push(one);
}

const SUCCEEDED = (answer: TestAnswer) =>
  answer.body.object === 'search_result' || answer.body.error === 'incomplete_payload';

function pick<T>(from: readonly T[], choice: number): T | undefined {
  return from[choice % Math.max(1, from.length)];
}

/** A value that is on offer, or one that changes an answer. */
async function someValues(real: Real, choice: number): Promise<Values> {
  const { body } = await real.service.post(real.url, {});
  const offers = Object.entries(body.allowed_values ?? {}).flatMap(([field, values]) =>
    (values as unknown[]).map(
      (value): Values => ({
        [field]: typeof value === 'object' ? Reflect.get(value as object, 'value') : value,
      }),
    ),
  );
  const changes: Values[] = [
    { destination: 'porto-pt' },
    { destination: 'lisbon-pt' },
    { guests: '2' },
    { guests: '3' },
    { check_in_day: '2027-04-05', check_out: '2027-04-08' },
    { amenities: [] },
  ];
  return pick(choice % 3 === 0 ? changes : [...offers, ...changes], choice) ?? {};
}

const follow = (choice: number, method: 'get' | 'post'): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const one = pick(real.offered, choice);
    if (!one) return;
    const answer = method === 'get' ? await real.service.get(one.url) : await real.service.post(one.url, {});
    await tellsThePresent(real, answer);
    if (!SUCCEEDED(answer)) return;
    const calls = real.operator.asked.length;
    const again = await real.service.get(one.url);
    assert.equal(real.operator.asked.length, calls, 'followed again at once, and carried out again');
    await tellsThePresent(real, again);
  },
  toString: () => `follow offered address ${choice} by ${method}`,
});

const sendKeyed = (choice: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const values = await someValues(real, choice);
    const key = `own ${model.steps}`;
    const answer = await real.service.post(real.url, values, { 'idempotency-key': key });
    await tellsThePresent(real, answer);
    if (SUCCEEDED(answer)) real.keyed.push({ key, values });
  },
  toString: () => `send values ${choice} under a new key`,
});

const followKeyed = (choice: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const one = pick(real.offered, choice);
    if (!one) return;
    const key = `own ${model.steps}`;
    const answer = await real.service.post(one.url, {}, { 'idempotency-key': key });
    assert.equal(answer.headers['idempotency-key'], key);
    await tellsThePresent(real, answer);
    if (SUCCEEDED(answer)) real.keyed.push({ key, values: { [one.field]: one.value } });
  },
  toString: () => `follow offered address ${choice} under a new key`,
});

const repeatKeyed = (choice: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const earlier = pick(real.keyed, choice);
    if (!earlier) return;
    const before = await present(real);
    const calls = real.operator.asked.length;
    const answer = await real.service.post(real.url, earlier.values, { 'idempotency-key': earlier.key });
    assert.equal(answer.headers['idempotent-replayed'], 'true');
    assert.deepEqual(await present(real), before, 'a key of the client was carried out twice');
    assert.equal(real.operator.asked.length, calls, 'operators were asked again');
    await tellsThePresent(real, answer);
  },
  toString: () => `repeat keyed request ${choice}`,
});

const reuseKey = (choice: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const earlier = pick(real.keyed, choice);
    if (!earlier) return;
    const before = await present(real);
    const answer = await real.service.post(
      real.url,
      { ...earlier.values, guests: '1', check_in_month: '2027-03' },
      { 'idempotency-key': earlier.key },
    );
    assert.equal(answer.body.error, 'idempotency_key_reused');
    assert.deepEqual(await present(real), before);
    await tellsThePresent(real, answer);
  },
  toString: () => `use key ${choice} for another request`,
});

const concurrently = (choice: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const values = await someValues(real, choice);
    const headers = { 'idempotency-key': `own ${model.steps}` };
    const calls = real.operator.asked.length;
    const answers = await Promise.all([1, 2, 3].map(() => real.service.post(real.url, values, headers)));
    const [first] = answers;
    if (!first) return;
    if (SUCCEEDED(first)) {
      assert.ok(real.operator.asked.length - calls <= 1, 'carried out more than once');
      assert.equal(answers.filter((one) => one.headers['idempotent-replayed'] === 'true').length, 2);
      real.keyed.push({ key: headers['idempotency-key'], values });
    }
    for (const answer of answers) await tellsThePresent(real, answer);
  },
  toString: () => `send values ${choice} three times at once under one key`,
});

test('whatever keys come back, answers tell the present and nothing is carried out twice', async (t) => {
  const operator = await startScriptedOperator();
  quoteTruthfully(operator);
  operator.properties = [
    property('a', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' }, max_guests: 3 }),
    property('b', { amenities: { wifi: 'Wi-Fi', sauna: 'Sauna' } }),
    property('c', { amenities: { pool: 'Pool', sauna: 'Sauna' }, place: 'porto-pt', max_guests: 2 }),
    property('d', { amenities: null, place: 'porto-pt' }),
  ];
  const service = await startTestService({
    network: networkFile([brandEntry('acme', operator.origin)]),
    settings: { rateLimit: 1_000_000 },
  });
  t.after(async () => {
    await service.close();
    await operator.close();
  });
  const commands = [
    fc.tuple(fc.nat(500), fc.constantFrom('get' as const, 'post' as const)).map((args) => follow(...args)),
    fc.nat(500).map(followKeyed),
    fc.nat(500).map(sendKeyed),
    fc.nat(500).map(repeatKeyed),
    fc.nat(500).map(reuseKey),
    fc.nat(500).map(concurrently),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: '+1', maxCommands: 30 }), async (sequence) => {
      const auth = await service.post('/ai/v1/auth', {});
      const { session } = auth.body;
      const real: Real = {
        service,
        operator,
        url: `/ai/v1/search?session=${session}`,
        resultUrl: `/ai/v1/result?session=${session}`,
        offered: [],
        keyed: [],
      };
      collectOffers(real, await service.get(auth.body.next_request.url));
      await fc.asyncModelRun(() => ({ model: { steps: 0 }, real }), sequence);
    }),
    { numRuns: 60 },
  );
});
