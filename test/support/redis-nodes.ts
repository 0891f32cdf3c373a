import type { TestContext } from 'node:test';
import type { OperatorLimits } from '../../src/limits/shared-limits.ts';
import { systemRandom } from '../../src/random.ts';
import { openRedis } from '../../src/storage/redis/connection.ts';
import { createRedisOperatorLimits } from '../../src/storage/redis/operator-limits.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { newPrefix } from './new-prefix.ts';

import { throwawayRedis } from './throwaway-redis.ts';

/** Nodes that count together in Redis, with a clock of the tests for them and for Redis. */
export type RedisNodes = {
  readonly clock: FakeClock;
  readonly limits: readonly [OperatorLimits, OperatorLimits];
  /** Lets time pass, and what Redis is asked meanwhile be answered. */
  pass(milliseconds: number): Promise<void>;
  /** The first node says nothing any more. */
  endFirst(): Promise<void>;
};

const STEP_MS = 50;
const MAX_STEPS = 400;
const REDIS_TIME = 1_800_000_000_000;

const server = await throwawayRedis();

export async function openRedisNodes(t: TestContext, url?: string): Promise<RedisNodes> {
  if ('missing' in server) throw new Error(server.missing);
  const clock = createFakeClock(Date.UTC(2027, 0, 1));
  const prefix = newPrefix();
  const connect = () => openRedis({ url: url ?? server.url });
  const connections = await Promise.all([connect(), connect()]);
  t.after(() => Promise.all(connections.map((one) => one.close())));
  const limitsOf = (redis: (typeof connections)[0]) =>
    createRedisOperatorLimits({
      redis,
      prefix,
      random: systemRandom,
      now: () => REDIS_TIME + clock.elapsed(),
    });

  /** Commands of a connection are answered in turn, and an answer leads to the next command. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await clock.settle();
      await Promise.all(connections.map((one) => one.ask((client) => client.ping()).catch(() => undefined)));
      await clock.settle();
    }
  }

  return {
    clock,
    limits: [limitsOf(connections[0]), limitsOf(connections[1])],
    async pass(milliseconds) {
      const end = clock.elapsed() + milliseconds;
      const stepMs = Math.max(STEP_MS, milliseconds / MAX_STEPS);
      await settle();
      while (clock.elapsed() < end) {
        await clock.advance(Math.min(stepMs, end - clock.elapsed()));
        await settle();
      }
    },
    endFirst: () => connections[0].close(),
  };
}
