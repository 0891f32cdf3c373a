import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { alwaysFree, property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { ACME, priced, setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

type Envelope = { results: { property_id: string }[]; comparison_set: { coverage: object[] } };

const idsOf = (body: Envelope) => body.results.map(({ property_id: id }) => id);

function refusing(...references: string[]): ScriptedOperator['quote'] {
  return (reference, { currency }) =>
    references.includes(reference)
      ? { property: reference, status: 'unavailable', reason: 'booked' }
      : { property: reference, status: 'quoted', currency, total: '100.00' };
}

/** Two brands, of which the second is well behaved. */
const TWO = { acme: ACME, bravo: { properties: [property('z')] } };

test('a refused candidate gives its place to the next cheapest, and is gone from the next search', async (t) => {
  const { operator, open } = await setScene(t, {
    settings: { maxOptions: 2, maxQuotes: 2 },
    brands: {
      acme: {
        properties: ['10.00', '20.00', '30.00', '40.00'].map((price, number) =>
          property(`p${number}`, {}, alwaysFree(price)),
        ),
      },
    },
  });
  operator.quote = refusing('p0');
  const { body } = await (await open()).search();
  assert.deepEqual(idsOf(body), ['acme:p1', 'acme:p2']);
  assert.equal(body.comparison_set.total_matches, 3, 'the matches less those that were refused');
  assert.equal(body.comparison_set.truncated, true);
  assert.deepEqual(body.comparison_set.coverage, [
    { brand: 'Brand acme', asked: 3, quoted: 2, unavailable: 1, failed: 0, implausible: 0 },
  ]);
  assert.deepEqual(
    operator.asked.map(({ properties }) => properties),
    [['p0', 'p1'], ['p2']],
  );

  operator.quote = priced({});
  const again = await (await open()).search();
  assert.deepEqual(idsOf(again.body), ['acme:p1', 'acme:p2']);
  assert.ok(!operator.asked.slice(2).some(({ properties }) => properties.includes('p0')));
  assert.equal(again.body.comparison_set.total_matches, 3);
  const elsewhen = await (await open()).search({ check_in_day: '2027-04-20', check_out: '2027-04-22' });
  assert.equal(elsewhen.body.comparison_set.total_matches, 4, 'other dates are as free as they were');
});

const MISBEHAVIOURS: Record<string, ScriptedOperator['misbehave']> = {
  'answers 500': (_path, response) => {
    response.writeHead(500).end('{}');
    return true;
  },
  'answers 429': (_path, response) => {
    response.writeHead(429, { 'retry-after': '60' }).end();
    return true;
  },
  redirects: (_path, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    return true;
  },
  'hangs up': (_path, response) => {
    response.destroy();
    return true;
  },
  'answers HTML': (_path, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    return true;
  },
  'answers broken JSON': (_path, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"quotes":[');
    return true;
  },
  'answers something else': (_path, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"quotes":{"a":1}}');
    return true;
  },
  'answers too much': (_path, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"quotes":[],"x":"${'x'.repeat(2_000_000)}"}`);
    return true;
  },
};

/** Calls that only the deadline ends. */
const ENDLESS: typeof MISBEHAVIOURS = {
  'never answers': () => true,
  'drips for ever': (_path, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"quotes":[');
    return true;
  },
};

for (const [name, misbehave] of Object.entries({ ...MISBEHAVIOURS, ...ENDLESS })) {
  test(`an operator that ${name} costs only its own options`, async (t) => {
    const { service, operator, open } = await setScene(t, { brands: TWO });
    const asked = Promise.withResolvers<void>();
    operator.misbehave = (path, response) => {
      asked.resolve();
      return misbehave(path, response);
    };
    const conversation = await open();
    const othersAnswered = service.nextQuoteCall('bravo');
    const search = conversation.search();
    if (name in ENDLESS) {
      await Promise.all([asked.promise, othersAnswered]);
      await service.time.pass(8000);
    }
    const { body } = await search;
    assert.deepEqual(idsOf(body), ['bravo:z']);
    assert.deepEqual(body.comparison_set.coverage, [
      { brand: 'Brand acme', asked: 2, quoted: 0, unavailable: 0, failed: 2, implausible: 0 },
      { brand: 'Brand bravo', asked: 1, quoted: 1, unavailable: 0, failed: 0, implausible: 0 },
    ]);
    assert.equal(body.comparison_set.total_matches, 3);
    assert.equal(body.comparison_set.truncated, true, 'nobody knows that they are not free');
    assert.match(
      body.notes,
      /no usable answer for some homes or for all: Brand acme \([a-z ]+\); coverage counts them/,
    );
  });
}

test('a quote that cannot be believed costs only its property', async (t) => {
  const quoted = (reference: string, changes: object) => ({
    property: reference,
    status: 'quoted' as const,
    currency: 'EUR',
    total: '100.00',
    ...changes,
  });
  const wrong: Record<string, object> = {
    'in another currency': { currency: 'USD' },
    'with a fraction of a cent': { total: '100.005' },
    'for nothing': { total: '0.00' },
    'for less than nothing': { total: '-5.00' },
    'with an exponent': { total: '1e3' },
    'as a number': { total: 100 },
    'held until yesterday': { held_until: '2027-02-28T12:00:00Z' },
    'held for seconds': { held_until: '2027-03-01T12:00:30Z' },
    'held until nonsense': { held_until: 'tomorrow' },
    'with an unknown status': { status: 'maybe' },
  };
  for (const [name, changes] of Object.entries(wrong)) {
    const { operator, open } = await setScene(t);
    operator.quote = (reference) => quoted(reference, reference === 'a' ? changes : {});
    const { body } = await (await open()).search();
    assert.deepEqual(idsOf(body), ['acme:b'], name);
    assert.deepEqual(
      body.comparison_set.coverage,
      [{ brand: 'Brand acme', asked: 2, quoted: 1, unavailable: 0, failed: 1, implausible: 0 }],
      name,
    );
  }
});

test('an operator that contradicts itself is not believed, and strangers are ignored', async (t) => {
  const { operator, open } = await setScene(t);
  operator.misbehave = (path, response) => {
    if (path !== '/quotes') return false;
    const quote = (reference: string, total: string) => ({
      property: reference,
      status: 'quoted',
      currency: 'EUR',
      total,
    });
    const quotes = [
      quote('a', '90.00'),
      quote('b', '110.00'),
      quote('a', '900.00'),
      quote('stranger', '1.00'),
    ];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ quotes }));
    return true;
  };
  const { body } = await (await open()).search();
  assert.deepEqual(idsOf(body), ['acme:b']);
});

test('a set names each brand that was silent with its own reason and time, and asking again then is of use', async (t) => {
  const { service, operator, operators, open } = await setScene(t, {
    brands: { ...TWO, charlie: { properties: [property('y')] } },
  });
  const fails: ScriptedOperator['misbehave'] = (_path, response) => {
    response.writeHead(500).end();
    return true;
  };
  operator.misbehave = fails;
  const conversation = await open();
  const search = async () => (await conversation.send(STAY)).body;
  const first = await search();
  assert.match(first.notes, /for all: Brand acme \(server error\); coverage counts them/);
  assert.equal('not_before' in first.available_requests.ask_again, false);
  for (let attempt = 0; attempt < 4; attempt += 1) await search();
  const [acmeAt, charlieAt] = [15_000, 18_000].map((afterMs) =>
    new Date(Math.ceil((service.time.now + afterMs) / 1000) * 1000).toISOString().replace('.000', ''),
  );
  const leftAlone = await search();
  assert.match(
    leftAlone.notes,
    new RegExp(`: Brand acme \\(left alone after failures, until ${acmeAt}\\); `),
  );
  assert.equal(leftAlone.available_requests.ask_again.not_before, acmeAt);
  service.time.now += 3_000;
  assert.ok(operators.charlie);
  operators.charlie.misbehave = fails;
  // As often as it has answered, so that half of its calls have failed, and once more for what it has answered before.
  for (let attempt = 0; attempt < 7; attempt += 1) await search();
  const both = await search();
  const [acme, charlie] = [`Brand acme (left alone after failures, until ${acmeAt})`, 'Brand charlie'];
  assert.ok(both.notes.includes(`: ${acme}, ${charlie} (left alone after failures, until ${charlieAt}); `));
  assert.ok(both.notes.includes(`Before ${acmeAt} that is of no use.`));
  assert.equal(both.available_requests.ask_again.not_before, acmeAt, 'the first of both');
  operator.misbehave = () => false;
  service.time.now = Date.parse(acmeAt ?? '');
  const { body } = await service.get(both.available_requests.ask_again.href);
  assert.deepEqual(idsOf(body).sort(), ['acme:a', 'acme:b', 'bravo:z']);
});

const holding =
  (heldUntil: Readonly<Record<string, string | null>>): ScriptedOperator['quote'] =>
  (reference, { currency }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total: '100.00',
    held_until: heldUntil[reference] ?? null,
  });

type Promised = { quote: { price_guarantee: string; price_valid_until: string } };

const promisesIn = (body: { results: Promised[] }) =>
  body.results.map(({ quote }) => [quote.price_guarantee, quote.price_valid_until]);

test('an early hold ends its own price only: the session and the set keep the end given at auth', async (t) => {
  const { service, operator, open } = await setScene(t);
  operator.quote = holding({ a: '2027-03-01T12:10:00.900Z' });
  const conversation = await open();
  const { body } = await conversation.search();
  assert.equal(body.session_expires_at, '2027-03-01T12:30:00Z');
  assert.equal(body.comparison_set.quotes_valid_until, '2027-03-01T12:30:00Z');
  assert.deepEqual(promisesIn(body), [
    ['held', '2027-03-01T12:10:00Z'],
    ['at_retrieval', '2027-03-01T12:30:00Z'],
  ]);
  service.time.now += 20 * 60_000;
  assert.equal((await conversation.result()).status, 200, 'the session outlives the hold');
  service.time.now += 10 * 60_000;
  assert.equal((await conversation.result()).status, 410);
});

test('identical searches at the same moment are one question to the operator', {
  skip: perNode('identical calls are shared by the searches of a node'),
}, async (t) => {
  const { service, operator, open } = await setScene(t);
  operator.misbehave = async (path) => {
    if (path === '/quotes') await service.requestsInFlight(5);
    return false;
  };
  const conversations = await Promise.all(Array.from({ length: 5 }, () => open()));
  const answers = await Promise.all(conversations.map((conversation) => conversation.search()));
  assert.equal(operator.asked.length, 1);
  const identifiers = answers.flatMap(({ body }) =>
    body.results.map(({ quote }: { quote: { nxq: string } }) => quote.nxq),
  );
  assert.equal(new Set(identifiers).size, 10, 'but every result has its own quotes');
});

test('a session that ends while its operators are being asked has ended: no price is held after its end', async (t) => {
  const { service, operator, open } = await setScene(t);
  const conversation = await open('acme');
  operator.misbehave = (path) => {
    if (path === '/quotes') service.time.now += 31 * 60_000;
    return false;
  };
  const { status, body } = await conversation.send({ brand_locked: true, ...STAY });
  assert.equal(status, 200);
  assert.equal(body.error, 'session_expired');
  assert.deepEqual(body.next_request, {
    url: '/ai/v1/auth?source=acme',
    method: 'POST',
    body: { source: 'acme' },
  });
});

test('a set in which a brand is missing offers to ask again, which asks everyone anew', async (t) => {
  const { service, operator, operators, open } = await setScene(t, { brands: TWO });
  operator.misbehave = (_path, response) => {
    response.writeHead(503).end();
    return true;
  };
  const conversation = await open();
  const partial = await conversation.search();
  assert.deepEqual(idsOf(partial.body), ['bravo:z']);
  const { ask_again } = partial.body.available_requests;
  assert.deepEqual([ask_again.method, ask_again.path], ['GET', '/ai/v1/search']);
  operator.misbehave = () => false;
  const asked = operators.bravo?.asked.length ?? 0;
  const whole = await service.get(ask_again.href);
  assert.deepEqual(idsOf(whole.body), ['acme:a', 'acme:b', 'bravo:z']);
  assert.equal(operators.bravo?.asked.length, asked + 1);
  assert.equal('ask_again' in whole.body.available_requests, false, 'there is nobody to wait for');
  assert.equal((await conversation.result()).raw, whole.raw);
});
