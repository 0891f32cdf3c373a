import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { SharedBudget, TokenLock } from '../../limits/shared-account.ts';
import {
  LIVE_SHARE,
  MIN_SHARED_WINDOW_MS,
  NEWCOMERS_SHARE,
  type RateWindow,
  UNSHARED_PART,
} from '../../limits/window-count.ts';
import { READ_TIME, type RedisConnection } from './connection.ts';

/** Three renewals: the call of a dead node counts as spent after this time. */
const UNDERWAY_MS = 15_000;
/** A waiting live call tries again within this time. */
const RETRY_MS = 1000;
/** Slices of each window: the spending of a slice counts until its end leaves the window. */
const SLICES = 50;

/**
 * `calls`: a ticket for each call under way, by when it counts as lost; it begins with l or b for its urgency.
 * `spent`: the spending in each slice of each window by urgency, until when the vendor paused all calls, and until when a live call waits
 * for a place. `own` and `ofAll`: the spending of the caller of a live call, and of all callers of its assistant, in slices too.
 * `assistants` and `addresses` of the caller's assistant: the time of each one's last call. The windows are the last arguments, in pairs.
 */
const SPEND = `${READ_TIME}
local calls, spent, own, ofAll, assistants, addresses = unpack(KEYS)

local function eachWindow(first, visit)
  for index = first, #ARGV, 2 do visit(tonumber(ARGV[index]), tonumber(ARGV[index + 1])) end
end

local function sliceMs(perMs) return math.max(1, perMs / ${SLICES}) end

local function spend(into, cost, urgency, firstWindow)
  eachWindow(firstWindow, function(requests, perMs)
    local field = string.format('%.0f:%.0f:%s', perMs, math.floor(now / sliceMs(perMs)), urgency)
    redis.call('HINCRBYFLOAT', into, field, cost)
    keepFor(into, perMs + 2 * sliceMs(perMs))
  end)
end
`;

const TAKE_PERMIT = `${SPEND}
local urgency, goesFirst, ticket, maxInFlight = ARGV[2], ARGV[3] == '1', ARGV[4], tonumber(ARGV[5])
local assistant, address, FIRST_WINDOW = ARGV[6], ARGV[7], 8

-- The vendor may have counted what a node that has died had sent.
for _, lost in ipairs(redis.call('ZRANGEBYSCORE', calls, '-inf', now)) do
  spend(spent, 1, string.sub(lost, 1, 1), FIRST_WINDOW)
  redis.call('ZREM', calls, lost)
end

-- The slices of each window, with their sums in all and in the background; and what else the hash holds.
local function read(hash)
  local windows, others, gone = {}, {}, {}
  eachWindow(FIRST_WINDOW, function(_, perMs) windows[string.format('%.0f', perMs)] = { all = 0, b = 0 } end)
  local fields = redis.call('HGETALL', hash)
  for index = 1, #fields, 2 do
    local field, value = fields[index], tonumber(fields[index + 1])
    local perMs, slice, of = string.match(field, '^(%d+):(%d+):([lb])$')
    local endsAt = perMs and (slice + 1) * sliceMs(tonumber(perMs)) + perMs
    local window = windows[perMs]
    if not perMs then others[field] = value
    elseif endsAt <= now then gone[#gone + 1] = field
    elseif window then
      table.insert(window, { endsAt, value })
      window.all = window.all + value
      if of == 'b' then window.b = window.b + value end
    end
  end
  if #gone > 0 then redis.call('HDEL', hash, unpack(gone)) end
  for _, window in pairs(windows) do table.sort(window, function(one, other) return one[1] < other[1] end) end
  return windows, others
end

-- When so much has left the window; nothing when that depends on an answer.
local function leftAt(window, excess)
  if excess <= 0 then return now end
  for _, slice in ipairs(window) do
    excess = excess - slice[2]
    if excess <= 0 then return slice[1] end
  end
end

local windows, others = read(spent)
local inFlight = redis.call('ZCARD', calls)
local freeAt, dependsOnAnswer = math.max(now, others.paused_until or 0), false
eachWindow(FIRST_WINDOW, function(requests, perMs)
  local limit = requests
  if urgency == 'b' then limit = math.max(1, requests - math.ceil(requests * ${LIVE_SHARE})) end
  local window = windows[string.format('%.0f', perMs)]
  local at = leftAt(window, window.all + inFlight + 1 - limit)
  if at then freeAt = math.max(freeAt, at) else dependsOnAnswer = true end
end)
if freeAt > now then return { 'wait', math.ceil(freeAt - now) } end

-- As each node shares a window among its callers, among those of all nodes.
if address ~= '' then
  local restsUntil, longestMs, ofCaller, ofAssistant = now, 0, read(own), read(ofAll)
  eachWindow(FIRST_WINDOW, function(requests, perMs)
    if perMs < ${MIN_SHARED_WINDOW_MS} then return end
    longestMs = math.max(longestMs, perMs)
    for key, name in pairs({ [assistants] = assistant, [addresses] = address }) do
      redis.call('ZADD', key, now, name)
      keepFor(key, perMs)
    end
    local name, since = string.format('%.0f', perMs), '(' .. string.format('%.0f', now - perMs)
    local window = windows[name]
    local live = requests - window.b
    local kept = math.max(1, math.floor(live * ${NEWCOMERS_SHARE}))
    local ofAssistants = live - math.floor(kept / 2)
    local ofCallers = ofAssistants - kept
    if window.all - window.b + inFlight + 1 <= math.floor(ofCallers * ${UNSHARED_PART}) then return end
    local sharers = redis.call('ZCOUNT', assistants, since, '+inf')
    local callers = sharers * redis.call('ZCOUNT', addresses, since, '+inf')
    local function keepToShare(of, share)
      restsUntil = math.max(restsUntil, leftAt(of[name], of[name].all + 1 - math.max(1, math.floor(share))) or now)
    end
    keepToShare(ofCaller, ofCallers / callers)
    keepToShare(ofAssistant, ofAssistants / sharers)
  end)
  redis.call('ZREMRANGEBYSCORE', addresses, '-inf', now - longestMs)
  if restsUntil > now then return { 'rest', math.ceil(restsUntil - now) } end
end

local isFull = maxInFlight > 0 and inFlight >= maxInFlight
if isFull and urgency == 'l' then
  redis.call('HSET', spent, 'wanted_until', now + ${RETRY_MS})
  keepFor(spent, ${RETRY_MS})
end
local standsBack = maxInFlight > 0 and urgency == 'b' and (others.wanted_until or 0) > now and not goesFirst
if dependsOnAnswer or isFull or standsBack then return { 'wait', -1 } end

redis.call('ZADD', calls, now + ${UNDERWAY_MS}, ticket)
-- Later than the calls are lost, so that whoever comes next can count them.
keepFor(calls, 10 * ${UNDERWAY_MS})
if urgency == 'l' then redis.call('HDEL', spent, 'wanted_until') end
if address ~= '' then
  spend(own, 1, 'l', FIRST_WINDOW)
  spend(ofAll, 1, 'l', FIRST_WINDOW)
end
return { 'granted', 0 }
`;

const CALL_DONE = `${SPEND}
local ticket, cost, hasCaller, FIRST_WINDOW = ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1', 5
-- Of its caller a call was counted as one request when it began.
if hasCaller and cost ~= 1 then
  spend(own, cost - 1, 'l', FIRST_WINDOW)
  spend(ofAll, cost - 1, 'l', FIRST_WINDOW)
end
-- One that was lost has been counted as one request.
if redis.call('ZREM', calls, ticket) == 0 then cost = cost - 1 end
if cost > 0 then spend(spent, cost, string.sub(ticket, 1, 1), FIRST_WINDOW) end
return 1
`;

const RENEW_CALL = `${READ_TIME}
redis.call('ZADD', KEYS[1], 'XX', now + ${UNDERWAY_MS}, ARGV[2])
keepFor(KEYS[1], 10 * ${UNDERWAY_MS})
return tonumber(redis.call('HGET', KEYS[2], 'wanted_until') or '0') > now and 1 or 0
`;

const PAUSE_CALLS = `${READ_TIME}
local milliseconds = tonumber(ARGV[2])
local pausedUntil = tonumber(redis.call('HGET', KEYS[1], 'paused_until') or '0')
redis.call('HSET', KEYS[1], 'paused_until', string.format('%.0f', math.max(pausedUntil, now + milliseconds)))
keepFor(KEYS[1], milliseconds)
return 1
`;

export type SharedScripts = {
  readonly redis: RedisConnection;
  readonly newTicket: () => string;
  /** Empty for Redis' own. */
  readonly time: () => string;
};

export function createRedisBudgets({ redis, newTicket, time }: SharedScripts) {
  const takePermit = redis.script<readonly [kind: 'granted' | 'wait' | 'rest', forMs: number]>({
    keys: 6,
    lua: TAKE_PERMIT,
  });
  const reportDone = redis.script<number>({ keys: 4, lua: CALL_DONE });
  const renewCall = redis.script<number>({ keys: 2, lua: RENEW_CALL });
  const reportPause = redis.script<number>({ keys: 1, lua: PAUSE_CALLS });

  /** `name` is the prefix of all keys and contains the hash tag of the account. */
  return (name: string, windows: readonly RateWindow[], maxInFlight: number): SharedBudget => {
    const calls = `${name}:calls`;
    const spent = `${name}:spent`;
    const pairs = strictest(windows).flatMap(({ requests, perMs }) => [requests, perMs]);
    const mostInFlight = Number.isFinite(maxInFlight) ? maxInFlight : 0;
    return {
      async take({ urgency, goesFirst, caller }) {
        const letter = urgency === 'live' ? 'l' : 'b';
        const ticket = `${letter}${newTicket()}`;
        const { assistant, name: address } = caller ?? { assistant: '', name: '' };
        const own = [`${spent}:${address}`, `${spent}:${assistant}`] as const;
        const keys = [calls, spent, ...own, `${name}:callers`, `${name}:callers:${assistant}`];
        const call = [letter, goesFirst ? 1 : 0, ticket, mostInFlight, assistant, address];
        const [kind, forMs] = await takePermit(...keys, time(), ...call, ...pairs);
        if (kind !== 'granted') return { kind, forMs: forMs < 0 ? null : forMs };
        return {
          kind,
          renew: async () => (await renewCall(calls, spent, time(), ticket)) === 1,
          done(cost) {
            const done = [ticket, cost, caller ? 1 : 0, ...pairs];
            reportDone(calls, spent, ...own, time(), ...done).catch(() => undefined);
          },
        };
      },
      pause: (milliseconds) =>
        void reportPause(spent, time(), Math.max(0, milliseconds)).catch(() => undefined),
    };
  };
}

/** One window per length, because the spending is counted by length. */
function strictest(windows: readonly RateWindow[]): readonly RateWindow[] {
  const byLength = new Map<number, RateWindow>();
  for (const window of windows) {
    const other = byLength.get(window.perMs);
    if (!other || window.requests < other.requests) byLength.set(window.perMs, window);
  }
  return [...byLength.values()];
}

/** Longer than requesting and storing a token may take. */
const HELD_MS = 25_000;

/** The holder, until when, and the failure for which no node may take the lock until then. */
const TAKE_LOCK = `${READ_TIME}
local kept = redis.call('HMGET', KEYS[1], 'until', 'failure')
local leftMs = tonumber(kept[1] or '0') - now
if leftMs > 0 then
  if kept[2] ~= '' then return { 'resting', kept[2], math.ceil(leftMs) } end
  return { 'held', '', 0 }
end
redis.call('HSET', KEYS[1], 'holder', ARGV[2], 'until', now + ${HELD_MS}, 'failure', '')
keepFor(KEYS[1], ${HELD_MS})
return { 'taken', '', 0 }
`;

/** A holder that was too slow has lost the lock, and must not release the next one's. */
const RELEASE_LOCK = `${READ_TIME}
local restMs = tonumber(ARGV[3])
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1])
if restMs > 0 then
  redis.call('HSET', KEYS[1], 'until', now + restMs, 'failure', ARGV[4])
  keepFor(KEYS[1], restMs)
end
return 1
`;

export function createRedisTokenLocks({ redis, newTicket, time }: SharedScripts): (key: string) => TokenLock {
  const takeLock = redis.script<
    readonly [kind: 'taken' | 'held' | 'resting', failure: FailureKind, forMs: number]
  >({
    keys: 1,
    lua: TAKE_LOCK,
  });
  const releaseLock = redis.script<number>({ keys: 1, lua: RELEASE_LOCK });

  return (key) => ({
    async take() {
      const holder = newTicket();
      const [kind, failure, forMs] = await takeLock(key, time(), holder);
      if (kind === 'resting') return { kind, failure, forMs };
      if (kind === 'held') return { kind };
      return {
        kind,
        release(failed) {
          const restMs = Math.ceil(failed?.restMs ?? 0);
          // If this does not arrive, the lock expires.
          releaseLock(key, time(), holder, restMs, failed?.failure ?? '').catch(() => undefined);
        },
      };
    },
  });
}
