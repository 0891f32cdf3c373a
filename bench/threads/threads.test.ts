import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowedRate, boundOfProcessors } from './allowed-rate.ts';
import type { SideMeasured, SidesCompared } from './compare-sides.ts';
import { requestFigures, searchFigures } from './thread-figures.ts';

describe('the load allowed for', () => {
  it('gives the service the processors that the load took', () => {
    assert.equal(allowedRate(1000, { machine: 2, load: 0.5, busiestThread: 0.5 }), 1000 * (2 / 1.5));
    assert.equal(allowedRate(1000, { machine: 2, load: 0, busiestThread: 0.9 }), 1000);
  });

  it('gives a thread no more than one processor', () => {
    assert.equal(allowedRate(1000, { machine: 2, load: 1, busiestThread: 0.8 }), 1250);
    assert.equal(allowedRate(1000, { machine: 2, load: 1, busiestThread: 1.01 }), 1000);
  });

  it('is at most what the processor time of the service allows, where nothing is idle', () => {
    assert.equal(boundOfProcessors(1000, { machine: 2, service: 1.6, busiestThread: 0.7 }), 1250);
    assert.equal(boundOfProcessors(1000, { machine: 2, service: 0.6, busiestThread: 0.5 }), 2000);
  });
});

describe('the figures of threads', () => {
  const side = (perSecond: number, allowedPerSecond: number): SideMeasured => ({
    perSecond,
    allowedPerSecond,
    boundPerSecond: 2 * perSecond,
    p50Ms: 2,
    p99Ms: 9,
    processorMicroseconds: 200,
    loadShare: 0.25,
    otherShare: 0.01,
    busiestThread: 0.9,
    leastThreadShare: 0.5,
  });
  const compared: SidesCompared = {
    sides: { 1: side(1000, 1100), 2: side(1500, 2000) },
    ratio: 1.5,
    allowedRatio: 2000 / 1100,
    spread: [1.4, 1.6],
    failures: 0,
  };

  it('are judged with the load allowed for', () => {
    const figures = requestFigures({ ...compared, kind: 'read', connections: 64, unexpected: {} });
    assert.deepEqual(
      figures.map(({ what, figure, ratio, isMet }) => [what, figure, ratio, isMet]),
      [
        ['two threads, step that is read, 64 connections', '1,500/s', '1.50', null],
        ['— with the load allowed for', '2,000/s', '1.82', true],
        ['— by processor time alone', '3,000/s', '1.50', null],
        ['— median', '2 ms', null, null],
        ['— processor time of the service for each', '200 µs', '1.00', null],
        ['— load and other work, of the machine', '25 % and 1 %', null, null],
      ],
    );
  });

  it('of searches say how many were in flight', () => {
    const [first] = searchFigures({ ...compared, operatorMs: 50, atATime: { 1: 32, 2: 64 } });
    assert.match(first?.what ?? '', /completed searches, 50 ms upstream, 64 \(one: 32\) at a time/);
  });
});
