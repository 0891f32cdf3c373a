-- What wrk sends: the same requests as request-text.ts. Arguments: kind, file of tokens, ordinal, then the bodies of steps.
local tokens, bodies = {}, {}
local kind, ordinal
local sent = 0
local json = { ["Content-Type"] = "application/json" }

function init(args)
  kind, ordinal = args[1], tonumber(args[3])
  for token in io.lines(args[2]) do tokens[#tokens + 1] = token end
  for position = 4, #args do bodies[#bodies + 1] = args[position] end
end

function request()
  local token = tokens[sent % #tokens + 1]
  local turn = math.floor(sent / #tokens) + ordinal
  sent = sent + 1
  if kind == "result" then
    return wrk.format("GET", "/ai/v1/result?session=" .. token)
  end
  if kind == "read" then
    return wrk.format("POST", "/ai/v1/search?session=" .. token, json, "{}")
  end
  local path = "/ai/v1/search?session=" .. token .. "&idempotency_key=bench-" .. ordinal .. "-" .. sent
  return wrk.format("POST", path, json, bodies[turn % #bodies + 1])
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"failures":%d,"p50Ms":%.3f,"p99Ms":%.3f,"loadMicroseconds":%.0f}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    os.clock() * 1e6
  ))
end
