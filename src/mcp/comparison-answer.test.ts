import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleOption } from '../../test/support/sample-comparison.ts';
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
  assert.match(comparisonOf(many, sorted).notes, /^This view is of the set, 1 out of 41 matches/);
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

test('free cancellation that has ended since is over', () => {
  const body = sampleResultBody();
  const until = (free_cancellation_until: string) => {
    const results = body.results.map((option) => ({
      ...option,
      cancellation: {
        ...option.cancellation,
        free_cancellation: 'until' as const,
        free_cancellation_until,
        free_cancellation_until_local: null,
      },
    }));
    const [shown] = comparisonOf({ ...body, results }).options;
    return [shown?.free_cancellation, shown?.free_cancellation_until];
  };
  assert.deepEqual(until('2026-11-15T11:59:59Z'), ['over', null]);
  assert.deepEqual(until('2026-11-15T12:00:01Z'), ['until', '2026-11-15T12:00:01Z']);
});

test('the set says when its prices were read', () => {
  assert.equal(comparisonOf(sampleResultBody()).prices_read_at, '2026-11-15T09:30:00Z');
  assert.equal(comparisonOf(sampleResultBody({ options: [] })).prices_read_at, null);
});

test('nothing due on site is said, and what is unpublished is left out', () => {
  const due = (dueOnSite: number | null) =>
    comparisonOf(sampleResultBody({ options: [sampleOption({ quote: { dueOnSite } })] })).options[0];
  assert.equal(due(0)?.due_on_site, 0);
  assert.equal('due_on_site' in (due(null) ?? {}), false);
});
