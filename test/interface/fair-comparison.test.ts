import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '../support/conversation.ts';
import { alwaysFree, property } from '../support/network.ts';
import { priced, type Scene, setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

type Option = { readonly property_id: string; readonly quote: { readonly amount: number } };
type Envelope = { readonly results: readonly Option[] };
const shownOf = ({ results }: Envelope, brand: string) =>
  results.filter(({ property_id: id }) => id.startsWith(`${brand}:`)).length;
const askedOf = ({ asked }: ScriptedOperator) => asked.flatMap(({ properties }) => properties).length;

/** A free night without a price, or with that price. */
const nights = (price: string | null) =>
  alwaysFree().map(({ price: _, ...free }) => (price === null ? free : { ...free, price }));
const street = (homes: number, price: string | null) => ({
  properties: Array.from({ length: homes }, (_, at) => property(`p${at}`, {}, nights(price))),
});

/** Each home of the honest brand costs what its calendar says, each of the greedy one nine times as much. */
async function besideGreedy(
  t: Parameters<typeof setScene>[0],
  greedyPrice: string | null,
  more = {},
): Promise<Scene> {
  const scene = await setScene(t, {
    brands: { greedy: street(100, greedyPrice), honest: street(30, '100.00') },
    ...more,
  });
  quoteAll(scene);
  return scene;
}

function quoteAll({ operators }: Scene): void {
  const { greedy, honest } = operators;
  if (!greedy || !honest) throw new Error('the scene has both');
  const asking =
    (total: number): ScriptedOperator['quote'] =>
    (reference, { currency }) => ({
      property: reference,
      status: 'quoted',
      currency,
      total: `${total + Number(reference.slice(1))}.00`,
    });
  greedy.quote = asking(1800);
  honest.quote = asking(200);
}

async function search(
  open: Scene['open'],
  changes = {},
): Promise<Awaited<ReturnType<Conversation['search']>>> {
  return (await open()).search(changes);
}

for (const [name, price] of Object.entries({ 'no prices': null, 'prices of 0.01': '0.01' })) {
  test(`a brand with ${name} and homes nine times as dear does not keep an honest one out`, async (t) => {
    const { open, operators } = await besideGreedy(t, price);
    const { body } = await search(open);
    assert.deepEqual([shownOf(body, 'honest'), shownOf(body, 'greedy')], [20, 0]);
    const amounts = body.results.map(({ quote }: Option) => quote.amount);
    assert.deepEqual(
      amounts,
      Array.from({ length: 20 }, (_, at) => 200 + at),
      'by true totals',
    );
    assert.deepEqual(
      body.comparison_set.coverage.map(({ brand, asked }: { brand: string; asked: number }) => [
        brand,
        asked,
      ]),
      [
        ['Brand greedy', 30],
        ['Brand honest', 30],
      ],
    );
    assert.equal(operators.greedy && askedOf(operators.greedy), 30);
  });
}

test('one home in a call: the brand that publishes 0.01 is asked less once its totals are known, also after a restart', async (t) => {
  const settings = { maxOptions: 12, maxQuotes: 12 };
  const oneInACall = (origin: string) => ({
    entry: { booking_system: { kind: 'open' as const, url: origin, quote_batch: 1 } },
  });
  const shops = await besideGreedy(t, '0.01');
  const { greedy, honest } = shops.operators;
  assert.ok(greedy && honest);
  const brands = {
    greedy: { properties: [], ...oneInACall(greedy.origin) },
    honest: { properties: [], ...oneInACall(honest.origin) },
  };
  const first = await setScene(t, { brands, settings });
  const cold = await search(first.open);
  assert.deepEqual([shownOf(cold.body, 'honest'), shownOf(cold.body, 'greedy')], [6, 6]);
  await search(first.open);
  const warm = await search(first.open);
  assert.deepEqual([shownOf(warm.body, 'honest'), shownOf(warm.body, 'greedy')], [9, 3]);

  await first.service.time.pass(30_000);
  const second = await setScene(t, { brands, settings, storage: first.service.storage });
  const restarted = await search(second.open);
  assert.deepEqual([shownOf(restarted.body, 'honest'), shownOf(restarted.body, 'greedy')], [9, 3]);
});

test('a brand that refuses everything is asked for a few times its share, and the set says that there may be more', async (t) => {
  const { operator, open } = await setScene(t, {
    settings: { maxOptions: 2, maxQuotes: 4 },
    brands: { full: street(60, '100.00'), free: street(1, '100.00') },
  });
  operator.quote = (reference) => ({ property: reference, status: 'unavailable', reason: 'booked' });
  const { body } = await search(open);
  assert.equal(askedOf(operator), 6);
  assert.equal(body.comparison_set.options_count, 1);
  const { matches, priced: found, complete } = body.comparison_set.selection;
  assert.deepEqual([matches, found, complete], [55, 1, false]);
  assert.match(body.notes, /a home that was not priced may be cheaper/);
});

test('a total that cannot be true is left out, counted and reported', async (t) => {
  const { operators, service, open } = await besideGreedy(t, '100.00');
  const { greedy } = operators;
  assert.ok(greedy);
  const usual = greedy.quote;
  greedy.quote = (reference, request) =>
    reference === 'p1' ? priced({ p1: '1.00' })(reference, request) : usual(reference, request);
  const { body } = await search(open);
  assert.ok(body.results.every(({ property_id: id }: Option) => id !== 'greedy:p1'));
  assert.deepEqual(body.comparison_set.coverage[0], {
    brand: 'Brand greedy',
    asked: 30,
    quoted: 29,
    unavailable: 0,
    failed: 0,
    implausible: 1,
  });
  assert.equal(body.comparison_set.selection.matches, 130);
  assert.equal(body.comparison_set.selection.priced, 59);
  assert.match(body.notes, /coverage counts them as implausible/);
  assert.equal('ask_again' in body.available_requests, false, 'asking again would not help');
  assert.match(await service.metrics.render(), /staywire_implausible_totals_total\{brand="greedy"\} 1/);
  const line = service.logLines.find((one) => one.includes('cannot be true')) ?? '';
  assert.deepEqual(JSON.parse(line).properties, ['greedy:p1']);
  const ledger = await service.storage.sessions.issuedQuotes({ since: 0, limit: 100 });
  assert.ok(ledger.every(({ property: id }) => id !== 'greedy:p1'));
});

test('only totals that cannot be true: an envelope without options, not an operator that is out of reach', async (t) => {
  const { operator, open } = await setScene(t, { brands: { acme: street(6, '100.00') } });
  operator.quote = (reference, request) => priced({ [reference]: '200.00' })(reference, request);
  await search(open);
  operator.quote = (reference, request) => priced({ [reference]: '0.50' })(reference, request);
  const { body } = await search(open);
  assert.equal(body.object, 'search_result');
  assert.deepEqual(body.results, []);
  assert.deepEqual(body.comparison_set.coverage, [
    { brand: 'Brand acme', asked: 6, quoted: 0, unavailable: 0, failed: 0, implausible: 6 },
  ]);
  operator.quote = (reference, request) => priced({ [reference]: '190.00' })(reference, request);
  assert.equal((await search(open)).body.comparison_set.options_count, 6, 'it was never taken for true');
});
