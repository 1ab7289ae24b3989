#!/usr/bin/env bash
# rate-limiter-flexible 11.4.0: a key that crosses its limit by penalty() or set() is not blocked.
#
# Behaviour: `blockDuration` begins only in the call of consume() that goes over the limit. If points
# of penalty() or set() went over it, consume() refuses until the window ends, and begins no block,
# however often it is called. penalty() up to the limit itself does not have this.
# Consequence: a login that takes penalty() for each wrong password, and consume() at its start, blocks
# for blockDuration or for the rest of the window, by which of them was the last one.
# Output: refused by consume() for 600 s; after 3 penalties 600 s, after 4 60 s, after set(4) 60 s
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rate-limiter-flexible@11.4.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { RateLimiterMemory } = require('rate-limiter-flexible');

/** Returns for how many seconds the key is refused after a use of the limiter. */
async function refusedAfter(use) {
  const limiter = new RateLimiterMemory({ points: 3, duration: 60, blockDuration: 600 });
  await use(limiter);
  const refusal = await limiter.consume('ada').then(() => undefined, (result) => result);
  return Math.round(refusal.msBeforeNext / 1_000);
}
const times = async (count, call) => {
  for (let index = 0; index < count; index += 1) await call();
};
(async () => {
  const found = {
    'consume()': await refusedAfter((limiter) => times(3, () => limiter.consume('ada'))),
    '3 penalties': await refusedAfter((limiter) => times(3, () => limiter.penalty('ada'))),
    '4 penalties': await refusedAfter((limiter) => times(4, () => limiter.penalty('ada'))),
    'set(4)': await refusedAfter((limiter) => limiter.set('ada', 4, 60)),
  };
  const line = Object.entries(found).map(([name, seconds]) => `${name} ${seconds} s`).join(', ');
  console.log(line);
  process.exit(line === 'consume() 600 s, 3 penalties 600 s, 4 penalties 60 s, set(4) 60 s' ? 0 : 1);
})();
JS
timeout 60 node run.cjs
