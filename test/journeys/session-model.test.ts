import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

/** What a client can know about a session from the answers alone. */
type Model = {
  received: Record<string, unknown>;
  /** The envelope's bytes once there was a result. */
  result: string | null;
  /** Whether the result still answers what was received. */
  answered: boolean;
  amenities: string[];
  ended: boolean;
};
type Real = { service: TestService; url: string; token: string; last: TestAnswer; keys: number };
type Command = fc.AsyncCommand<Model, Real>;

const ORDER = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];
const DEPENDENTS: Record<string, string[]> = {
  brand_locked: ['destination'],
  check_in_month: ['check_in_day', 'check_out'],
  check_in_day: ['check_out'],
};

/** What every answer on a live session must say, whichever command produced it. */
function agree(model: Model, answer: TestAnswer): void {
  assert.equal(answer.status, 200);
  assert.equal(answer.body.status, 200);
  if (answer.body.object === 'search_result') {
    assert.deepEqual(answer.body.applied_filters.amenities, model.amenities);
    assert.equal(answer.body.query.guests, Number(model.received.guests));
    assert.equal(answer.body.query.check_out, model.received.check_out);
    return;
  }
  const amenities = model.answered && model.amenities.length > 0 ? { amenities: model.amenities } : {};
  assert.deepEqual(answer.body.received, { source: 'acme', ...model.received, ...amenities });
  const open = ORDER.filter((field) => !(field in model.received));
  if (!model.answered) assert.deepEqual(answer.body.missing_fields, open);
  assert.deepEqual(answer.body.field_order, ORDER);
}

/** A value was taken: what is cleared is what the answer says, and at least all dependents of a changed field. */
function take(model: Model, field: string, value: unknown, answer: TestAnswer): void {
  const changed = field in model.received && model.received[field] !== value;
  if (model.received[field] === value && model.answered) return;
  model.received = { ...model.received, [field]: value };
  const cleared: string[] = answer.body.cleared_fields ?? [];
  if (changed) {
    for (const dependent of DEPENDENTS[field] ?? []) {
      if (dependent in model.received)
        assert.ok(cleared.includes(dependent), `${dependent} was not cleared with ${field}`);
    }
  }
  for (const gone of cleared) delete model.received[gone];
  model.received = Object.fromEntries(
    ORDER.filter((name) => name in model.received).map((name) => [name, model.received[name]]),
  );
  model.answered = false;
  model.amenities = [];
}

function concluded(model: Model, real: Real, answer: TestAnswer): void {
  real.last = answer;
  if (answer.body.object === 'search_result') {
    model.result = answer.raw;
    model.answered = true;
  }
  agree(model, answer);
}

const read: Command = {
  check: (model) => !model.ended,
  async run(model, real) {
    const answer = await real.service.post(real.url, {});
    if (answer.body.object === 'search_result') assert.equal(answer.raw, model.result);
    real.last = answer;
    agree(model, answer);
    if (model.answered && answer.body.object !== 'search_result')
      assert.deepEqual(answer.body.missing_fields, ['amenities']);
  },
  toString: () => 'read the step',
};

const supply = (choice: number): Command => ({
  check: (model) => !model.ended,
  async run(model, real) {
    const step = await real.service.post(real.url, {});
    const offers = Object.entries(step.body.allowed_values ?? {}).flatMap(([field, values]) =>
      field === 'amenities'
        ? []
        : (values as unknown[]).map(
            (value) =>
              [field, typeof value === 'object' ? Reflect.get(value as object, 'value') : value] as const,
          ),
    );
    const picked = offers[choice % Math.max(1, offers.length)];
    if (!picked) return;
    const [field, value] = picked;
    const answer = await real.service.post(real.url, { [field]: value });
    assert.ok(
      !['invalid_value', 'prerequisite_missing'].includes(answer.body.error),
      `${field} was on offer`,
    );
    take(model, field, value, answer);
    concluded(model, real, answer);
  },
  toString: () => `supply offer ${choice}`,
});

const change = (fieldChoice: number, value: Record<string, unknown>): Command => ({
  check: (model) => !model.ended && Object.keys(model.received).length > 0,
  async run(model, real) {
    const set = Object.keys(model.received);
    const field = set[fieldChoice % set.length] as string;
    const before = structuredClone(model);
    const answer = await real.service.post(real.url, { field, value: value[field] });
    if (answer.body.error === 'invalid_value') {
      assert.equal(answer.body.invalid_field, field);
      assert.equal(answer.body.message, `Invalid value for field: ${field}`);
      assert.deepEqual(model, before);
      agree(model, answer);
      return;
    }
    take(model, field, value[field], answer);
    concluded(model, real, answer);
  },
  toString: () => `change field ${fieldChoice} to ${JSON.stringify(value)}`,
});

const refine = (choice: number): Command => ({
  check: (model) => !model.ended && model.answered,
  async run(model, real) {
    const step = await real.service.post(real.url, {});
    const offers: { value: string; match_count: number; of: number }[] =
      step.body.allowed_values?.amenities ?? [];
    const offer = offers[choice % Math.max(1, offers.length)];
    if (!offer) {
      assert.equal(step.raw, model.result);
      const refused = await real.service.post(real.url, { amenities: 'pool' });
      assert.equal(refused.body.error, 'refine_not_available');
      return;
    }
    assert.ok(offer.match_count > 0 && offer.match_count < offer.of);
    assert.ok(!model.amenities.includes(offer.value));
    const answer = await real.service.post(real.url, { amenities: [offer.value] });
    model.amenities = [...model.amenities, offer.value];
    concluded(model, real, answer);
  },
  toString: () => `refine by offer ${choice}`,
});

const refuse = (body: unknown, error: string): Command => ({
  check: (model) => !model.ended,
  async run(model, real) {
    const answer = await real.service.post(real.url, body);
    assert.equal(answer.body.error, error);
    agree(model, answer);
  },
  toString: () => `send ${JSON.stringify(body)}`,
});

const readResult: Command = {
  check: (model) => !model.ended,
  async run(model, real) {
    const answer = await real.service.get(`/ai/v1/result?session=${real.token}`);
    if (model.result === null) {
      assert.equal(answer.status, 409);
      assert.equal(answer.body.error, 'result_not_ready');
    } else {
      assert.equal(answer.status, 200);
      assert.equal(answer.raw, model.result);
    }
  },
  toString: () => 'read the result',
};

const replay = (choice: number): Command => ({
  check: (model) => !model.ended && !('guests' in model.received),
  async run(model, real) {
    const key = `walk-${real.keys++}`;
    const guests = String(1 + (choice % 2));
    const first = await real.service.post(`${real.url}&idempotency_key=${key}`, { guests });
    take(model, 'guests', guests, first);
    concluded(model, real, first);
    const again = await real.service.post(`${real.url}&idempotency_key=${key}`, {
      field: 'guests',
      value: Number(guests),
    });
    assert.equal(again.raw, first.raw);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    const other = await real.service.post(`${real.url}&idempotency_key=${key}`, { guests: '3' });
    assert.equal(other.body.error, 'idempotency_key_reused');
    agree(model, other);
  },
  toString: () => `supply guests ${choice} twice under one key`,
});

const expire: Command = {
  check: (model) => !model.ended,
  async run(model, real) {
    real.service.time.now += 31 * 60_000;
    const search = await real.service.post(real.url, {});
    assert.deepEqual([search.status, search.body.error], [200, 'session_expired']);
    assert.deepEqual(search.body.next_request.body, { source: 'acme' });
    const result = await real.service.get(`/ai/v1/result?session=${real.token}`);
    assert.deepEqual([result.status, result.body.error], [410, 'session_expired']);
    real.service.time.now -= 31 * 60_000;
    model.ended = true;
  },
  toString: () => 'let the session end',
};

test('a session behaves as its model over HTTP, whatever is sent in whatever order', async (t) => {
  const operator = await startScriptedOperator();
  quoteTruthfully(operator);
  operator.properties = [
    property('a', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' }, max_guests: 3 }),
    property('b', { amenities: { wifi: 'Wi-Fi', sauna: 'Sauna' } }),
    property('c', { amenities: { pool: 'Pool', sauna: 'Sauna' }, place: 'porto-pt', max_guests: 2 }),
    property('d', { amenities: null, place: 'porto-pt' }),
    property('e', { amenities: { pool: 'Pool' } }),
  ];
  const service = await startTestService({
    network: networkFile([brandEntry('acme', operator.origin)]),
    settings: { rateLimit: 1_000_000 },
  });
  t.after(async () => {
    await service.close();
    await operator.close();
  });

  const values = fc.record({
    brand_locked: fc.boolean(),
    destination: fc.constantFrom('lisbon-pt', 'porto-pt', 'portugal', 'evora-pt'),
    check_in_month: fc.constantFrom('2027-03', '2027-04', '2031-01'),
    check_in_day: fc.constantFrom('2027-03-05', '2027-03-20', '2027-04-02', '2027-02-30'),
    check_out: fc.constantFrom('2027-03-07', '2027-03-25', '2027-04-09', '2026-01-01'),
    guests: fc.constantFrom('1', '2', '3', '4', '9'),
  });
  const commands = [
    fc.constant(read),
    fc.constant(readResult),
    fc.nat(500).map(supply),
    fc.nat(500).map(supply),
    fc.nat(500).map(supply),
    fc.tuple(fc.nat(10), values).map(([field, value]) => change(field, value)),
    fc.nat(10).map(refine),
    fc.nat(10).map(replay),
    fc.constantFrom(
      refuse({ colour: 'red' }, 'unknown_field'),
      refuse('[1]', 'invalid_request'),
      refuse('{"guests"', 'invalid_request'),
      refuse({ field: 'guests' }, 'invalid_request'),
    ),
    fc.constant(expire),
  ];

  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: '+1', maxCommands: 40 }), async (sequence) => {
      const auth = await service.post('/ai/v1/auth', { source: 'acme' });
      const token: string = auth.body.session;
      await fc.asyncModelRun(
        () => ({
          model: { received: {}, result: null, answered: false, amenities: [], ended: false },
          real: { service, token, url: `/ai/v1/search?session=${token}`, last: auth, keys: 0 },
        }),
        sequence,
      );
    }),
    { numRuns: 250 },
  );
});
