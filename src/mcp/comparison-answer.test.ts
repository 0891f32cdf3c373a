import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleOption } from '../../test/support/sample-comparison.ts';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { Option } from '../contract/option.ts';
import { notesForTools } from '../contract/result-notes.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import type { Comparison } from '../search/comparison.ts';
import { comparisonAnswer, viewOfOptions } from './comparison-answer.ts';

const WHOLE: StayView = { sort: 'price', max_total: null, free_cancellation: false, max_options: 5 };
const NOW = Date.parse('2026-11-15T12:00:00Z');
const comparisonOf = (body: Parameters<typeof comparisonAnswer>[0], view = WHOLE) =>
  comparisonAnswer(body, view, [], NOW).comparison;

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

test('nothing due on site is said, and what is unpublished is left out', () => {
  const due = (dueOnSite: number | null) =>
    comparisonOf(sampleResultBody({ options: [sampleOption({ quote: { dueOnSite } })] })).options[0];
  assert.equal(due(0)?.due_on_site, 0);
  assert.equal('due_on_site' in (due(null) ?? {}), false);
});

const VIEWED_AT = Date.parse('2026-11-15T12:00:00Z');
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
    const { fitting } = viewOfOptions(options, { ...ALL, ...view }, VIEWED_AT);
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
    assert.equal(
      viewOfOptions([paying(facts)], view, VIEWED_AT).fitting.length,
      shown,
      JSON.stringify(facts),
    );
  }
});

/** What only the interface has. */
const NOT_FOR_TOOLS = /available_requests|operator_text|coverage|selection|next_request|search request/;

const coverage = { brand: 'casas', asked: 2, quoted: 1, unavailable: 0, failed: 0, implausible: 0 };

test('notes point to nothing that a tool does not have, and keep the rest', () => {
  const sets: readonly Partial<Comparison>[] = [
    {},
    { totalMatches: 9, pricedMatches: 3 },
    { coverage: [{ ...coverage, failed: 1 }] },
    { coverage: [{ ...coverage, implausible: 1 }] },
    { unpublishedAmenities: 2 },
    { options: [], totalMatches: 0, pricedMatches: 0 },
    {
      options: [],
      totalMatches: 0,
      pricedMatches: 0,
      alternatives: { guests: [[{ field: 'guests', value: '2' }]] },
    },
    { options: [sampleOption({ quote: { dueOnSite: 500 } })] },
  ];
  for (const facts of sets) {
    const { notes } = sampleResultBody(facts);
    const said = notesForTools(notes);
    assert.doesNotMatch(said, NOT_FOR_TOOLS, said);
    assert.ok(said.length > 20, said);
    assert.match(notes, NOT_FOR_TOOLS);
  }
});
