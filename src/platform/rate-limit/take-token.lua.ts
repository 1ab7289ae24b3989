/**
 * One token of a bucket, taken atomically by the clock of Redis itself. The key goes by itself when the bucket is full again.
 * KEYS: the bucket. ARGV: the interval between two tokens and the period, in microseconds.
 * Answers: whether there was a token, how far ahead the bucket now is, and now, in microseconds.
 */
export const TAKE_TOKEN = `
local interval, period = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local known = tonumber(redis.call('GET', KEYS[1])) or now
local arrival = math.min(math.max(known, now), now + period)
local allowed = arrival + interval - now <= period
if allowed then
  arrival = arrival + interval
end
if allowed or arrival < known then
  redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000))
end
return { allowed and 1 or 0, arrival - now, now }
`;
