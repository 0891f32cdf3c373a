import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  casas,
  sampleComparison,
  sampleCriteria,
  sampleOption,
} from '../../../test/support/sample-comparison.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import type { Brand } from '../../catalogue/catalogue.ts';
import type { ResultBody } from '../../contract/result-body.ts';
import type { Session } from '../../sessions/session.ts';
import type { Comparison } from '../comparison.ts';
import { NO_DETAILS } from '../refusal.ts';
import { createLinks } from './links.ts';
import { resultAnswer } from './result-answer.ts';
import { NO_SIDE_EFFECTS, type SideEffects } from './side-effects.ts';

const direct = sampleSession('id', 6);
/** The ways on that every result of a direct session has. */
const CHANGE = Object.fromEntries(
  ['destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'].map((field) => [
    field,
    {
      url: `/ai/v1/search?session=ses_a&choices=${field}&idempotency_key=sw.6.choices-${field}`,
      url_template: `/ai/v1/search?session=ses_a&${field}={${field}}`,
    },
  ]),
);

function write(
  facts: Partial<Comparison> = {},
  session: Session = direct,
  brand: Brand = casas,
  sideEffects: SideEffects = NO_SIDE_EFFECTS,
): ResultBody {
  const network = { brands: new Map([['casas', brand]]), places: new Map() };
  const tools = { links: createLinks(null), token: 'ses_a', network, sideEffects };
  const { body, text } = resultAnswer(sampleComparison(facts), session, tools);
  assert.equal(text, JSON.stringify(body));
  return body;
}

describe('the result envelope', () => {
  it('has this shape around its options', () => {
    const { results, notes: _notes, ...envelope } = write();
    assert.deepEqual(envelope, {
      api_version: '2026-11-01',
      status: 200,
      object: 'search_result',
      session: 'ses_a',
      session_expires_at: '2026-11-15T10:00:00Z',
      access: { audience: 'ai_assistants', end_user_access: false },
      query: {
        destination: 'lisbon-pt',
        check_in: '2027-04-10',
        check_out: '2027-04-13',
        nights: 3,
        guests: 2,
      },
      comparison_set: {
        options_count: 1,
        total_matches: 1,
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
        quotes_valid_until: '2026-11-15T10:00:00Z',
        user_facing_urls: ['results[].url', 'all_results_url'],
        has_more: false,
        truncated: false,
        quotes_retrieved_at: '2026-11-15T09:30:00Z',
        selection: { matches: 1, priced: 1, shown: 1, complete: true },
        unpublished_amenities: 0,
        coverage: [
          { brand: 'Casas de Lisboa', asked: 1, quoted: 1, unavailable: 0, failed: 0, implausible: 0 },
        ],
      },
      applied_filters: { amenities: [] },
      all_results_url: null,
      available_requests: { change: CHANGE },
      self_url: '/ai/v1/result?session=ses_a',
      terms_url: '/ai/v1/terms',
      operator_text: [
        'results[].name',
        'results[].location',
        'results[].capacity.summary',
        'results[].amenities',
        'results[].cancellation.summary',
        'results[].images.primary.alt',
        'results[].images.gallery[].alt',
        'results[].quote.line_items[].label',
        'applied_filters.amenities',
        'available_requests.refine.options[].value',
      ],
    });
    assert.equal(results.length, 1);
  });

  it('ends with its options, so that a client that cuts it short keeps the rest', () => {
    assert.equal(Object.keys(write()).at(-1), 'results');
  });

  it('says out of how many its options were selected', () => {
    const { selection, truncated } = write({ totalMatches: 27, pricedMatches: 20 }).comparison_set;
    assert.deepEqual(selection, { matches: 27, priced: 20, shown: 1, complete: false });
    assert.equal(truncated, true);
    const all = write({ totalMatches: 27, pricedMatches: 27 }).comparison_set;
    assert.deepEqual(all.selection, { matches: 27, priced: 27, shown: 1, complete: true });
    assert.equal(all.truncated, true, 'all were priced, not all are shown');
  });

  it('counts what a filter left out unseen', () => {
    assert.equal(write({ unpublishedAmenities: 3 }).comparison_set.unpublished_amenities, 3);
  });

  it('ranks its options in the order in which they come', () => {
    const { results, comparison_set } = write({
      options: [sampleOption({ nxq: 'nxq_1' }), sampleOption({ nxq: 'nxq_2' })],
      totalMatches: 3,
    });
    assert.deepEqual(
      results.map(({ rank, quote }) => [rank, quote.nxq]),
      [
        [1, 'nxq_1'],
        [2, 'nxq_2'],
      ],
    );
    assert.deepEqual(
      [comparison_set.options_count, comparison_set.total_matches, comparison_set.truncated],
      [2, 3, true],
    );
  });

  it('says what it was searched with', () => {
    const { query, applied_filters } = write(
      { criteria: { ...sampleCriteria, amenities: ['pool', 'wifi'] } },
      { ...direct, source: 'casas', payload: { brand_locked: false } },
    );
    assert.equal(query.brand_locked, false);
    assert.deepEqual(applied_filters, { amenities: ['pool', 'wifi'] });
    assert.equal('brand_locked' in write().query, false, 'a direct session has no brand to lock to');
  });

  it('claims final totals only where they are', () => {
    assert.equal(write({ totalsAreFinal: false }).comparison_set.totals_include_taxes_and_fees, false);
  });

  it('takes the currency of the place for the set and its options', () => {
    const { place } = sampleComparison();
    const { comparison_set, results } = write({ place: { ...place, currency: 'JPY' } });
    assert.deepEqual([comparison_set.currency, results[0]?.quote.currency], ['JPY', 'JPY']);
  });

  it('offers to refine while an amenity would narrow the options', () => {
    const options = [{ value: 'pool', match_count: 1, of: 2 }];
    const result = { answersPayload: true, amenityOffers: options };
    assert.deepEqual(write({}, { ...direct, result }).available_requests, {
      refine: {
        method: 'POST',
        path: '/ai/v1/search',
        body_field: 'amenities',
        required: false,
        href: '/ai/v1/search?session=ses_a&idempotency_key=sw.6.refine',
        options: [
          {
            ...options[0],
            url: '/ai/v1/search?session=ses_a&field=amenities&value=pool&idempotency_key=sw.6.refine-0',
          },
        ],
        url_template: '/ai/v1/search?session=ses_a&amenities={amenities}',
      },
      change: CHANGE,
    });
  });
});

describe('what a request did besides', () => {
  const updated = (sideEffects: Partial<SideEffects>) =>
    write({}, direct, casas, { ...NO_SIDE_EFFECTS, ...sideEffects });

  it('is not mentioned when there was nothing', () => {
    const names = ['cleared_fields', 'cleared_amenities', 'refused_fields', 'refusals', 'from_earlier_step'];
    for (const name of names) assert.ok(!Object.hasOwn(write(), name), name);
    assert.doesNotMatch(write().notes, /refused|taken off/);
  });

  it('may be that a part of it was refused: the fields, the reasons and a sentence say so', () => {
    const body = updated({
      refusal: {
        accepted: ['guests'],
        corrections: [],
        clearing: [],
        carried: [],
        faults: [
          {
            ...NO_DETAILS,
            code: 'invalid_value',
            field: 'amenities',
            reason: { code: 'not_discriminating', having: 0, of: 3 },
            suggestions: ['pool'],
          },
          { ...NO_DETAILS, code: 'unknown_field', field: null },
        ],
      },
    });
    assert.deepEqual(body.refused_fields, ['amenities']);
    assert.deepEqual(body.refusals, [
      {
        field: 'amenities',
        error: 'invalid_value',
        message:
          'Invalid value for field: amenities. It does not tell the options apart: 0 of 3 matches have it.',
        reason: { code: 'not_discriminating', having: 0, of: 3 },
        suggestions: ['pool'],
      },
      {
        error: 'unknown_field',
        message: 'The request names a field that this search does not have.',
      },
    ]);
    assert.match(body.notes, /Not everything in the request was taken.*refusals says what was refused/);
    assert.equal(body.object, 'search_result');
    assert.equal('error' in body, false);
  });

  it('may be that filters were taken off', () => {
    const body = updated({ cleared: { fields: ['amenities'], amenities: ['pool'] } });
    assert.deepEqual([body.cleared_fields, body.cleared_amenities], [['amenities'], ['pool']]);
    assert.match(body.notes, /taken off, so this set is wider than asked for/);
  });

  it('may be that it followed an old address', () => {
    assert.equal(updated({ isFromEarlierStep: true }).from_earlier_step, true);
  });
});

describe('the page with all results', () => {
  const locked = { criteria: { ...sampleCriteria, brand: 'casas' } };

  it('is that of the brand to which the search is locked', () => {
    assert.equal(
      write(locked).all_results_url,
      'https://casas.example/search?lang=en&from=2027-04-10&to=2027-04-13&people=2&city=lisbon-pt&via=staywire',
    );
  });

  it('is null where the brand has none, or left the network', () => {
    const pageless = { ...casas, website: { ...casas.website, resultsUrl: null } };
    assert.equal(write(locked, direct, pageless).all_results_url, null);
    assert.equal(write({ criteria: { ...sampleCriteria, brand: 'gone' } }).all_results_url, null);
  });
});

describe('coverage', () => {
  it('names brands as travellers know them', () => {
    const counts = { asked: 2, quoted: 1, unavailable: 0, failed: 1, implausible: 0 };
    const { coverage } = write({
      coverage: [
        { brand: 'casas', ...counts },
        { brand: 'gone', ...counts },
      ],
    }).comparison_set;
    assert.deepEqual(coverage, [
      { brand: 'Casas de Lisboa', ...counts },
      // No longer on the network, so its source is shown instead of its name.
      { brand: 'gone', ...counts },
    ]);
  });
});
