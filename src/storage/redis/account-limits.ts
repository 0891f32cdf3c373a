import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { SharedBudget, TokenLock } from '../../limits/shared-limits.ts';
import {
  LIVE_SHARE,
  MIN_SHARED_WINDOW_MS,
  NEWCOMERS_SHARE,
  type RateWindow,
  UNSHARED_PART,
} from '../../limits/window-count.ts';
import { READ_TIME, type RedisConnection } from './connection.ts';

export type SharedScripts = {
  readonly redis: RedisConnection;
  readonly newTicket: () => string;
  /** Empty for Redis' own. */
  readonly time: () => string;
};

/** Three renewals: the call of a dead node counts as spent after this time. */
const UNDERWAY_MS = 15_000;
/** Slices of each window: the spending of a slice counts until its end leaves the window. */
const SLICES = 50;

/**
 * `calls`: a ticket for each call in flight, by when it counts as lost. `spent`: the spending in each slice of each window, and until when
 * the vendor paused all calls. A ticket and a slice name their payer: b in the background, or l and the assistant. The windows are the
 * last arguments, in pairs.
 */
const SPEND = `${READ_TIME}
local calls, spent = unpack(KEYS)

local function eachWindow(first, visit)
  for index = first, #ARGV, 2 do visit(tonumber(ARGV[index]), tonumber(ARGV[index + 1])) end
end

local function sliceMs(perMs) return math.max(1, perMs / ${SLICES}) end
local function payerOf(ticket) return string.match(ticket, '^[^\\n]*\\n(.*)$') end

local function spend(cost, payer, firstWindow)
  eachWindow(firstWindow, function(requests, perMs)
    local field = string.format('%.0f:%.0f:%s', perMs, math.floor(now / sliceMs(perMs)), payer)
    redis.call('HINCRBYFLOAT', spent, field, cost)
    keepFor(spent, perMs + 2 * sliceMs(perMs))
  end)
end
`;

const TAKE_PERMIT = `${SPEND}
local payer, ticket, maxInFlight, FIRST_WINDOW = ARGV[2], ARGV[3], tonumber(ARGV[4]), 5
local isLive, hasShare = string.sub(payer, 1, 1) == 'l', payer ~= 'b' and payer ~= 'l'

-- The vendor may have counted what a node that has died had sent.
for _, lost in ipairs(redis.call('ZRANGEBYSCORE', calls, '-inf', now)) do
  spend(1, payerOf(lost), FIRST_WINDOW)
  redis.call('ZREM', calls, lost)
end

local inFlight, background, own = 0, 0, 0
for _, one in ipairs(redis.call('ZRANGE', calls, 0, -1)) do
  local of = payerOf(one)
  inFlight = inFlight + 1
  if of == 'b' then background = background + 1 end
  if of == payer then own = own + 1 end
end

-- The slices of each window, oldest first, with their sums by payer.
local windows, pausedUntil, gone = {}, 0, {}
eachWindow(FIRST_WINDOW, function(_, perMs) windows[string.format('%.0f', perMs)] = { all = 0, by = {} } end)
local fields = redis.call('HGETALL', spent)
for index = 1, #fields, 2 do
  local field, value = fields[index], tonumber(fields[index + 1])
  local perMs, slice, of = string.match(field, '^(%d+):(%d+):(.*)$')
  local endsAt = perMs and (slice + 1) * sliceMs(tonumber(perMs)) + perMs
  local window = windows[perMs]
  if not perMs then pausedUntil = value
  elseif endsAt <= now then gone[#gone + 1] = field
  elseif window then
    table.insert(window, { endsAt, value, of })
    window.all = window.all + value
    window.by[of] = (window.by[of] or 0) + value
  end
end
if #gone > 0 then redis.call('HDEL', spent, unpack(gone)) end

-- When so much has left the window; nothing when that depends on an answer.
local function leftAt(window, excess, isCounted)
  if excess <= 0 then return now end
  for _, slice in ipairs(window) do
    if isCounted(slice[3]) then excess = excess - slice[2] end
    if excess <= 0 then return slice[1] end
  end
end

local freeAt, restsUntil, dependsOnAnswer = math.max(now, pausedUntil), now, maxInFlight > 0 and inFlight >= maxInFlight
eachWindow(FIRST_WINDOW, function(requests, perMs)
  local window = windows[string.format('%.0f', perMs)]
  table.sort(window, function(one, other) return one[1] < other[1] end)
  local limit = isLive and requests or math.max(1, requests - math.ceil(requests * ${LIVE_SHARE}))
  local at = leftAt(window, window.all + inFlight + 1 - limit, function() return true end)
  if at then freeAt = math.max(freeAt, at) else dependsOnAnswer = true end
  if not hasShare or perMs < ${MIN_SHARED_WINDOW_MS} then return end
  local ofBackground, sharers = window.by.b or 0, window.by[payer] and 0 or 1
  for of in pairs(window.by) do if of ~= 'b' and of ~= 'l' then sharers = sharers + 1 end end
  local live = requests - ofBackground - background
  local shareable = live - math.max(1, math.floor(live * ${NEWCOMERS_SHARE}))
  local ownExcess = (window.by[payer] or 0) + own + 1 - math.max(1, math.floor(shareable / sharers))
  local commonExcess = window.all - ofBackground + inFlight - background + 1 - math.floor(shareable * ${UNSHARED_PART})
  local ownAt = leftAt(window, ownExcess, function(of) return of == payer end)
  local commonAt = leftAt(window, commonExcess, function(of) return of ~= 'b' end)
  if ownAt and commonAt then restsUntil = math.max(restsUntil, math.min(ownAt, commonAt))
  elseif ownAt or commonAt then restsUntil = math.max(restsUntil, ownAt or commonAt)
  else dependsOnAnswer = true end
end)
if freeAt > now then return { 'wait', math.ceil(freeAt - now) } end
if restsUntil > now then return { 'rest', math.ceil(restsUntil - now) } end
if dependsOnAnswer then return { 'wait', -1 } end

redis.call('ZADD', calls, now + ${UNDERWAY_MS}, ticket)
-- Later than the calls are lost, so that the next caller can count them.
keepFor(calls, 10 * ${UNDERWAY_MS})
return { 'granted', 0 }
`;

const CALL_DONE = `${SPEND}
local ticket, cost, FIRST_WINDOW = ARGV[2], tonumber(ARGV[3]), 4
-- One that was lost has been counted as one request.
if redis.call('ZREM', calls, ticket) == 0 then cost = cost - 1 end
if cost > 0 then spend(cost, payerOf(ticket), FIRST_WINDOW) end
return 1
`;

const RENEW_CALL = `${READ_TIME}
redis.call('ZADD', KEYS[1], 'XX', now + ${UNDERWAY_MS}, ARGV[2])
keepFor(KEYS[1], 10 * ${UNDERWAY_MS})
return 1
`;

const PAUSE_CALLS = `${READ_TIME}
local milliseconds = tonumber(ARGV[2])
local pausedUntil = tonumber(redis.call('HGET', KEYS[1], 'paused_until') or '0')
redis.call('HSET', KEYS[1], 'paused_until', string.format('%.0f', math.max(pausedUntil, now + milliseconds)))
keepFor(KEYS[1], milliseconds)
return 1
`;

export function createRedisBudgets({ redis, newTicket, time }: SharedScripts) {
  const takePermit = redis.script<readonly [kind: 'granted' | 'wait' | 'rest', forMs: number]>({
    keys: 2,
    lua: TAKE_PERMIT,
  });
  const reportDone = redis.script<number>({ keys: 2, lua: CALL_DONE });
  const renewCall = redis.script<number>({ keys: 1, lua: RENEW_CALL });
  const reportPause = redis.script<number>({ keys: 1, lua: PAUSE_CALLS });

  /** `name` is the prefix of all keys and contains the hash tag of the account. */
  return (name: string, windows: readonly RateWindow[], maxInFlight: number): SharedBudget => {
    const [calls, spent] = [`${name}:calls`, `${name}:spent`];
    // The spending is counted by length, so of several windows of one length only the strictest counts.
    const byLength = new Map(
      windows.toSorted((one, other) => other.requests - one.requests).map((one) => [one.perMs, one.requests]),
    );
    const pairs = Array.from(byLength, ([perMs, requests]) => [requests, perMs]).flat();
    const mostInFlight = Number.isFinite(maxInFlight) ? maxInFlight : 0;
    return {
      async take({ urgency, assistant = '' }) {
        const payer = urgency === 'live' ? `l${assistant}` : 'b';
        const ticket = `${newTicket()}\n${payer}`;
        const [kind, forMs] = await takePermit(calls, spent, time(), payer, ticket, mostInFlight, ...pairs);
        if (kind !== 'granted') return { kind, forMs: forMs < 0 ? null : forMs };
        return {
          kind,
          renew: async () => void (await renewCall(calls, time(), ticket)),
          done: (cost) =>
            void reportDone(calls, spent, time(), ticket, cost, ...pairs).catch(() => undefined),
        };
      },
      pause: (milliseconds) =>
        void reportPause(spent, time(), Math.max(0, milliseconds)).catch(() => undefined),
    };
  };
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
