import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SideMeasured } from './compare-sides.ts';
import { requestFigures } from './node-figures.ts';
import { readTimes } from './process-times.ts';

it('processor times are read whatever a program is called', () => {
  const stat = '712 (a) (b c)) S 7 712 712 0 -1 4194560 1 0 0 0 200 50 30 20 20 0 4 0 100 1 1';
  assert.deepEqual(readTimes(stat), { parent: 7, own: 2_500_000, ofEndedChildren: 500_000 });
});

it('the figures of nodes compare one with the embedded store, and more with one', () => {
  const side = (perSecond: number, nodes: number): SideMeasured => ({
    perSecond,
    boundPerSecond: 2 * perSecond,
    p50Ms: 2,
    p99Ms: 9,
    nodes,
    redis: 40,
    postgres: 1,
    loadShare: 0.25,
    otherShare: 0.01,
  });
  const sides = { embedded: side(1000, 200), 1: side(500, 300), 2: side(750, 310), 4: side(600, 330) };
  const figures = requestFigures({ kind: 'step', connections: 64, sides, failures: 0, unexpected: {} });
  assert.deepEqual(
    figures.map(({ what, figure, ratio }) => [what, figure, ratio]),
    [
      ['step with a value, 64 connections, one node', '500/s', '0.50'],
      ['— two nodes', '750/s', '1.50'],
      ['— four nodes', '600/s', '1.20'],
      ['— processor time of the nodes for each, one node', '300 µs', '1.50'],
      ['— the same, four nodes', '330 µs', '1.10'],
      ['— processor time of Redis for each, one node', '40 µs', null],
      ['— processor time of PostgreSQL for each, one node', '1 µs', null],
      ['— by processor time alone, one node', '1,000/s', '0.50'],
      ['— by processor time alone, two nodes', '1,500/s', '1.50'],
      ['— by processor time alone, four nodes', '1,200/s', '1.20'],
      ['— one Redis, by processor time alone', '25,000/s', null],
      ['— load and other work, of the machine, four nodes', '25 % and 1 %', null],
    ],
  );
});
