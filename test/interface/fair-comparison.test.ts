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
const amountsOf = ({ results }: Envelope) => results.map(({ quote }) => quote.amount);
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
    assert.deepEqual([shownOf(body, 'honest'), shownOf(body, 'greedy')], [19, 1]);
    assert.deepEqual(
      amountsOf(body),
      [...Array.from({ length: 19 }, (_, at) => 200 + at), 1800],
      'by true totals, with the cheapest of each brand',
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

/** Four brands with eight homes each, at 100 to 103 a night, and one with 25 homes that publishes and quotes another price. */
async function besideBait(
  t: Parameters<typeof setScene>[0],
  nightly: number,
  { maxOptions = 20 } = {},
): Promise<Scene> {
  const prices = { bait: nightly, east: 100, north: 101, south: 102, west: 103 };
  const totalOf = (price: number) => (price * 2).toFixed(2);
  const scene = await setScene(t, {
    settings: { maxOptions },
    brands: Object.fromEntries(
      Object.entries(prices).map(([brand, price]) => [
        brand,
        street(brand === 'bait' ? 25 : 8, price.toFixed(2)),
      ]),
    ),
  });
  for (const [brand, price] of Object.entries(prices)) {
    const operator = scene.operators[brand];
    assert.ok(operator);
    operator.quote = (reference, request) => priced({ [reference]: totalOf(price) })(reference, request);
  }
  return scene;
}

for (const nightly of [1.1, 5, 20]) {
  test(`a brand that publishes and quotes ${nightly} a night beside four that ask 100 is left out and counted`, async (t) => {
    const { open } = await besideBait(t, nightly);
    for (const round of ['first', 'second']) {
      const { body } = await search(open);
      const shown = ['bait', 'east', 'north', 'south', 'west'].map((brand) => shownOf(body, brand));
      assert.deepEqual(shown, [0, 8, 8, 3, 1], `${round} search`);
      assert.deepEqual(body.comparison_set.coverage[0], {
        brand: 'Brand bait',
        asked: 25,
        quoted: 0,
        unavailable: 0,
        failed: 0,
        implausible: 25,
      });
      assert.match(body.notes, /coverage counts them as implausible/);
      const { total_matches, truncated, selection } = body.comparison_set;
      assert.deepEqual([total_matches, truncated], [57, true]);
      assert.deepEqual(selection, { matches: 57, priced: 32, shown: 20, complete: false });
    }
  });
}

test('a brand with many homes at a quarter of the price is believed, and every brand has its cheapest home in the set', async (t) => {
  const places = { 20: [16, 1, 1, 1, 1], 5: [1, 1, 1, 1, 1], 2: [1, 1, 0, 0, 0], 1: [1, 0, 0, 0, 0] };
  for (const [maxOptions, expected] of Object.entries(places)) {
    const { open } = await besideBait(t, 25, { maxOptions: Number(maxOptions) });
    const { body } = await search(open);
    const shown = ['bait', 'east', 'north', 'south', 'west'].map((brand) => shownOf(body, brand));
    assert.deepEqual(shown, expected, `${maxOptions} places`);
    const amounts = amountsOf(body);
    assert.deepEqual(
      amounts,
      amounts.toSorted((one, other) => one - other),
    );
    assert.equal(body.comparison_set.selection.shown, Number(maxOptions));
    const isSkipped = /some homes that are not shown cost less than the last options/.test(body.notes);
    assert.equal(isSkipped, expected[1] === 1, `${maxOptions} places`);
  }
});
