import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  agree,
  type ClientModel,
  correctionsIn,
  emptyModel,
  missingIn,
  settle,
  valueOffered,
} from '../support/client-model.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { casesOverNodes } from '../support/property-cases.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

type Values = Record<string, unknown>;
type Real = { service: TestService; url: string; token: string; last: TestAnswer; keys: number };
type Command = fc.AsyncCommand<ClientModel, Real>;

const isLive = (model: ClientModel) => !model.hasEnded;

async function send(model: ClientModel, real: Real, sent: Values): Promise<TestAnswer> {
  const answer = await real.service.post(real.url, sent);
  settle(model, sent, answer);
  real.last = answer;
  return answer;
}

const read: Command = {
  check: isLive,
  async run(model, real) {
    const answer = await real.service.post(real.url, {});
    if (model.isCurrent && answer.body.object === 'search_result') assert.equal(answer.raw, model.result);
    if (model.isCurrent && answer.body.object !== 'search_result') {
      assert.deepEqual(answer.body.missing_fields, ['amenities']);
    }
    if (!model.isCurrent && missingIn(model).length === 0) {
      assert.equal(answer.body.object, 'search_result', 'a complete search has a result');
      model.result = answer.raw;
      model.isCurrent = true;
    }
    agree(model, answer);
    real.last = answer;
  },
  toString: () => 'read the step',
};

/** A value of an open field that is on offer is taken, and costs nothing but filters. */
const supply = (choice: number): Command => ({
  check: isLive,
  async run(model, real) {
    const picked = await somethingOnOffer(model, real, choice);
    if (!picked) return;
    const { body } = await send(model, real, picked);
    assert.ok(body.object === 'search_result' || body.error === 'incomplete_payload', body.message);
    assert.deepEqual(
      (body.cleared_fields ?? []).filter((field: string) => field !== 'amenities'),
      [],
    );
  },
  toString: () => `supply offer ${choice}`,
});

async function somethingOnOffer(model: ClientModel, real: Real, choice: number): Promise<Values | undefined> {
  await read.run(model, real);
  const { body } = real.last;
  const offers = Object.entries<unknown[]>(body.allowed_values ?? {}).flatMap(([field, values]) =>
    field === 'amenities' ? [] : values.map((value) => ({ [field]: valueOffered(value) })),
  );
  return offers[choice % Math.max(1, offers.length)];
}

/** Anything, one field or several, open or set. Whatever is refused costs nothing else. */
const say = (values: Values, follows: boolean): Command => ({
  check: isLive,
  async run(model, real) {
    const { body } = await send(model, real, values);
    if (follows && body.suggestions) await followSuggestion(model, real);
  },
  toString: () => `say ${JSON.stringify(values)}${follows ? ' and follow the suggestion' : ''}`,
});

async function followSuggestion(model: ClientModel, real: Real): Promise<void> {
  const { brand_locked, ...others } = correctionsIn(real.last.body);
  const corrections = { ...others, ...(brand_locked ? { brand_locked: brand_locked === 'true' } : {}) };
  if (Object.keys(corrections).length === 0) return;
  const answer = await real.service.get(real.last.body.next_request.url);
  assert.ok(
    answer.body.object === 'search_result' || answer.body.error === 'incomplete_payload',
    `${JSON.stringify(corrections)} was suggested: ${answer.body.message}`,
  );
  settle(model, corrections, answer);
  real.last = answer;
}

/** The last missing field together with an amenity: completed and narrowed at once. */
const finish = (choice: number, amenity: string): Command => ({
  check: (model) => isLive(model) && missingIn(model).length === 1,
  async run(model, real) {
    const last = await somethingOnOffer(model, real, choice);
    const { body } = await send(model, real, { ...last, amenities: amenity });
    assert.equal(body.object, 'search_result', 'the last field is taken all the same');
    if ([...body.applied_filters.amenities, ...(body.fulfilled_amenities ?? [])].includes(amenity)) return;
    assert.deepEqual(body.refused_fields, ['amenities']);
    for (const option of body.results) {
      assert.ok(!(amenity in (option.amenities ?? {})), 'a match has it');
    }
  },
  toString: () => `finish with offer ${choice} and ${amenity}`,
});

const refine = (choice: number): Command => ({
  check: (model) => isLive(model) && model.isCurrent,
  async run(model, real) {
    const step = await real.service.post(real.url, {});
    const offers: { value: string; match_count: number; of: number }[] =
      step.body.allowed_values?.amenities ?? [];
    const { options = [] } = JSON.parse(model.result ?? '').available_requests.refine ?? {};
    assert.deepEqual(
      options.map(({ url: _, ...option }: { url?: string }) => option),
      offers,
    );
    const offer = offers[choice % Math.max(1, offers.length)];
    if (!offer) {
      assert.equal(step.raw, model.result);
      return;
    }
    assert.ok(offer.match_count > 0 && offer.match_count < offer.of);
    assert.ok(!model.filters.includes(offer.value));
    const { body } = await send(model, real, { amenities: [offer.value] });
    assert.equal(body.comparison_set.total_matches, offer.match_count);
  },
  toString: () => `refine by offer ${choice}`,
});

const takeFiltersOff: Command = {
  check: isLive,
  async run(model, real) {
    const { filters, result } = model;
    const { body, raw } = await send(model, real, { amenities: [] });
    if (filters.length === 0) return;
    assert.equal('cleared_fields' in body, false, 'what was asked for is no loss');
    if (body.object === 'search_result') assert.notEqual(raw, result, 'with fresh quotes');
  },
  toString: () => 'take the filters off',
};

const refuse = (body: unknown, error: string): Command => ({
  check: isLive,
  async run(model, real) {
    const answer = await real.service.post(real.url, body);
    assert.equal(answer.body.error, error);
    agree(model, answer);
  },
  toString: () => `send ${JSON.stringify(body)}`,
});

const readResult: Command = {
  check: isLive,
  async run(model, real) {
    const answer = await real.service.get(`/ai/v1/result?session=${real.token}`);
    if (model.result !== null) {
      assert.deepEqual([answer.status, answer.raw], [200, model.result]);
      assert.equal(answer.headers['x-result-current'] === 'false', !model.isCurrent);
      return;
    }
    assert.deepEqual([answer.status, answer.body.error], [409, 'result_not_ready']);
    assert.deepEqual(answer.body.missing_fields, missingIn(model));
  },
  toString: () => 'read the result',
};

const replay = (choice: number): Command => ({
  check: (model) => isLive(model) && !('guests' in model.received),
  async run(model, real) {
    const keyed = `${real.url}&idempotency_key=walk-${real.keys++}`;
    const guests = String(1 + (choice % 2));
    const first = await real.service.post(keyed, { guests });
    settle(model, { guests }, first);
    const again = await real.service.post(keyed, { field: 'guests', value: Number(guests) });
    assert.equal(again.raw, first.raw);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    const other = await real.service.post(keyed, { guests: '3' });
    assert.equal(other.body.error, 'idempotency_key_reused');
    agree(model, other);
    await send(model, real, { check_in_day: '2027-03-20' });
    const late = await real.service.post(keyed, { guests });
    assert.equal(late.headers['idempotent-replayed'], 'true');
    agree(model, late);
  },
  toString: () => `supply guests ${choice} under one key, twice and late`,
});

const expire: Command = {
  check: isLive,
  async run(model, real) {
    real.service.time.stepWallClock(31 * 60_000);
    const search = await real.service.post(real.url, {});
    assert.deepEqual([search.status, search.body.error], [200, 'session_expired']);
    assert.deepEqual(search.body.next_request.body, { source: 'acme' });
    const result = await real.service.get(`/ai/v1/result?session=${real.token}`);
    assert.deepEqual([result.status, result.body.error], [410, 'session_expired']);
    real.service.time.stepWallClock(-31 * 60_000);
    model.hasEnded = true;
  },
  toString: () => 'let the session end',
};

/** Homes that differ in when, for how long and for how many they can be had, so that a change costs other answers. */
const HOMES = [
  property('a', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' }, max_guests: 3 }),
  property('b', { amenities: { wifi: 'Wi-Fi', sauna: 'Sauna' } }, [
    { from: '2027-03-01', to: '2027-03-22', available: true, price: '50.00' },
  ]),
  property('c', { amenities: { pool: 'Pool', sauna: 'Sauna' }, place: 'porto-pt', max_guests: 2 }, [
    { from: '2027-03-15', to: '2027-05-01', available: true, minimum_stay: 4, price: '50.00' },
  ]),
  property('d', { amenities: null, place: 'porto-pt' }, [
    { from: '2027-03-01', to: '2027-04-05', available: true, maximum_stay: 6, price: '50.00' },
  ]),
  property('e', { amenities: { pool: 'Pool' }, max_guests: 6 }, [
    { from: '2027-03-18', to: '2027-04-12', available: true, minimum_stay: 2, price: '50.00' },
  ]),
];

const somethingSaid = fc.record(
  {
    brand_locked: fc.boolean(),
    destination: fc.constantFrom('lisbon-pt', 'porto-pt', 'portugal', 'evora-pt', 'berlin'),
    check_in_month: fc.constantFrom('2027-03', '2027-04', '2031-01'),
    check_in_day: fc.constantFrom('2027-03-05', '2027-03-20', '2027-04-02', '2027-02-30', '2026-12-01'),
    check_out: fc.constantFrom('2027-03-07', '2027-03-22', '2027-03-25', '2027-04-09', '2026-01-01'),
    guests: fc.constantFrom('1', '2', '3', '4', '6', '9'),
    amenities: fc.constantFrom('pool', 'sauna', 'jacuzzi', ['pool', 'sauna'], [] as string[]),
    colour: fc.constant('red'),
  },
  { requiredKeys: [] },
);
/** Mostly one field or a few: a whole request at once is soon complete. */
const aFewWords = fc
  .tuple(somethingSaid, fc.infiniteStream(fc.nat(3)))
  .map(([said, dice]) => Object.fromEntries(Object.entries(said).filter(() => dice.next().value === 0)))
  .filter((said) => Object.keys(said).length > 0);

test('a session behaves as its model over HTTP, whatever is sent in whatever order', async (t) => {
  const operator = await startScriptedOperator();
  quoteTruthfully(operator);
  operator.properties = HOMES;
  const service = await startTestService({
    network: networkFile([brandEntry('acme', operator.origin)]),
    settings: { rateLimit: 1_000_000 },
  });
  t.after(async () => {
    await service.close();
    await operator.close();
  });

  const commands = [
    fc.constant(read),
    fc.constant(readResult),
    fc.nat(500).map(supply),
    fc.nat(500).map(supply),
    fc.tuple(aFewWords, fc.boolean()).map(([said, follows]) => say(said, follows)),
    fc.tuple(aFewWords, fc.boolean()).map(([said, follows]) => say(said, follows)),
    fc.tuple(somethingSaid, fc.boolean()).map(([said, follows]) => say({ guests: '2', ...said }, follows)),
    fc
      .tuple(fc.nat(500), fc.constantFrom('pool', 'sauna', 'wifi'))
      .map(([choice, one]) => finish(choice, one)),
    fc.nat(10).map(refine),
    fc.constant(takeFiltersOff),
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
          model: emptyModel(),
          real: { service, token, url: `/ai/v1/search?session=${token}`, last: auth, keys: 0 },
        }),
        sequence,
      );
    }),
    { numRuns: casesOverNodes(50) },
  );
});
