import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { Option } from '../contract/option.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import { comparisonAnswer } from './comparison-answer.ts';

const WHOLE: StayView = { sort: 'price', max_total: null, free_cancellation: false, max_options: 5 };
const NOW = Date.parse('2026-11-15T12:00:00Z');
const comparisonOf = (body: Parameters<typeof comparisonAnswer>[0], view = WHOLE) =>
  comparisonAnswer(body, { view, refusals: [], now: NOW }).comparison;

test('a view says that it is one of the set, where there are more matches than the set has', () => {
  const many = sampleResultBody({ totalMatches: 41, pricedMatches: 41 });
  const sorted: StayView = { ...WHOLE, sort: 'rating' };
  assert.match(comparisonOf(many, sorted).notes, /^This view is of the 1 cheapest out of 41 matches/);
  assert.doesNotMatch(comparisonOf(many).notes, /This view/);
  assert.doesNotMatch(comparisonOf(sampleResultBody(), sorted).notes, /This view/);
});

test('options that are not shown are counted where they fit the view', () => {
  const body = sampleResultBody();
  const [sample] = body.results as [Option];
  const results = [100, 200, 300, 400].map((amount, position) => ({
    ...sample,
    rank: position + 1,
    quote: { ...sample.quote, amount },
  }));
  const shown = (view: Partial<StayView>) => {
    const { options, more_options } = comparisonOf({ ...body, results }, { ...WHOLE, ...view });
    return [options.map(({ total }) => total), more_options];
  };
  assert.deepEqual(shown({}), [[100, 200, 300, 400], 0]);
  assert.deepEqual(shown({ max_options: 1 }), [[100], 3]);
  assert.deepEqual(shown({ max_options: 2, max_total: 300 }), [[100, 200], 1]);
});

test('free cancellation that is over is not told as if it were to come', () => {
  const body = sampleResultBody();
  const until = (free_cancellation_until: string) => {
    const results = body.results.map((option) => ({
      ...option,
      cancellation: { ...option.cancellation, free_cancellation_until, free_cancellation_until_local: null },
    }));
    return comparisonOf({ ...body, results }).options[0]?.free_cancellation_until;
  };
  assert.equal(until('2026-11-15T11:59:59Z'), null);
  assert.equal(until('2026-11-15T12:00:01Z'), '2026-11-15T12:00:01Z');
});
