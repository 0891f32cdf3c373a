import assert from 'node:assert/strict';

type Option = {
  readonly rank: number;
  readonly url: string;
  readonly images: {
    readonly primary: { readonly url: string };
    readonly gallery: readonly { url: string }[];
  };
  readonly quote: {
    readonly amount: number;
    readonly currency: string;
    readonly nights: number;
    readonly check_in: string;
    readonly check_out: string;
    readonly guests: number;
    readonly line_items: readonly { readonly amount: number }[];
    readonly line_items_available: boolean;
    readonly price_valid_until: string;
    readonly price_guarantee: string;
    readonly retrieved_at: string;
  };
  readonly truncated_fields?: readonly string[];
};

type Envelope = {
  readonly session: string;
  readonly session_expires_at: string;
  readonly self_url: string;
  readonly all_results_url: string | null;
  readonly query: { check_in: string; check_out: string; nights: number; guests: number };
  readonly comparison_set: {
    readonly options_count: number;
    readonly total_matches: number;
    readonly truncated: boolean;
    readonly has_more: boolean;
    readonly currency: string;
    readonly quotes_valid_until: string;
    readonly selection: { matches: number; priced: number; shown: number; complete: boolean };
    readonly coverage: readonly {
      asked: number;
      quoted: number;
      unavailable: number;
      failed: number;
      implausible: number;
    }[];
  };
  readonly notes: string;
  readonly results: readonly Option[];
};

/** What a schema cannot check: that the parts of a result agree with each other. */
export function checkConsistency(envelope: Envelope): void {
  const { comparison_set: set, results, query, notes } = envelope;
  assert.equal(set.options_count, results.length);
  assert.equal(set.truncated, set.total_matches > set.options_count);
  assert.equal(set.has_more, false);
  assert.equal(envelope.session_expires_at, set.quotes_valid_until);
  assert.equal(envelope.self_url, `/ai/v1/result?session=${envelope.session}`);
  for (const { asked, quoted, unavailable, failed, implausible } of set.coverage) {
    assert.equal(asked, quoted + unavailable + failed + implausible);
  }
  const { matches, priced, shown, complete } = set.selection;
  const isSearched = !notes.includes('Not searched, or not fully');
  const isComplete = priced === matches && isSearched;
  assert.deepEqual([matches, shown, complete], [set.total_matches, results.length, isComplete]);
  assert.ok(shown <= priced && priced <= matches);
  assert.equal(
    set.coverage.reduce((sum, { quoted }) => sum + quoted, 0),
    priced,
    'every quote is accounted for',
  );
  const nights = (Date.parse(query.check_out) - Date.parse(query.check_in)) / 86_400_000;
  assert.equal(query.nights, nights);

  for (const { quote } of results) {
    assert.ok(quote.price_valid_until <= envelope.session_expires_at, 'no price outlives its session');
    if (quote.price_guarantee === 'at_retrieval') {
      assert.equal(quote.price_valid_until, envelope.session_expires_at);
    }
    assert.ok(quote.retrieved_at < quote.price_valid_until);
  }
  assert.deepEqual(
    results.map(({ rank }) => rank),
    results.map((_, position) => position + 1),
  );
  const amounts = results.map(({ quote }) => quote.amount);
  assert.deepEqual(
    amounts,
    amounts.toSorted((one, other) => one - other),
    'rank follows the total',
  );
  for (const { quote, url, images, truncated_fields } of results) {
    assert.equal(quote.currency, set.currency);
    assert.deepEqual(
      [quote.check_in, quote.check_out, quote.nights, quote.guests],
      [query.check_in, query.check_out, nights, query.guests],
    );
    const wasCut = truncated_fields?.includes('quote.line_items') ?? false;
    assert.equal(quote.line_items_available, quote.line_items.length > 0 || wasCut);
    for (const address of [url, images.primary.url, ...images.gallery.map((image) => image.url)]) {
      checkUserFacing(address, envelope.session);
    }
  }
  if (envelope.all_results_url !== null) checkUserFacing(envelope.all_results_url, envelope.session);
}

function checkUserFacing(address: string, token: string): void {
  const url = new URL(address);
  assert.ok(url.protocol === 'https:' || url.hostname === '127.0.0.1', address);
  assert.doesNotMatch(url.pathname, /^\/ai(\/|$)/i, 'a traveller is never sent to the interface');
  assert.ok(!address.includes(token), 'a traveller never gets the token');
}
