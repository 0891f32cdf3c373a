import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { Option } from '../contract/option.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import { viewOfOptions } from './view-of-options.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const ALL: StayView = { sort: 'price', max_total: null, free_cancellation: false, max_options: 5 };
const [sample] = sampleResultBody().results as [Option];

const options = [
  option(1, { amount: 100, score: 0, reviews: 0, guests: 2, freeUntil: null }),
  option(2, { amount: 200, score: 4.5, reviews: 10, guests: 6, freeUntil: '2026-11-15T11:00:00Z' }),
  option(3, { amount: 200, score: 9.5, scale: 10, reviews: 3, guests: 2, freeUntil: '2026-11-20T00:00:00Z' }),
  option(4, { amount: 300, score: 0, reviews: null, guests: 8, freeUntil: '2026-12-01T00:00:00Z' }),
];

function option(
  rank: number,
  facts: {
    readonly amount: number;
    readonly score: number;
    readonly scale?: number;
    readonly reviews: number | null;
    readonly guests: number;
    readonly freeUntil: string | null;
  },
): Option {
  return {
    ...sample,
    rank,
    capacity: { ...sample.capacity, max_guests: facts.guests },
    rating: { score: facts.score, scale: facts.scale ?? 5, review_count: facts.reviews },
    cancellation: {
      ...sample.cancellation,
      free_cancellation: facts.freeUntil === null ? 'unpublished' : 'until',
      free_cancellation_until: facts.freeUntil,
    },
    quote: { ...sample.quote, amount: facts.amount },
  };
}

test('a view chooses and orders options, and leaves their ranks', () => {
  const cases: readonly (readonly [Partial<StayView>, readonly number[]])[] = [
    [{}, [1, 2, 3, 4]],
    [{ max_total: 200 }, [1, 2, 3]],
    [{ max_total: 99.99 }, []],
    // What is over cannot be cancelled free of charge any more.
    [{ free_cancellation: true }, [3, 4]],
    [{ free_cancellation: true, max_total: 250 }, [3]],
    // By the share of the scale; without a rating last, in the order of the set.
    [{ sort: 'rating' }, [3, 2, 1, 4]],
    [{ sort: 'capacity' }, [4, 2, 1, 3]],
  ];
  for (const [view, ranks] of cases) {
    const { fitting } = viewOfOptions(options, { ...ALL, ...view }, NOW);
    assert.deepEqual(
      fitting.map(({ rank }) => rank),
      ranks,
      JSON.stringify(view),
    );
  }
});

test('a limit of the total is one of everything that is paid, but for a deposit that is given back', () => {
  const [first] = options as [Option];
  const paying = (facts: Partial<Option['quote']>) => ({ ...first, quote: { ...first.quote, ...facts } });
  const cases: readonly (readonly [Partial<Option['quote']>, number])[] = [
    [{ due_on_site: null, deposit: null }, 1],
    [{ due_on_site: 50 }, 0],
    [{ deposit: { amount: 50, refundable: false } }, 0],
    [{ deposit: { amount: 50, refundable: true } }, 1],
  ];
  for (const [facts, shown] of cases) {
    const view = { ...ALL, max_total: 120 };
    assert.equal(viewOfOptions([paying(facts)], view, NOW).fitting.length, shown, JSON.stringify(facts));
  }
});

test('options without published terms are counted apart by the filter on free cancellation, and by no other', () => {
  const count = (view: Partial<StayView>) =>
    viewOfOptions(options, { ...ALL, ...view }, NOW).unpublishedCancellation;
  assert.equal(count({ free_cancellation: true }), 1);
  assert.equal(count({ free_cancellation: true, max_total: 99 }), 0);
  assert.equal(count({ max_total: 99 }), 0);
  assert.equal(count({}), 0);
});
