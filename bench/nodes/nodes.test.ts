import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { SideMeasured } from './compare-sides.ts';
import { countTraffic, type Traffic } from './count-traffic.ts';
import { measureHomes } from './measure-homes.ts';
import { measureRequests } from './measure-requests.ts';
import { measureSearches } from './measure-searches.ts';
import { homesFigures, requestFigures, searchFigures, trafficFigures } from './node-figures.ts';
import { type NodeParts, SIDES, startNodeParts } from './node-parts.ts';
import { QUICK_WORK } from './nodes-part.ts';
import { readTimes } from './process-times.ts';
import { scaleOnPaper } from './scale-on-paper.ts';

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

it('what many nodes need is computed from what one was measured to need', () => {
  const side = { perSecond: 1, boundPerSecond: 1, p50Ms: 1, p99Ms: 1, loadShare: 0, otherShare: 0 };
  const step = { ...side, nodes: 1000, redis: 100, postgres: 0 };
  const result = { ...step, nodes: 500, redis: 50 };
  const search = { ...step, nodes: 3000, redis: 300, postgres: 200 };
  const request: Traffic = {
    redisMessages: 2,
    redisCommands: 4,
    redisBytesIn: 100,
    redisBytesOut: 200,
    postgresTransactions: 0,
    postgresLogBytes: 0,
    postgresStatements: 0,
  };
  const paper = scaleOnPaper({
    ...{ step, result, search },
    traffic: {
      sessions: 1,
      of: { opening: request, step: request, read: request, search: request, result: request },
      sessionBytes: 1000,
      sessionWithResultBytes: 10_000,
      quoteBytes: 100,
      idleNode: { redisCommands: 1, postgresTransactions: 2 },
    },
    homes: {
      homes: 1000,
      storingMs: 1,
      fillingMs: 60,
      startingAgainMs: 6,
      fillingPostgres: 1,
      postgresBytesAHome: 2000,
      folderBytesAHome: 3000,
      seenMs: { median: 1, p99: 2, slowest: 3 },
      changesPerSecond: 1,
      writers: 1,
      changePostgres: 1,
      changeFollower: 100,
      changeLogBytes: 1,
    },
  });
  // Ten milliseconds of a node are 60 searches a second at 60 %.
  assert.match(paper, /^\| whole searches a second \| 600 \| 6,000 \| 60,000 \|$/m);
  assert.match(paper, /^\| Redis: messages a second \| 10,800 \| 108,000 \| 1,080,000 \|$/m);
  assert.match(paper, /^\| Redis: processors \| 0.6 \| 6 \| 60 \|$/m);
  assert.match(paper, /^\| Redis: memory \| 62.6 GB \| 626 GB \| 6.26 TB \|$/m);
  assert.match(paper, /^\| Redis: primaries \| 4 \| 40 \| 392 \|$/m);
  assert.match(paper, /20 GB in PostgreSQL, 30 GB in the folder of each node, 10 minutes for a new node/);
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
