import type { RateWindow } from '../../operators/account/request-budget.ts';
import type { SharedBudget } from '../../operators/account/shared-account.ts';
import { LIVE_SHARE } from '../../operators/account/window-count.ts';
import type { RedisConnection } from './connection.ts';
import { READ_TIME } from './script-time.ts';

/** Three renewals: a call of a node that has died counts as spent after this time. */
const UNDERWAY_MS = 15_000;
/** A live call that waits asks again within this time. */
const WANTED_MS = 1000;
/** Of each window: what was spent in one of them counts until the last of it leaves the window. */
const SLICES = 50;

/**
 * `calls`: a ticket for each call under way, by when it counts as lost; it begins with l or b for its urgency.
 * `spent`: what was spent in each slice of each window by each urgency, until when the vendor wants nothing, and until when a live
 * call wants a place that others have. The windows are the last arguments, in pairs.
 */
const SPEND = `${READ_TIME}
local calls, spent = KEYS[1], KEYS[2]

local function eachWindow(first, visit)
  for index = first, #ARGV, 2 do visit(tonumber(ARGV[index]), tonumber(ARGV[index + 1])) end
end

local function sliceMs(perMs) return math.max(1, perMs / ${SLICES}) end

local function spend(cost, urgency, firstWindow)
  eachWindow(firstWindow, function(requests, perMs)
    local field = string.format('%.0f:%.0f:%s', perMs, math.floor(now / sliceMs(perMs)), urgency)
    redis.call('HINCRBYFLOAT', spent, field, cost)
    keepFor(spent, perMs + 2 * sliceMs(perMs))
  end)
end
`;

const TAKE = `${SPEND}
local urgency, goesFirst, ticket, maxInFlight = ARGV[2], ARGV[3] == '1', ARGV[4], tonumber(ARGV[5])
local liveShare, FIRST_WINDOW = tonumber(ARGV[6]), 7

-- The vendor may have counted what a node that has died had sent.
for _, lost in ipairs(redis.call('ZRANGEBYSCORE', calls, '-inf', now)) do
  spend(1, string.sub(lost, 1, 1), FIRST_WINDOW)
  redis.call('ZREM', calls, lost)
end

local slices, gone, pausedUntil, wantedUntil = {}, {}, 0, 0
local fields = redis.call('HGETALL', spent)
for index = 1, #fields, 2 do
  local field, value = fields[index], tonumber(fields[index + 1])
  local perMs, slice = string.match(field, '^(%d+):(%d+):[lb]$')
  if perMs then
    local endsAt = (slice + 1) * sliceMs(tonumber(perMs)) + perMs
    if endsAt <= now then gone[#gone + 1] = field
    else
      slices[perMs] = slices[perMs] or {}
      table.insert(slices[perMs], { endsAt, value })
    end
  elseif field == 'paused_until' then pausedUntil = value
  elseif field == 'wanted_until' then wantedUntil = value end
end
if #gone > 0 then redis.call('HDEL', spent, unpack(gone)) end

local inFlight = redis.call('ZCARD', calls)
local freeAt, dependsOnAnswer = math.max(now, pausedUntil), false
eachWindow(FIRST_WINDOW, function(requests, perMs)
  local limit = requests
  if urgency == 'b' then limit = math.max(1, requests - math.ceil(requests * liveShare)) end
  local ofWindow = slices[string.format('%.0f', perMs)] or {}
  local excess = inFlight + 1 - limit
  for _, slice in ipairs(ofWindow) do excess = excess + slice[2] end
  if excess <= 0 then return end
  table.sort(ofWindow, function(one, other) return one[1] < other[1] end)
  for _, slice in ipairs(ofWindow) do
    excess = excess - slice[2]
    if excess <= 0 then
      freeAt = math.max(freeAt, slice[1])
      return
    end
  end
  dependsOnAnswer = true
end)
if freeAt > now then return { 'wait', math.ceil(freeAt - now) } end

local isFull = maxInFlight > 0 and inFlight >= maxInFlight
if isFull and urgency == 'l' then
  redis.call('HSET', spent, 'wanted_until', now + ${WANTED_MS})
  keepFor(spent, ${WANTED_MS})
end
local standsBack = maxInFlight > 0 and urgency == 'b' and wantedUntil > now and not goesFirst
if dependsOnAnswer or isFull or standsBack then return { 'wait', -1 } end

redis.call('ZADD', calls, now + ${UNDERWAY_MS}, ticket)
-- Later than the calls are lost, so that whoever comes next can count them.
keepFor(calls, 10 * ${UNDERWAY_MS})
if urgency == 'l' then redis.call('HDEL', spent, 'wanted_until') end
return { 'granted', 0 }
`;

const DONE = `${SPEND}
local ticket, cost, FIRST_WINDOW = ARGV[2], tonumber(ARGV[3]), 4
-- One that was lost has been counted as one request.
if redis.call('ZREM', calls, ticket) == 0 then cost = cost - 1 end
if cost > 0 then spend(cost, string.sub(ticket, 1, 1), FIRST_WINDOW) end
return 1
`;

const RENEW = `${READ_TIME}
redis.call('ZADD', KEYS[1], 'XX', now + ${UNDERWAY_MS}, ARGV[2])
keepFor(KEYS[1], 10 * ${UNDERWAY_MS})
return tonumber(redis.call('HGET', KEYS[2], 'wanted_until') or '0') > now and 1 or 0
`;

const PAUSE = `${READ_TIME}
local milliseconds = tonumber(ARGV[2])
local pausedUntil = tonumber(redis.call('HGET', KEYS[1], 'paused_until') or '0')
redis.call('HSET', KEYS[1], 'paused_until', string.format('%.0f', math.max(pausedUntil, now + milliseconds)))
keepFor(KEYS[1], milliseconds)
return 1
`;

export function createRedisBudgets({
  redis,
  newTicket,
  time,
}: {
  readonly redis: RedisConnection;
  readonly newTicket: () => string;
  /** Empty for Redis' own. */
  readonly time: () => string;
}) {
  const askForOne = redis.script<readonly [kind: 'granted' | 'wait', forMs: number]>({
    keys: 2,
    lua: TAKE,
  });
  const tellDone = redis.script<number>({ keys: 2, lua: DONE });
  const tellUnderWay = redis.script<number>({ keys: 2, lua: RENEW });
  const tellPause = redis.script<number>({ keys: 1, lua: PAUSE });

  /** `name` begins all keys, and has the hash tag of the account. */
  return (name: string, windows: readonly RateWindow[], maxInFlight: number): SharedBudget => {
    const calls = `${name}:calls`;
    const spent = `${name}:spent`;
    const pairs = strictest(windows).flatMap(({ requests, perMs }) => [requests, perMs]);
    const mostInFlight = Number.isFinite(maxInFlight) ? maxInFlight : 0;
    return {
      async take({ urgency, goesFirst }) {
        const letter = urgency === 'live' ? 'l' : 'b';
        const ticket = `${letter}${newTicket()}`;
        const call = [letter, goesFirst ? 1 : 0, ticket, mostInFlight, LIVE_SHARE];
        const [kind, forMs] = await askForOne(calls, spent, time(), ...call, ...pairs);
        if (kind === 'wait') return { kind, forMs: forMs < 0 ? null : forMs };
        return {
          kind,
          renew: async () => (await tellUnderWay(calls, spent, time(), ticket)) === 1,
          done: (cost) => void tellDone(calls, spent, time(), ticket, cost, ...pairs).catch(() => undefined),
        };
      },
      pause: (milliseconds) =>
        void tellPause(spent, time(), Math.max(0, milliseconds)).catch(() => undefined),
    };
  };
}

/** One for each length: what is spent is counted by it. */
function strictest(windows: readonly RateWindow[]): readonly RateWindow[] {
  const byLength = new Map<number, RateWindow>();
  for (const window of windows) {
    const other = byLength.get(window.perMs);
    if (!other || window.requests < other.requests) byLength.set(window.perMs, window);
  }
  return [...byLength.values()];
}
