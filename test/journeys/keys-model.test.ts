import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isStored } from '../support/client-model.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { casesOverNodes } from '../support/property-cases.ts';
import { type ScriptedOperator, startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

// Repeated, late, stale and concurrent keys, of the service and of the client, on requests that are taken whole, in part or
// not at all. Two things must hold whatever happens: an answer describes the search as it stands, and nothing is carried
// out twice.

type Values = Record<string, unknown>;
type Model = { steps: number };
type Real = {
  readonly service: TestService;
  readonly operator: ScriptedOperator;
  readonly url: string;
  readonly resultUrl: string;
  /** Every address with a value that any answer has offered so far. */
  readonly offered: { readonly url: string; readonly field: string; readonly value: string }[];
  /** Requests that changed something, or succeeded without, under a key of the client's own. */
  readonly keyed: Keyed[];
  /** How often the search was seen to have changed, and how it was last seen. */
  readonly seen: { changes: number; last: string };
};
type Keyed = {
  readonly key: string;
  readonly values: Values;
  readonly error: string | undefined;
  readonly refused: readonly string[];
  /** The changes up to and including its own. */
  readonly changes: number;
};
type Command = fc.AsyncCommand<Model, Real>;

/** What a client that asks without a key is told. */
type Present = { readonly received: Values; readonly result: string | null; readonly isCurrent: boolean };

async function present({ service, url, resultUrl, seen }: Real): Promise<Present> {
  const result = await service.get(resultUrl);
  const step = await service.post(url, {});
  const now: Present = {
    received: step.body.received ?? queryOf(step),
    result: result.status === 200 ? result.raw : null,
    isCurrent: result.status === 200 && result.headers['x-result-current'] !== 'false',
  };
  const text = JSON.stringify(now);
  if (text !== seen.last) Object.assign(seen, { changes: seen.changes + 1, last: text });
  return now;
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
    assert.ok(
      now.result !== null && isStored(answer.raw, now.result),
      'a result that is not the current one',
    );
    assert.equal(now.isCurrent, true);
    return;
  }
  assert.ok(answer.body.received, answer.raw);
  assert.deepEqual(answer.body.received, now.received);
  collectOffers(real, answer);
}

function collectOffers({ offered }: Real, { body }: TestAnswer): void {
  for (const one of [...(body.available_requests ?? []), body.next_request]) if (one.field) offered.push(one);
}

const SUCCEEDED = (answer: TestAnswer) =>
  answer.body.object === 'search_result' || answer.body.error === 'incomplete_payload';

/** Sends under a new key. The key is taken if the request succeeded, or was refused in part and changed something. */
async function sendUnderKey(
  real: Real,
  { key, values, send }: { key: string; values: Values; send: () => Promise<TestAnswer> },
): Promise<{ readonly answer: TestAnswer; readonly isTaken: boolean }> {
  await present(real);
  const before = real.seen.changes;
  const answer = await send();
  await tellsThePresent(real, answer);
  const { changes } = real.seen;
  const isTaken = SUCCEEDED(answer) || changes > before;
  const { error, refused_fields: refused = [] } = answer.body;
  if (isTaken) real.keyed.push({ key, values, error, refused, changes });
  return { answer, isTaken };
}

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
  const values = pick(choice % 3 === 0 ? changes : [...offers, ...changes], choice) ?? {};
  return choice % 4 === 0 ? { ...values, ...pick(REFUSED, choice) } : values;
}

/** Some are refused always, others by what stands. With a whole stay the rest completes the search. */
const WHOLE_STAY = {
  destination: 'lisbon-pt',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
  guests: '2',
};
const REFUSED: readonly Values[] = [
  { colour: 'red' },
  { check_in_month: '2031-01' },
  { amenities: ['pool', 'sauna'] },
  { amenities: 'jacuzzi', guests: '4' },
  { check_out: '2027-04-06', guests: '1' },
  { ...WHOLE_STAY, amenities: 'jacuzzi' },
  { ...WHOLE_STAY, guests: '9' },
  { ...WHOLE_STAY, destination: 'porto-pt', colour: 'red' },
];

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
    const send = () => real.service.post(real.url, values, { 'idempotency-key': key });
    const { answer } = await sendUnderKey(real, { key, values, send });
    assert.equal(answer.headers['idempotent-replayed'], undefined);
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
    const send = () => real.service.post(one.url, {}, { 'idempotency-key': key });
    const { answer } = await sendUnderKey(real, { key, values: { [one.field]: one.value }, send });
    assert.equal(answer.headers['idempotency-key'], key);
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
    if (earlier.changes === real.seen.changes) isRefusedInTheSamePart(answer, earlier);
    else assert.ok(SUCCEEDED(answer), `nothing of the search as it stands was refused: ${answer.raw}`);
  },
  toString: () => `repeat keyed request ${choice}`,
});

/** What it took stands, so the same values are refused for what they were refused for. */
function isRefusedInTheSamePart({ body }: TestAnswer, { error, refused }: Keyed): void {
  assert.deepEqual([body.error, body.refused_fields ?? []], [error, refused]);
}

const reuseKey = (choice: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.steps += 1;
    const earlier = pick(real.keyed, choice);
    if (!earlier) return;
    const before = await present(real);
    const answer = await real.service.post(
      real.url,
      { ...earlier.values, guests: '1', of_another_request: true },
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
    const key = `own ${model.steps}`;
    const post = () => real.service.post(real.url, values, { 'idempotency-key': key });
    const calls = real.operator.asked.length;
    let others: readonly TestAnswer[] = [];
    const send = async () => {
      const [first, ...rest] = await Promise.all([post(), post(), post()]);
      others = rest;
      return first;
    };
    const { answer, isTaken } = await sendUnderKey(real, { key, values, send });
    assert.ok(real.operator.asked.length - calls <= 1, 'carried out more than once');
    const replayed = [answer, ...others].filter((one) => one.headers['idempotent-replayed'] === 'true');
    assert.equal(replayed.length, isTaken ? 2 : 0);
    for (const other of others) {
      await tellsThePresent(real, other);
      assert.deepEqual(
        [other.body.error, other.body.refused_fields],
        [answer.body.error, answer.body.refused_fields],
      );
    }
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
        seen: { changes: 0, last: '' },
      };
      collectOffers(real, await service.get(auth.body.next_request.url));
      await fc.asyncModelRun(() => ({ model: { steps: 0 }, real }), sequence);
    }),
    { numRuns: casesOverNodes(50) },
  );
});
