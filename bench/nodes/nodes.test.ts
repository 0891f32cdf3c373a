import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { SideMeasured } from './compare-sides.ts';
import { countTraffic } from './count-traffic.ts';
import { measureHomes } from './measure-homes.ts';
import { measureRequests } from './measure-requests.ts';
import { measureSearches } from './measure-searches.ts';
import { homesFigures, requestFigures, searchFigures, trafficFigures } from './node-figures.ts';
import { type NodeParts, SIDES, startNodeParts } from './node-parts.ts';
import { QUICK_WORK } from './nodes-part.ts';
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

/** With a handful of requests: speed is not tested, because it depends on the machine. */
describe('a cluster of nodes beside the embedded store', () => {
  let started: NodeParts | { readonly missing: string };

  before(async () => {
    started = await startNodeParts();
  });
  after(async () => {
    if (!('missing' in started)) await started.close();
  });

  /** Undefined, and the test skipped, where a server cannot be had. */
  function partsFor(test: TestContext): NodeParts | undefined {
    if (!('missing' in started)) return started;
    test.skip(`NOT TESTED: the bench of nodes: ${started.missing}.`);
    return undefined;
  }

  it('answers all kinds of requests as expected, with every node at work', async (test) => {
    const parts = partsFor(test);
    if (!parts) return;
    const kinds: string[] = [];
    for await (const compared of measureRequests(parts, QUICK_WORK.requests)) {
      kinds.push(compared.kind);
      assert.equal(compared.failures, 0);
      assert.deepEqual(compared.unexpected, {});
      for (const side of SIDES) assert.ok(compared.sides[side].perSecond > 0);
    }
    assert.deepEqual(kinds, ['step', 'read', 'result']);
    const sent = await Promise.all(
      parts.services[4].map((node) => node.ask<{ redis: number }>('commandsSent')),
    );
    for (const { redis } of sent) assert.ok(redis > 0, 'connections reach every node');
  });

  it('completes searches', async (test) => {
    const parts = partsFor(test);
    if (!parts) return;
    const compared = await measureSearches(parts, QUICK_WORK.searches);
    for (const side of SIDES) assert.ok(compared.sides[side].perSecond > 0);
    const [first] = searchFigures(compared);
    assert.equal(first?.what, 'completed searches, 1 ms upstream, 4 at a time, one node');
  });

  it('counts what the servers are asked', async (test) => {
    const parts = partsFor(test);
    if (!parts) return;
    const counted = await countTraffic(parts, QUICK_WORK.traffic);
    for (const { redisMessages, redisCommands, redisBytesIn } of Object.values(counted.of)) {
      assert.ok(redisMessages >= 1, 'every request asks Redis');
      assert.ok(redisCommands >= redisMessages && redisBytesIn > 0);
    }
    assert.ok(counted.sessionWithResultBytes > counted.sessionBytes && counted.sessionBytes > 0);
    assert.ok(counted.of.search.postgresLogBytes > 0 && counted.quoteBytes > 0);
    for (const { figure } of trafficFigures(counted)) assert.doesNotMatch(figure, /NaN/);
  });

  it('shows changes of one node to another, and fills new ones', async (test) => {
    const parts = partsFor(test);
    if (!parts) return;
    const measured = await measureHomes(parts, QUICK_WORK.homes);
    assert.ok(measured.seenMs.median > 0 && measured.changesPerSecond > 0);
    assert.ok(measured.fillingMs > 0 && measured.startingAgainMs > 0);
    for (const { figure } of homesFigures(measured)) assert.doesNotMatch(figure, /NaN/);
  });
});
