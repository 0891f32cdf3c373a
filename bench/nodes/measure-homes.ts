import { join } from 'node:path';
import { parseDay } from '../../src/stay/day.ts';
import { ALL_CORES, type Child, startChild } from '../child.ts';
import { median, quantile } from '../median.ts';
import { HOMES_SCHEMA, type HomesOrder, type StartedNode } from './homes-order.ts';
import type { NodeParts } from './node-parts.ts';

export type HomesWork = {
  readonly homes: number;
  readonly starts: number;
  /** One after the other. */
  readonly changes: number;
  /** As many at a time as the writers ask for, by each of two nodes. */
  readonly changesTogether: number;
  readonly writers: number;
};

export type HomesMeasured = {
  readonly homes: number;
  readonly storingMs: number;
  /** Medians over the starts. */
  readonly fillingMs: number;
  readonly startingAgainMs: number;
  /** Of PostgreSQL, for each home that a new node reads, in microseconds. */
  readonly fillingPostgres: number;
  readonly postgresBytesAHome: number;
  /** Of the copy and the snapshot in the folder of a node. */
  readonly folderBytesAHome: number;
  /** From the call that stores it to the other node's index. */
  readonly seenMs: { readonly median: number; readonly p99: number; readonly slowest: number };
  /** Transactions with one calendar each. */
  readonly changesPerSecond: number;
  readonly writers: number;
  /** For each of them, in microseconds: of PostgreSQL, and of the node that only follows. */
  readonly changePostgres: number;
  readonly changeFollower: number;
  readonly changeLogBytes: number;
};

const SEED = 2027;
/** A fixed day, because the seasons of an inventory depend on it. */
const TODAY = parseDay('2027-03-01') ?? 0;

/** What nodes do beside answering: fill their copies, start again, and tell each other what has changed. */
export async function measureHomes(
  { servers, folder }: NodeParts,
  { homes, starts, changes, changesTogether, writers }: HomesWork,
): Promise<HomesMeasured> {
  const start = (name: string) => {
    const order: HomesOrder = {
      servers: servers.addresses,
      directory: join(folder, name),
      seed: SEED,
      homes,
      today: TODAY,
    };
    return startChild<StartedNode>('./nodes/homes.process.ts', ALL_CORES, [JSON.stringify(order)]);
  };
  const running: Child<StartedNode>[] = [];
  const startOne = async (name: string) => {
    const node = await start(name);
    running.push(node);
    return node;
  };
  const end = async (node: Child<StartedNode>) => {
    await node.ask('end');
    await node.close();
    running.splice(running.indexOf(node), 1);
  };

  try {
    const writer = await startOne('writer');
    const storingFrom = performance.now();
    await writer.ask('store');
    const storingMs = performance.now() - storingFrom;

    const fillings: number[] = [];
    const startsAgain: number[] = [];
    const fillingsPostgres: number[] = [];
    let folderBytes = 0;
    for (let ordinal = 0; ordinal < starts; ordinal += 1) {
      const usedBefore = servers.processorTimes().postgres;
      const filled = await startOne(`filled-${ordinal}`);
      fillingsPostgres.push((servers.processorTimes().postgres - usedBefore) / homes);
      fillings.push(mustHave(filled.ready, homes).tookMs);
      await end(filled);
      const again = await startOne(`filled-${ordinal}`);
      startsAgain.push(mustHave(again.ready, homes).tookMs);
      folderBytes = await again.ask<number>('bytes');
      await end(again);
    }
    const postgresBytes = await servers.askPostgres(
      `SELECT pg_total_relation_size('${HOMES_SCHEMA}.property') + pg_total_relation_size('${HOMES_SCHEMA}.calendar')`,
    );

    const follower = await startOne('filled-0');
    const seen: number[] = [];
    for (let number = 0; number < changes; number += 1) {
      const seenAt = follower.ask<number>('nextChangeOf', number);
      const beganAt = await writer.ask<number>('change', number);
      seen.push((await seenAt) - beganAt);
    }

    const other = await startOne('other');
    const logBefore = (await servers.readings()).postgresLogBytes;
    const postgresBefore = servers.processorTimes().postgres;
    const followerBefore = await follower.ask<number>('processorTime');
    const last = follower.ask<number>('nextChangeOf', changes + changesTogether - 1);
    const togetherFrom = performance.now();
    await Promise.all(
      [writer, other].map((node, place) =>
        node.ask('changeMany', {
          from: changes + (place * changesTogether) / 2,
          count: changesTogether / 2,
          atATime: writers / 2,
        }),
      ),
    );
    const togetherSeconds = (performance.now() - togetherFrom) / 1000;
    await last;
    const each = (value: number) => value / changesTogether;
    return {
      homes,
      storingMs,
      fillingMs: median(fillings),
      startingAgainMs: median(startsAgain),
      fillingPostgres: median(fillingsPostgres),
      postgresBytesAHome: postgresBytes / homes,
      folderBytesAHome: folderBytes / homes,
      seenMs: { median: median(seen), p99: quantile(seen, 0.99), slowest: Math.max(...seen) },
      changesPerSecond: changesTogether / togetherSeconds,
      writers,
      changePostgres: each(servers.processorTimes().postgres - postgresBefore),
      changeFollower: each((await follower.ask<number>('processorTime')) - followerBefore),
      changeLogBytes: each((await servers.readings()).postgresLogBytes - logBefore),
    };
  } finally {
    await Promise.all(running.map((node) => node.close()));
  }
}

function mustHave(started: StartedNode, homes: number): StartedNode {
  if (started.homes !== homes) throw new Error(`a node has ${started.homes} homes instead of ${homes}`);
  return started;
}
