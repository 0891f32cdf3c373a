import type { QuoteRequest } from '../../quotes/booking-system.ts';
import type { EnteredCall, OpenSharedOperator, OperatorLimits } from '../../quotes/call-entrance.ts';
import {
  BREAKER_RULE,
  type BreakerState,
  type CallResult,
  MAX_ANSWERED,
  PROBE_TURN_MS,
} from '../../quotes/circuit-breaker.ts';
import type { Random } from '../../random.ts';
import { createRedisBudgets, createRedisTokenLocks, type SharedScripts } from './account-limits.ts';
import { READ_TIME, type RedisConnection } from './connection.ts';

/** The keys of an operator share a hash tag, and so do those of an account, so that all keys of a script are on one node of a cluster. */
export function createRedisOperatorLimits({
  redis,
  prefix,
  random,
  now,
}: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly random: Random;
  /** In place of Redis' own clock, for tests. */
  readonly now?: () => number;
}): OperatorLimits {
  const node = random.bytes(8).toString('hex');
  let tickets = 0;
  const newTicket = () => {
    tickets += 1;
    return `${node}-${tickets}`;
  };
  const time = () => (now ? String(Math.floor(now())) : '');
  const budgetOf = createRedisBudgets({ redis, newTicket, time });
  const lockOf = createRedisTokenLocks({ redis, newTicket, time });

  return {
    operator: createRedisOperators({ redis, prefix, newTicket, time }),
    account({ id, windows, maxInFlight }) {
      const name = `${prefix}:account:{${id}}`;
      return {
        budget: budgetOf(name, windows, maxInFlight),
        tokenLock: (token) => lockOf(`${name}:token:${token}`),
      };
    },
  };
}

/** After an hour without calls, the breaker of an operator begins anew. */
const BREAKER_LIFE_MS = 3_600_000;

/** A caller that waits for a place asks again within this time. */
const RETRY_MS = 500;
const MS_PER_DAY = 86_400_000;

/**
 * `places`: a ticket for each call, which begins with its assistant and address, by when its place is free at the latest.
 * `breaker`: the number of calls in each second (c) and of failed ones (f); until when it is open; the ticket of the probe; a generation that
 * changes with its state; whether the probe repeats an answered question; how many probes have failed, and the caller of the last one that
 * was its own; until when a closed breaker makes no new probe; until when a caller without a place (1), or an assistant without one that was
 * not the last to get one (2), has priority; and the assistant that got the last place.
 * `answered`: answered questions, oldest first, each behind its assistant, address and day of arrival.
 * A breaker is half open once its open time is over.
 */
const READ_BREAKER = `${READ_TIME}
local places, breaker, answered = unpack(KEYS)
local kept = redis.call('HMGET', breaker, 'generation', 'open_until', 'probe', 'probe_until', 'repeats', 'rests_until', 'wanted_until', 'wanted_by', 'last', 'failed_probes', 'failed_caller')
local generation, openUntil = kept[1] or '0', tonumber(kept[2] or '0')
local probe, probeUntil = kept[3], tonumber(kept[4] or '0')
local restsUntil = tonumber(kept[6] or '0')
local failedProbes, failedCaller = tonumber(kept[10] or '0'), kept[11] or ''
local wantedBy = tonumber(kept[7] or '0') > now and tonumber(kept[8]) or 0

local function readAnswered()
  local ahead = {}
  for _, entry in ipairs(redis.call('LRANGE', answered, 0, -1)) do
    local checkIn = tonumber(string.match(entry, '^[^\\n]*\\n[^\\n]*\\n(%d+)\\n'))
    if checkIn * ${MS_PER_DAY} >= now then ahead[#ahead + 1] = entry
    else redis.call('LREM', answered, 1, entry) end
  end
  return ahead
end

local function answer(kind, question)
  local state = openUntil == 0 and 'closed' or openUntil > now and 'open' or 'half_open'
  return { kind, generation, state, math.max(0, openUntil - now), question }
end
`;

const ADMIT = `${READ_BREAKER}
local limit, reserved, placeMs = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local assistant, address, ticket = ARGV[5], ARGV[6], ARGV[7]
if openUntil > now then return answer('refused') end
local question = false
if openUntil > 0 then
  if probe and probeUntil > now then return answer('awaits_probe') end
  local known = readAnswered()
  if failedProbes % (#known + 1) < #known then question = string.match(known[1], '[^\\n]*$')
  else
    local turns = string.sub(failedCaller, 1, #assistant) ~= assistant and 0 or failedCaller ~= address and 1 or 2
    if failedCaller ~= '' and now < openUntil + turns * ${PROBE_TURN_MS} then return answer('refused') end
  end
end
redis.call('ZREMRANGEBYSCORE', places, '-inf', now)
local taken, rank = redis.call('ZRANGE', places, 0, -1), kept[9] == assistant and 1 or 2
for _, other in ipairs(taken) do
  if string.sub(other, 1, #address) == address then rank = 0
  elseif string.sub(other, 1, #assistant) == assistant then rank = math.min(rank, 1) end
end
if #taken >= (rank > 0 and limit or limit - reserved) or wantedBy > rank then
  if rank > 0 and rank >= wantedBy then
    redis.call('HSET', breaker, 'wanted_until', now + ${RETRY_MS}, 'wanted_by', rank)
    keepFor(breaker, ${RETRY_MS})
  end
  return answer('full')
end
if rank >= wantedBy then redis.call('HDEL', breaker, 'wanted_until') end
redis.call('HSET', breaker, 'last', assistant)
keepFor(breaker, placeMs)
redis.call('ZADD', places, now + placeMs, ticket)
keepFor(places, placeMs)
if openUntil > 0 then
  redis.call('HSET', breaker, 'probe', ticket, 'probe_until', now + placeMs, 'repeats', question and 1 or 0)
end
return answer('entered', question)
`;

const REPORT = `${READ_BREAKER}
local ticket, admittedIn, result = ARGV[2], ARGV[3], ARGV[4]
local windowSeconds, minCalls, failureShare = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local openMs, keptMs = tonumber(ARGV[8]), tonumber(ARGV[9])
local mostAnswered, mostOfAssistant = tonumber(ARGV[10]), tonumber(ARGV[11])
local assistant, address, checkIn, question = ARGV[12], ARGV[13], ARGV[14], ARGV[15]

local function addAnswered()
  local known, ofAssistant = readAnswered(), 0
  for _, other in ipairs(known) do
    if string.sub(other, 1, #address) == address then return end
    if string.sub(other, 1, #assistant) == assistant then ofAssistant = ofAssistant + 1 end
  end
  if #known < mostAnswered and ofAssistant < mostOfAssistant then
    redis.call('RPUSH', answered, address .. checkIn .. '\\n' .. question)
  end
end

if question ~= '' then
  addAnswered()
  redis.call('PEXPIRE', answered, keptMs)
end

local function change(until_, probes, caller)
  generation, openUntil = tostring(tonumber(generation) + 1), until_
  redis.call('DEL', breaker)
  redis.call('HSET', breaker, 'generation', generation, 'open_until', until_, 'rests_until', now + openMs,
    'failed_probes', probes or 0, 'failed_caller', caller or '',
    'wanted_until', kept[7] or 0, 'wanted_by', kept[8] or 0, 'last', kept[9] or '')
  redis.call('PEXPIRE', breaker, keptMs)
end

local function mostlyFails(second)
  local calls, failures, gone = 0, 0, {}
  local fields = redis.call('HGETALL', breaker)
  for index = 1, #fields, 2 do
    local kind, at = string.match(fields[index], '^([cf])(%d+)$')
    if kind and tonumber(at) <= second - windowSeconds then gone[#gone + 1] = fields[index]
    elseif kind == 'c' then calls = calls + fields[index + 1]
    elseif kind == 'f' then failures = failures + fields[index + 1] end
  end
  if #gone > 0 then redis.call('HDEL', breaker, unpack(gone)) end
  return calls >= minCalls and failures >= calls * failureShare
end

-- Results of calls that were admitted before a change of state are ignored.
if admittedIn ~= generation or openUntil > now then return answer('') end
if openUntil > 0 then
  if probe ~= ticket then return answer('') end
  if result == 'abandoned' then redis.call('HDEL', breaker, 'probe', 'probe_until')
  elseif result == 'succeeded' then change(0)
  else
    local repeats = kept[5] == '1'
    if repeats then redis.call('LMOVE', answered, answered, 'LEFT', 'RIGHT') end
    change(now + openMs, failedProbes + 1, repeats and failedCaller or address)
  end
elseif result ~= 'abandoned' then
  local second = math.floor(now / 1000)
  local isFirst = redis.call('HINCRBY', breaker, 'c' .. second, 1) == 1
  if result == 'failed' then redis.call('HINCRBY', breaker, 'f' .. second, 1) end
  redis.call('PEXPIRE', breaker, keptMs)
  -- The first of a second also removes what has left the window.
  if (isFirst or result == 'failed') and mostlyFails(second) and result == 'failed' then
    if #readAnswered() == 0 then change(now + openMs) elseif now >= restsUntil then change(now) end
  end
end
return answer('')
`;

type Reply = readonly [
  kind: EnteredCall['kind'] | 'full' | 'awaits_probe' | 'refused',
  string,
  BreakerState,
  number,
  question?: string | null,
];

function createRedisOperators({
  redis,
  prefix,
  newTicket,
  time,
}: SharedScripts & { readonly prefix: string }): OpenSharedOperator {
  const admitCall = redis.script<Reply>({ keys: 3, lua: ADMIT });
  const reportResult = redis.script<Reply>({ keys: 3, lua: REPORT });
  const { windowSeconds, minCalls, failureShare, openMs } = BREAKER_RULE;

  return ({ brand, concurrency, reservesLast, maxPlaceMs, onBreaker }) => {
    const own = `${prefix}:operator:{${brand}}`;
    const keys = [`${own}:places`, `${own}:breaker`, `${own}:answered`] as const;

    async function report(
      names: readonly [assistant: string, address: string],
      ticket: string,
      generation: string,
      result: CallResult,
      answered?: QuoteRequest,
    ): Promise<void> {
      const rule = [windowSeconds, minCalls, failureShare, openMs, BREAKER_LIFE_MS];
      const most = [MAX_ANSWERED.inAll, MAX_ANSWERED.ofAssistant];
      const question = answered ? JSON.stringify({ ...answered, askedBy: undefined }) : '';
      const call = [ticket, generation, result, ...rule, ...most, ...names];
      const [, , state, forMs] = await reportResult(
        ...[...keys, time(), ...call, answered?.checkIn ?? '', question],
      );
      onBreaker(state, forMs);
    }

    return {
      async admit([assistant = '', address = '']) {
        const names = [`${assistant}\n`, `${assistant}\n${address}\n`] as const;
        const ticket = `${names[1]}${newTicket()}`;
        const rule = [concurrency, reservesLast ? 1 : 0, maxPlaceMs];
        const reply = await admitCall(...keys, time(), ...rule, ...names, ticket);
        const [kind, generation, state, forMs, question] = reply;
        onBreaker(state, forMs);
        if (kind !== 'entered') return { kind };
        return {
          kind,
          probe: question ? (JSON.parse(question) as QuoteRequest) : null,
          // While Redis is down the result is lost, and the place is free when its time is over.
          report: (...result) => report(names, ticket, generation, ...result).catch(() => undefined),
          leave: () => void redis.ask((client) => client.zrem(keys[0], ticket)).catch(() => undefined),
        };
      },
    };
  };
}
