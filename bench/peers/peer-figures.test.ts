import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PeersComparison } from './compare-peers.ts';
import { peerFigures } from './peer-figures.ts';

const COMPARISON: PeersComparison = {
  inventory: 'a market',
  homes: 20_000,
  questions: 40,
  matches: 2200,
  index: { medianUs: 100, p99Us: 200 },
  peers: [
    { engine: 'One 1', form: 'slow', isWholeInSql: true, medianUs: 90_000, p99Us: 95_000 },
    { engine: 'One 1', form: 'fast', isWholeInSql: true, medianUs: 30_000, p99Us: 35_000 },
    { engine: 'One 1', form: 'rows', isWholeInSql: false, medianUs: 6000, p99Us: 7000 },
    { engine: 'Two 2', form: 'only', isWholeInSql: true, medianUs: 40_000, p99Us: 45_000 },
  ],
  missing: [{ engine: 'Three', reason: 'nobody has it' }],
};

it('an engine is judged at its fastest form, and one that is missing is named', () => {
  assert.deepEqual(
    peerFigures(COMPARISON).map(({ what, figure, ratio, goal, isMet }) => [what, figure, ratio, goal, isMet]),
    [
      [
        'index: full question over 20,000 homes (a market), 2,200 matches on average',
        '100 µs',
        null,
        null,
        null,
      ],
      ['One 1, slow', '90 ms', '× 900', null, null],
      ['One 1, fast', '30 ms', '× 300', 'at least 400', false],
      ['One 1, rows', '6 ms', '× 60', 'at least 50', true],
      ['Two 2, only', '40 ms', '× 400', 'at least 400', true],
      ['Three', 'NOT MEASURED: nobody has it', null, 'at least 400', null],
    ],
  );
});

it('nobody is judged in a small place', () => {
  const figures = peerFigures({ ...COMPARISON, homes: 421, missing: [] });
  assert.ok(figures.every(({ goal, isMet }) => goal === null && isMet === null));
});
