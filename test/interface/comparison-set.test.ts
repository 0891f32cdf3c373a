import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alwaysFree, property } from '../support/network.ts';
import { ACME, priced, setScene } from '../support/scene.ts';

type Option = { readonly property_id: string; readonly quote: { readonly amount: number } };
const idsOf = (body: { results: Option[] }) => body.results.map(({ property_id: id }) => id);

test('the comparison set, whole', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).search();
  assert.deepEqual(body.comparison_set, {
    options_count: 2,
    total_matches: 2,
    sort: { by: 'total_price', order: 'asc' },
    comparison_fields: [
      'rank',
      'name',
      'brand',
      'quote.amount',
      'quote.nightly_average',
      'capacity.max_guests',
      'rating.score',
      'cancellation.summary',
      'url',
    ],
    currency: 'EUR',
    totals_include_taxes_and_fees: true,
    quotes_valid_until: '2027-03-01T12:30:00Z',
    user_facing_urls: ['results[].url', 'all_results_url'],
    has_more: false,
    truncated: false,
    coverage: [{ brand: 'Brand acme', asked: 2, quoted: 2, unavailable: 0, failed: 0 }],
  });
});

test('every comparison field can be found in every option', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).search();
  for (const path of body.comparison_set.comparison_fields) {
    for (const option of body.results) {
      const value = path.split('.').reduce((at: Record<string, unknown>, name: string) => at[name], option);
      assert.notEqual(value, undefined, path);
    }
  }
});

test('rank 1 is the lowest total, whatever the catalogue said', async (t) => {
  const { operator, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('cheap-on-paper', {}, alwaysFree('10.00')),
          property('dear-on-paper', {}, alwaysFree('99.00')),
        ],
      },
    },
  });
  operator.quote = priced({ 'cheap-on-paper': '500.00', 'dear-on-paper': '300.00' });
  const { body } = await (await open()).search();
  assert.deepEqual(idsOf(body), ['acme:dear-on-paper', 'acme:cheap-on-paper']);
  assert.deepEqual(
    body.results.map(({ rank }: { rank: number }) => rank),
    [1, 2],
  );
});

test('equal totals are ordered by rating, then by identifier', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('d', { rating: { score: 4, scale: 5, review_count: 3 } }),
          property('c', { rating: { score: 9.8, scale: 10, review_count: 2 } }),
          property('b', { rating: null }),
          property('a', { rating: { score: 4, scale: 5, review_count: 900 } }),
        ],
      },
    },
  });
  const conversation = await open();
  const { body } = await conversation.search();
  assert.deepEqual(idsOf(body), ['acme:c', 'acme:a', 'acme:d', 'acme:b']);
});

test('at most so many options, the cheapest on paper first, and the set says that there are more', async (t) => {
  const { operator, open } = await setScene(t, {
    settings: { maxOptions: 3 },
    brands: {
      acme: {
        properties: Array.from({ length: 7 }, (_, number) =>
          property(`p${number}`, {}, alwaysFree(`${70 - number}.00`)),
        ),
      },
    },
  });
  const { body } = await (await open()).search();
  assert.deepEqual(idsOf(body), ['acme:p4', 'acme:p5', 'acme:p6']);
  assert.deepEqual(operator.asked.flatMap(({ properties }) => properties).sort(), ['p4', 'p5', 'p6']);
  const { options_count, total_matches, truncated, has_more } = body.comparison_set;
  assert.deepEqual(
    { options_count, total_matches, truncated, has_more },
    {
      options_count: 3,
      total_matches: 7,
      truncated: true,
      has_more: false,
    },
  );
});

test('twenty options unless the network says otherwise', async (t) => {
  const { open } = await setScene(t, {
    brands: { acme: { properties: Array.from({ length: 23 }, (_, number) => property(`p${number}`)) } },
  });
  const { body } = await (await open()).search();
  assert.equal(body.comparison_set.options_count, 20);
  assert.equal(body.comparison_set.total_matches, 23);
  assert.equal(body.comparison_set.truncated, true);
});

test('totals are called final only when every operator in the set says so', async (t) => {
  const brands = {
    acme: ACME,
    bravo: { properties: [property('z')], entry: { all_in_totals: false } },
  };
  const { open } = await setScene(t, { brands });
  const finalOf = async (source: string | null, changes = {}) =>
    (await (await open(source)).search(changes)).body.comparison_set.totals_include_taxes_and_fees;
  assert.equal(await finalOf('acme'), true);
  assert.equal(await finalOf('bravo'), false);
  assert.equal(await finalOf(null), false);
});

test('the brands are asked side by side and each is accounted for', async (t) => {
  const { operators, open } = await setScene(t, {
    brands: { acme: ACME, bravo: { properties: [property('y'), property('z')] } },
  });
  const { body } = await (await open()).search();
  assert.deepEqual(body.comparison_set.coverage, [
    { brand: 'Brand acme', asked: 2, quoted: 2, unavailable: 0, failed: 0 },
    { brand: 'Brand bravo', asked: 2, quoted: 2, unavailable: 0, failed: 0 },
  ]);
  assert.equal(operators.acme?.asked.length, 1);
  assert.equal(operators.bravo?.asked.length, 1);
});
