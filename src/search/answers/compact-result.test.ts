import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casas, sampleComparison, sampleOption } from '../../../test/support/sample-comparison.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import type { Session } from '../../sessions/session.ts';
import { NO_DETAILS } from '../refusal.ts';
import { compactResult } from './compact-result.ts';
import { createLinks } from './links.ts';
import { resultAnswer, resultRequests } from './result-answer.ts';
import { NO_SIDE_EFFECTS, type SideEffects } from './side-effects.ts';

const links = createLinks('https://stay.example');
const network = { brands: new Map([['casas', casas]]), places: new Map() };
const resultOf = (state: Session, sideEffects: SideEffects = NO_SIDE_EFFECTS) =>
  resultAnswer(comparison, state, { links, token: 'ses_a', network, sideEffects }).body;
const amenityOffers = [{ value: 'pool', match_count: 1, of: 3 }];
const session: Session = {
  ...sampleSession('id', 3),
  source: 'casas',
  payload: { brand_locked: true },
  amenities: ['wifi'],
  result: { answersPayload: true, amenityOffers },
};
const image = (number: number) => ({
  url: `https://casas.example/${number}.jpg`,
  alt: `Picture ${number}`,
  type: 'interior' as const,
});
const comparison = {
  ...sampleComparison({ options: [sampleOption({ property: { images: [image(1), image(2), image(3)] } })] }),
  amenityOffers,
};
// biome-ignore lint/suspicious/noExplicitAny: members are compared by name.
const full: any = resultOf(session);
// biome-ignore lint/suspicious/noExplicitAny: members are compared by name.
const compact: any = compactResult(full);

test('of the pictures only the first is left', () => {
  assert.ok(full.results[0].images.gallery.length > 0);
  assert.deepEqual(compact.results[0].images, { primary: full.results[0].images.primary, gallery: [] });
});

test('every address to go on with is that of the compact view', () => {
  const requestsIn = (view: 'full' | 'compact') =>
    resultRequests(session, links.forSession({ token: 'ses_a', revision: 3, view }), {
      alternatives: {},
      askAgainAt: null,
      validUntil: 0,
    });
  assert.deepEqual(full.available_requests, requestsIn('full'));
  assert.deepEqual(compact.available_requests, requestsIn('compact'));
});

test('the options come last in both views, so that a client that cuts them short keeps the rest', () => {
  for (const body of [full, compact]) assert.equal(Object.keys(body).at(-1), 'results');
});

test('the way to ask once more is carried on in the compact view', () => {
  const partial = {
    ...session,
    payload: { guests: '2' },
    result: { answersPayload: true, amenityOffers, isPartial: true },
  };
  assert.equal(
    compactResult(resultOf(partial)).available_requests.ask_again?.href,
    'https://stay.example/ai/v1/search?session=ses_a&field=guests&value=2&idempotency_key=sw.3.again&view=compact',
  );
});

test('what was refused and cleared is told in the compact view too', () => {
  const fault = { ...NO_DETAILS, code: 'unknown_field', field: 'price' } as const;
  const stored = resultOf(session, {
    cleared: { fields: ['amenities'], amenities: ['pool'] },
    refusal: { faults: [fault], accepted: ['guests'], corrections: [], clearing: [], carried: [] },
    isFromEarlierStep: true,
  });
  const inCompact = compactResult(stored);
  for (const name of [
    'cleared_fields',
    'cleared_amenities',
    'refused_fields',
    'refusals',
    'from_earlier_step',
    'notes',
  ] as const) {
    assert.ok(stored[name] !== undefined, name);
    assert.deepEqual(inCompact[name], stored[name], name);
  }
});

test('nothing that the specification names is missing, and prices are the same', () => {
  assert.equal(compact.view, 'compact');
  for (const name of [
    'status',
    'session',
    'session_expires_at',
    'access',
    'query',
    'comparison_set',
    'applied_filters',
    'results',
    'available_requests',
    'self_url',
    'terms_url',
    'notes',
    'all_results_url',
  ]) {
    assert.ok(Object.hasOwn(compact, name), name);
  }
  const [fullOption] = full.results;
  const [option] = compact.results;
  for (const name of [
    'rank',
    'property_id',
    'name',
    'brand',
    'location',
    'amenities',
    'rating',
    'check_in_time',
    'check_out_time',
    'url',
  ]) {
    assert.deepEqual(option[name], fullOption[name], name);
  }
  const { amount, nightly_average, currency, price_valid_until, signature, verify_url } = fullOption.quote;
  for (const [name, value] of Object.entries({
    amount,
    nightly_average,
    currency,
    price_valid_until,
    signature,
    verify_url,
  })) {
    assert.ok(Object.hasOwn(option.quote, name), name);
    assert.deepEqual(option.quote[name], value, name);
  }
});

test('additions without a word to say are left out, and a zero that an operator states is not', () => {
  const option = full.results[0];
  const withStated = {
    ...full,
    results: [{ ...option, quote: { ...option.quote, deposit: null, due_on_site: 0 } }],
  };
  const [shown] = compactResult(withStated).results;
  assert.ok(shown && !('deposit' in shown.quote));
  assert.equal(shown.quote.due_on_site, 0);
  assert.equal(shown.quote.signature, null, 'what the interface names stays');
});
