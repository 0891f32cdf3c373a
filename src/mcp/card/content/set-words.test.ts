import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCardPayload } from '../../../../test/support/sample-card-payload.ts';
import { sampleOption } from '../../../../test/support/sample-comparison.ts';
import type { Comparison } from '../../../search/comparison.ts';
import { askedInWords, factsInWords, filtersInWords, placeInWords, stayInWords } from './set-words.ts';
import { travellerFormat } from './traveller-format.ts';

const format = travellerFormat({ locale: 'en-GB', timeZone: 'UTC', currency: 'EUR' });
const plain = (text: string) => text.replace(/\s/g, ' ');
const BEFORE = Date.parse('2026-11-15T09:59:00Z');
const facts = (comparison: Partial<Comparison>, now = BEFORE) =>
  factsInWords(sampleCardPayload(comparison), format, now).map(plain);

test('a place is called by its name, or else by the words of its identifier', () => {
  const payload = sampleCardPayload();
  const named = (destination: string) =>
    placeInWords({ ...payload, query: { ...payload.query, destination } }, null);
  assert.equal(named('lisbon-pt'), 'Lisbon, PT');
  assert.equal(named('northern-portugal'), 'Northern Portugal');
  assert.equal(named('fr'), 'Fr');
  const view = {
    sort: 'price',
    max_total: null,
    free_cancellation: false,
    max_options: 5,
    property_ids: [],
  } as const;
  assert.equal(placeInWords(payload, { ...view, place_name: 'Lisboa' }), 'Lisboa');
});

test('the stay is told with its days, nights and guests', () => {
  assert.equal(
    plain(stayInWords(sampleCardPayload(), format)),
    'Sat, 10 Apr – Tue, 13 Apr 2027 · 3 nights · 2 guests',
  );
});

test('filters have the labels of the options, or their keys where none has one', () => {
  const payload = sampleCardPayload();
  assert.deepEqual(filtersInWords({ ...payload, applied_filters: { amenities: ['wifi', 'pool'] } }), [
    'Wi-Fi',
    'pool',
  ]);
});

test('a complete set is told from one in which something may be cheaper', () => {
  assert.equal(facts({})[0], '1 matching home, priced live.');
  assert.equal(
    facts({ totalMatches: 5, pricedMatches: 1 })[0],
    '1 of 5 matching homes. 1 could be priced; one that was not may cost less.',
  );
  assert.equal(
    facts({ options: [], totalMatches: 5, pricedMatches: 0 })[0],
    'None of 5 matching homes could be priced.',
  );
});

test('brands that gave no usable answer are named', () => {
  const coverage = [{ brand: 'casas', asked: 2, quoted: 1, unavailable: 0, failed: 1, implausible: 0 }];
  assert.ok(facts({ coverage }).some((fact) => /^No usable answer for some homes of .*casas/i.test(fact)));
  assert.ok(!facts({}).some((fact) => fact.startsWith('No usable answer')));
});

test('whether totals are final is said either way', () => {
  assert.ok(facts({ totalsAreFinal: true }).includes('Totals include all taxes and fees.'));
  assert.ok(
    facts({ totalsAreFinal: false }).includes(
      'Not every operator states that its totals include all taxes and fees.',
    ),
  );
});

test('prices are called held only when all are, and outdated once the set has ended', () => {
  const last = (comparison: Partial<Comparison>, now?: number) => facts(comparison, now).at(-1);
  const held = sampleOption({ guarantee: 'held', validUntil: Date.parse('2026-11-15T09:45:00Z') });
  assert.equal(last({}), 'Prices as of Sun, 15 Nov 2026, 9:30; the operator’s website confirms them.');
  assert.equal(last({ options: [held] }), 'Prices are held until Sun, 15 Nov 2026, 9:45.');
  assert.equal(
    last({ options: [held, sampleOption()] }),
    'Prices as of Sun, 15 Nov 2026, 9:30; some are held longer, as their details say.',
  );
  assert.equal(
    last({}, Date.parse('2026-11-15T10:00:00Z')),
    'Prices were checked on Sun, 15 Nov 2026, 9:30 and may have changed. Search again for current ones.',
  );
});

test('what was asked for is repeated', () => {
  const asked = {
    sort: 'price',
    max_total: 400,
    free_cancellation: true,
    max_options: 5,
    property_ids: [],
  } as const;
  assert.equal(askedInWords(asked, format), 'up to €400 in total, free cancellation');
  assert.equal(askedInWords({ ...asked, max_total: null, free_cancellation: false }, format), '');
});
