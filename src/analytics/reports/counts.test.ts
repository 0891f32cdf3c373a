import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addedUp,
  type Bands,
  bandCell,
  bandLabels,
  type Counts,
  countsIn,
  DRIFT_BANDS,
  LEAD_BANDS,
  meanTimeOf,
  mostFirst,
  shareOf,
  TIME_BANDS,
  totalsBy,
  WAIT_BANDS,
} from './counts.ts';

const row = (key: string, count: number, sum = 0) => ({ key, count, sum });

describe('counts', () => {
  it('of a measure that was not read cannot be asked for', () => {
    const read: Counts<'wishes'> = countsIn([]);
    // @ts-expect-error: it would show 0.
    assert.deepEqual([read('wishes'), read('shed')], [[], []]);
    // @ts-expect-error: a report that asks for more than was read.
    const asked: Counts<'wishes' | 'shed'> = read;
    assert.ok(asked);
  });

  it('are never less than nothing', () => {
    assert.deepEqual(addedUp([row('a', 2, 5), row('a', -3, -1)]), { count: 0, sum: 4 });
    assert.deepEqual(
      [...totalsBy([row('a', 1), row('b', -1), row('a', 1)], ({ key }) => key)],
      [['a', { count: 2, sum: 0 }]],
    );
  });

  it('are in the order of their size, and then of their names', () => {
    const totals = totalsBy([row('b', 1), row('c', 4), row('a', 1)], ({ key }) => key);
    assert.deepEqual(
      mostFirst(totals).map(([key]) => key),
      ['c', 'a', 'b'],
    );
  });

  it('have no share of nothing, and none beyond the whole', () => {
    assert.equal(shareOf(0, 0), null);
    assert.equal(shareOf(1, 4), 0.25);
    assert.equal(shareOf(5, 4), 1);
  });

  it('have no mean of nothing, and no negative time', () => {
    assert.equal(meanTimeOf({ count: 0, sum: 5 }), null);
    assert.equal(meanTimeOf({ count: 2, sum: 5 }), 2.5);
    assert.equal(meanTimeOf({ count: 2, sum: -5 }), 0);
  });
});

const textsOf = (bands: Bands) => bandLabels(bands).map((label) => bandCell(label, bands).text);
const idsOf = (bands: Bands) => bandLabels(bands).map((label) => bandCell(label, bands).id);

describe('bands', () => {
  it('are read as ranges, each with what the one before it has not', () => {
    assert.deepEqual(textsOf(TIME_BANDS).slice(0, 5), [
      'under 100 ms',
      '100 to 250 ms',
      '250 to 500 ms',
      '500 ms to 1 s',
      '1 to 2 s',
    ]);
    assert.deepEqual(textsOf(TIME_BANDS).slice(-3), ['2 to 5 min', '5 to 15 min', 'more than 15 min']);
    assert.deepEqual(textsOf(WAIT_BANDS), [
      'under 15 min',
      '15 min to 1 h',
      '1 to 6 h',
      '6 to 24 h',
      '24 h to 3 days',
      '3 to 7 days',
      'more than 7 days',
    ]);
  });

  it('have each whole day in one of them', () => {
    assert.deepEqual(textsOf(LEAD_BANDS).slice(0, 3), ['up to 1 day', '2 to 3 days', '4 to 7 days']);
    assert.deepEqual(textsOf(LEAD_BANDS).slice(-2), ['181 to 365 days', 'more than 365 days']);
  });

  it('say which quotes were almost as expected', () => {
    assert.deepEqual(textsOf(DRIFT_BANDS), [
      '-20% or lower',
      '-20% to -5%',
      '-5% to -1%',
      'within ±1%',
      '+1% to +5%',
      '+5% to +20%',
      'more than +20%',
    ]);
  });

  it('are known to programs by what is stored of them, whatever their words', () => {
    assert.deepEqual(idsOf(LEAD_BANDS).slice(0, 2), ['up_to_1_d', 'up_to_3_d']);
    assert.deepEqual(idsOf(DRIFT_BANDS).slice(-4), ['up_to_10', 'up_to_50', 'up_to_200', 'more']);
    assert.deepEqual(idsOf(WAIT_BANDS).slice(0, 2), ['up_to_0.25_h', 'up_to_1_h']);
  });
});
