import type { RedisConnection, Script } from './connection.ts';

/** Removes a key that still has the value of its holder. One that has run out may be another's by now. */
export function letGoScript(redis: Pick<RedisConnection, 'script'>): Script<number> {
  return redis.script<number>({
    keys: 1,
    lua: `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
  });
}
