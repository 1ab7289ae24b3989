/**
 * Takes a token of a bucket atomically, by the clock of Redis. The key expires when the bucket is
 * full. KEYS: the bucket. ARGV: interval between two tokens and period, in microseconds.
 * Returns 1 if a token was taken, else 0; the arrival time relative to now; and now: both in
 * microseconds.
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
