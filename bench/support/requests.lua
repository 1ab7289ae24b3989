-- Sends the requests of a file one after the other, from the first again after the last: six digits say how long each is.
local file
local asked = false
local paced = tonumber(os.getenv('PACE_MS') or '0')
local once = os.getenv('ONCE') ~= nil

function init(args)
  file = assert(io.open(args[1], 'rb'))
end

local function following()
  local size = file:read(6)
  if size == nil then
    if once then
      wrk.thread:stop() -- what follows in this turn of the loop is sent, its response is not counted
      io.stderr:write('all sent\n') -- whoever reads it interrupts us; wrk by itself ends by the clock alone
    end
    file:seek('set')
    size = file:read(6)
  end
  return file:read(tonumber(size))
end

function request()
  local text = following()
  if not asked then -- wrk looks at the first and does not send it
    asked = true
    file:seek('set')
  end
  return text
end

if paced > 0 then
  function delay()
    return paced
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"p50":%d,"p95":%d,"p99":%d,"errors":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
