import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { operatorLimitsContract } from './operator-limits.contract.ts';

operatorLimitsContract(testRedis, { skip: skippedWithoutRedis });
