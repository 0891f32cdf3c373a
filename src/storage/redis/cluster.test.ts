import { after, describe } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { redisSessions } from '../../../test/support/redis-sessions.ts';

import { ownRedis } from '../../../test/support/throwaway-redis.ts';
import { systemClock } from '../../clock.ts';
import { systemRandom } from '../../random.ts';
import { rateWindowsContract } from '../../sessions/rate-windows.contract.ts';
import { recentOpeningsContract } from '../../sessions/recent-openings.contract.ts';
import { sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { declineChannelContract } from '../../sync/decline-channel.contract.ts';
import { openRedis, type RedisConnection } from './connection.ts';
import { createRedisDeclineChannel } from './decline-channel.ts';
import { createRedisOpenings } from './openings.ts';
import { operatorLimitsContract } from './operator-limits.contract.ts';
import { createRedisRateWindows } from './rate-windows.ts';

/** One server that is a whole cluster: it refuses every script with keys of two slots, as many servers would. */
const server = await ownRedis({ 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' });
const skip = 'missing' in server && server.missing;
const urlOfCluster = 'missing' in server ? '' : `${server.url}?cluster=true`;

let connection: Promise<RedisConnection> | undefined;

function cluster(): Promise<RedisConnection> {
  connection ??= formCluster();
  return connection;
}

async function formCluster(): Promise<RedisConnection> {
  if ('missing' in server) throw new Error(server.missing);
  const plain = await openRedis({ url: server.url });
  await plain.ask((client) => client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383));
  while (!String(await plain.ask((client) => client.cluster('INFO'))).includes('cluster_state:ok'))
    await wait(20);
  await plain.close();
  return openRedis({ url: urlOfCluster });
}

describe('a Redis cluster', { skip }, () => {
  after(async () => (await connection)?.close());
  operatorLimitsContract(cluster);
  rateWindowsContract({
    async newWindows(_test, rule) {
      const serverTime = { at: Math.floor };
      return createRedisRateWindows({ redis: await cluster(), prefix: newPrefix(), rule, serverTime });
    },
  });
  recentOpeningsContract({
    async ofNodes(_test, nodes) {
      const [redis, prefix, key] = [await cluster(), newPrefix(), new Uint8Array(32)];
      return Array.from({ length: nodes }, () =>
        createRedisOpenings({ redis, prefix, key, random: systemRandom, clock: systemClock }),
      );
    },
  });
  declineChannelContract({
    async ofNodes() {
      const [redis, prefix] = [await cluster(), newPrefix()];
      const node = (name: string) =>
        createRedisDeclineChannel({ redis, url: urlOfCluster, prefix, node: name, clock: systemClock });
      return {
        one: node('one'),
        other: node('other'),
        published: () => redis.ask((client) => client.ping()),
      };
    },
  });
  sessionStoreContract({
    async newStore() {
      return redisSessions(await cluster(), newPrefix());
    },
  });
});
