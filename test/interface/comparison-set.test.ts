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
    quotes_retrieved_at: '2027-03-01T12:00:00Z',
    selection: { matches: 2, priced: 2, shown: 2, complete: true },
    unpublished_amenities: 0,
    coverage: [{ brand: 'Brand acme', asked: 2, quoted: 2, unavailable: 0, failed: 0, implausible: 0 }],
  });
});

test('a set says when its prices were read, also when it is read later', async (t) => {
  const { service, operator, open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  service.time.now += 300_000;
  const later = await service.get(`/ai/v1/result?session=${conversation.token}`);
  assert.equal(later.body.comparison_set.quotes_retrieved_at, '2027-03-01T12:00:00Z');
  operator.quote = (property) => ({ property, status: 'unavailable', reason: 'booked' });
  const empty = await conversation.send({ guests: 1 });
  assert.deepEqual([empty.body.results, empty.body.comparison_set.quotes_retrieved_at], [[], null]);
});

test('rank 1 is the lowest total, whatever the catalogue said', async (t) => {
  const { operator, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('cheap-listed', {}, alwaysFree('10.00')),
          property('dear-listed', {}, alwaysFree('99.00')),
        ],
      },
    },
  });
  operator.quote = priced({ 'cheap-listed': '500.00', 'dear-listed': '300.00' });
  const { body } = await (await open()).search();
  assert.deepEqual(idsOf(body), ['acme:dear-listed', 'acme:cheap-listed']);
  assert.deepEqual(
    body.results.map(({ rank }: { rank: number }) => rank),
    [1, 2],
  );
});

test('at most so many options, the cheapest on paper first, and the set says that there are more', async (t) => {
  const { operator, open } = await setScene(t, {
    settings: { maxOptions: 3, maxQuotes: 3 },
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

/** The first is the dearest on paper. */
const street = (houses: number) => ({
  acme: {
    properties: Array.from({ length: houses }, (_, number) =>
      property(`p${number}`, {}, alwaysFree(`${200 - number}.00`)),
    ),
  },
});

test('rank 1 is the cheapest of more homes than are shown, also of those that are dear on paper', async (t) => {
  const { operator, service, open } = await setScene(t, { brands: street(27) });
  operator.quote = priced({ p0: '60.00', p1: '70.00' });
  const { body } = await (await open()).search();
  assert.deepEqual(idsOf(body).slice(0, 2), ['acme:p0', 'acme:p1']);
  const { options_count, total_matches, truncated, selection, coverage } = body.comparison_set;
  assert.deepEqual([options_count, total_matches, truncated], [20, 27, true]);
  assert.deepEqual(selection, { matches: 27, priced: 27, shown: 20, complete: true });
  assert.deepEqual(coverage, [
    { brand: 'Brand acme', asked: 27, quoted: 27, unavailable: 0, failed: 0, implausible: 0 },
  ]);
  assert.doesNotMatch(body.notes, /may be cheaper/);
  assert.deepEqual(
    operator.asked.map(({ properties }) => properties.length),
    [20, 7],
  );
  const ledger = await service.storage.sessions.issuedQuotes({ since: 0, limit: 100 });
  assert.equal(ledger.length, 20, 'the ledger holds what was shown');
});

test('the ledger says of each price how it was made up and on which terms, as it was shown', async (t) => {
  const { service, open } = await setScene(t);
  const { body } = await (await open()).search();
  assert.ok(body.results.length > 0);
  for (const { property_id: id, quote, cancellation } of body.results) {
    const [issued, ...others] = await service.storage.sessions.findQuotes({ nxq: quote.nxq }, 9);
    assert.deepEqual(others, []);
    assert.equal(issued?.property, id);
    assert.equal(issued?.place, 'lisbon-pt');
    const { lines = [], guarantee, deposit, dueOnSite, cancellation: policy } = issued?.details ?? {};
    assert.deepEqual(
      lines.map(({ label, amount }) => ({ label, amount: (amount / 100).toFixed(2) })),
      quote.line_items,
    );
    assert.equal(guarantee, quote.price_guarantee);
    assert.equal(
      deposit === undefined ? null : (deposit.amount / 100).toFixed(2),
      quote.deposit?.amount ?? null,
    );
    assert.equal(dueOnSite === undefined ? null : (dueOnSite / 100).toFixed(2), quote.due_on_site);
    assert.equal(policy, cancellation.summary);
  }
});

test('a total is not final while something is due on site', async (t) => {
  const { operator, open } = await setScene(t);
  const finalWith = async (dueOnSite: string) => {
    operator.quote = (reference, request) => ({
      property: reference,
      status: 'quoted',
      currency: request.currency,
      total: '100.00',
      due_on_site: reference === 'a' ? dueOnSite : null,
    });
    const { comparison_set, notes } = (await (await open()).search()).body;
    assert.doesNotMatch(notes, /tax and fee/, 'the operator states that its totals are all-in');
    assert.equal(/paid at the property besides the total/.test(notes), dueOnSite !== '0.00');
    return comparison_set.totals_include_taxes_and_fees;
  };
  assert.equal(await finalWith('12.00'), false);
  assert.equal(await finalWith('0.00'), true);
});

test('the brands are asked side by side and each is accounted for', async (t) => {
  const { operators, open } = await setScene(t, {
    brands: { acme: ACME, bravo: { properties: [property('y'), property('z')] } },
  });
  const { body } = await (await open()).search();
  assert.deepEqual(body.comparison_set.coverage, [
    { brand: 'Brand acme', asked: 2, quoted: 2, unavailable: 0, failed: 0, implausible: 0 },
    { brand: 'Brand bravo', asked: 2, quoted: 2, unavailable: 0, failed: 0, implausible: 0 },
  ]);
  assert.equal(operators.acme?.asked.length, 1);
  assert.equal(operators.bravo?.asked.length, 1);
});

const TWO_BRANDS = {
  acme: ACME,
  bravo: { properties: [property('z', { url: 'https://stay.example/z' })] },
};

test('a search stays with the brand of the entry, or spans every brand', async (t) => {
  const { open } = await setScene(t, { brands: TWO_BRANDS });
  const brandsOf = (body: { results: { brand: string }[] }) => [
    ...new Set(body.results.map(({ brand }) => brand)),
  ];
  const locked = await (await open('acme')).search();
  assert.deepEqual(brandsOf(locked.body), ['Brand acme']);
  const opened = await (await open('acme')).search({ brand_locked: false });
  assert.deepEqual(brandsOf(opened.body), ['Brand acme', 'Brand bravo']);
  assert.equal(opened.body.all_results_url, null);
  const direct = await (await open()).search();
  assert.deepEqual(brandsOf(direct.body), ['Brand acme', 'Brand bravo']);
  assert.equal(direct.body.all_results_url, null);
});
