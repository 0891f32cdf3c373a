import { describe } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { redisSessions } from '../../../test/support/redis-sessions.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { type NewSessionStore, sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';

describe('sessions in Redis', { skip: skippedWithoutRedis }, () => {
  const newStore: NewSessionStore = async (test) => {
    const store = redisSessions(await testRedis(), newPrefix());
    test.after(() => store.close());
    return store;
  };
  sessionStoreContract({ newStore });
  sessionStoreModelContract({ newStore });
});
