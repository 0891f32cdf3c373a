import type { RedisConnection } from './connection.ts';
import { letGoScript } from './held-key.ts';

/**
 * A session is one hash: `state`, `tally` (how often it changed, the stage and the refusal), what is `counted` and by which node, `revision`, `notes`, `expiresAt` and `assistant` as it was opened, `kept` bytes, its `result`, and each
 * used key as a field that begins with `k:`. One key for all of it, so that every change is one step on the server.
 */
export function sessionScripts(redis: RedisConnection) {
  return {
    /** 1, or 0 where the session is open already. */
    open: redis.script<number>({
      keys: 1,
      lua: `
local state, revision, expiresAt, assistant, kept, lifeMs = unpack(ARGV)
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'state', state, 'revision', revision, 'expiresAt', expiresAt, 'assistant', assistant,
  'kept', kept, 'weighed', kept, 'keys', 0)
redis.call('PEXPIRE', KEYS[1], lifeMs)
return 1`,
    }),
    /**
     * Null for a conflict. Otherwise what the session weighs now, for its assistant's account: few changes matter for that, so for
     * most of them the list is empty.
     */
    commit: redis.script<readonly string[] | null>({
      keys: 1,
      lua: `
local expected, state, revision, notes, keptMore, keyId, keyText, keyBytes, hasResult, result, minDifference = unpack(ARGV)
local stored = redis.call('HMGET', KEYS[1], 'revision', 'kept', 'weighed', 'expiresAt', 'assistant', 'notes')
if stored[1] ~= expected then return false end
if notes ~= '' and tonumber(notes) ~= tonumber(stored[6] or 0) + 1 then return false end
local kept = tonumber(stored[2]) + tonumber(keptMore)
if keyId ~= '' then
  kept = kept + tonumber(keyBytes)
  if redis.call('HSET', KEYS[1], 'k:' .. keyId, keyText) == 1 then redis.call('HINCRBY', KEYS[1], 'keys', 1) end
end
redis.call('HSET', KEYS[1], 'state', state, 'revision', revision, 'notes', notes == '' and 0 or notes, 'kept', kept)
if hasResult == '1' then redis.call('HSET', KEYS[1], 'result', result) end
local weight = kept + redis.call('HSTRLEN', KEYS[1], 'result')
if stored[3] and math.abs(weight - tonumber(stored[3])) < tonumber(minDifference) then return {} end
redis.call('HSET', KEYS[1], 'weighed', weight)
return { stored[5], stored[4], tostring(weight) }`,
    }),
    /** 1 for claimed, 0 for taken, -1 for a conflict. A claim of an earlier revision is over. It is kept as revision and holder. */
    claim: redis.script<number>({
      keys: 2,
      lua: `
local revision, holder, forMs = unpack(ARGV)
if redis.call('HGET', KEYS[1], 'revision') ~= revision then return -1 end
local held = redis.call('GET', KEYS[2])
if held and string.match(held, '^%d+') == revision then return 0 end
redis.call('SET', KEYS[2], revision .. ' ' .. holder, 'PX', forMs)
return 1`,
    }),
    release: letGoScript(redis),
    /**
     * The tally that was replaced, empty where a later one stays, and what is the node's to count of the marks that follow its name and how
     * many there may be: of nodes that note the same, it is the first one's. A session that is unknown, or forgotten, must not come into being again.
     */
    noteTally: redis.script<readonly string[]>({
      keys: 1,
      lua: `
local changes, refused, node, most = unpack(ARGV, 1, 4)
local stored = redis.call('HMGET', KEYS[1], 'revision', 'tally', 'counted')
if not stored[1] then return {} end
local tally, replaced = stored[2] or '0  ', ''
if tonumber(changes) >= tonumber(string.match(tally, '^%d+')) then
  redis.call('HSET', KEYS[1], 'tally', changes .. ' ' .. refused)
  replaced = tally
end
local counted, size, holders, own = stored[3] or '', 0, {}, { replaced }
for mark, holder in string.gmatch(counted, '(%d+)=(%S+)') do
  holders[mark] = holder
  size = size + 1
end
for at = 5, #ARGV do
  local mark = ARGV[at]
  if not holders[mark] and size < tonumber(most) then
    holders[mark] = node
    size = size + 1
    counted = counted .. mark .. '=' .. node .. ' '
  end
  if holders[mark] == node then own[#own + 1] = mark end
end
if counted ~= (stored[3] or '') then redis.call('HSET', KEYS[1], 'counted', counted) end
return own`,
    }),
    /** What is left is the state, so that a late caller is told that the session has expired. */
    deleteBodies: redis.script<number>({
      keys: 1,
      lua: `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 2) == 'k:' then redis.call('HDEL', KEYS[1], field) end
end
redis.call('HDEL', KEYS[1], 'result', 'weighed')
redis.call('HSET', KEYS[1], 'kept', ARGV[1], 'keys', 0)
return 1`,
    }),
  };
}
