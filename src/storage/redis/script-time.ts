/**
 * The beginning of a script that reads the time: Redis' own, so that no clock of a node decides, unless the first argument is a time
 * in milliseconds, which tests set.
 */
export const READ_TIME = `
local function timeNow()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local now = timeNow()

-- Others may need the key for longer.
local function keepFor(key, milliseconds)
  if redis.call('PTTL', key) < milliseconds then redis.call('PEXPIRE', key, math.ceil(milliseconds)) end
end
`;
