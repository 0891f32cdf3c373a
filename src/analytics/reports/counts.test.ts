import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addedUp, type Counts, countsIn, meanTimeOf, mostFirst, shareOf, totalsBy } from './counts.ts';

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
