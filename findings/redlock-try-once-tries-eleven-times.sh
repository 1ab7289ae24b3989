#!/usr/bin/env bash
# redlock 4.2.0: lockWithOptions with retryCount 0 tries eleven times.
#
# Behaviour: the options of a call are read by `options.retryCount || this.retryCount`, and likewise
# retryDelay: 0 means the setting of the instance, which is 10 by default, with 200 ms between the
# tries. In the constructor, retryCount: 0 tries once. -1 works in both.
# Consequence: "only one replica runs the cleanup" by a lock that is tried once, and left to others if
# it is held: if the first one is done within two seconds, the next one gets it, and runs the job again.
# Output: with 0 in the call, at which try a lock is had that the holder releases; with 0 in the constructor
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts redlock@4.2.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const Redlock = require('redlock');

/** What redlock uses of a client; the lock is held by another one until a number of tries were made. */
function client(heldFor) {
  let tries = 0;
  const run = (script, args, callback) => {
    const locks = args.length === 4;
    if (locks) tries += 1;
    callback(null, locks && tries <= heldFor ? 0 : 1);
  };
  return { evalsha: run };
}
const outcome = (locked) => locked.then(({ attempts }) => `had at try ${attempts}`, ({ name }) => name);
(async () => {
  const perCall = (heldFor) => new Redlock([client(heldFor)]).lockWithOptions('cleanup', 60_000, { retryCount: 0 });
  const perInstance = () => new Redlock([client(1)], { retryCount: 0 }).lock('cleanup', 60_000);
  const found = [await outcome(perCall(1)), await outcome(perCall(10)), await outcome(perInstance())];
  const line = `in the call: ${found[0]}, ${found[1]}; in the constructor: ${found[2]}`;
  console.log(line);
  process.exit(line === 'in the call: had at try 2, had at try 11; in the constructor: LockError' ? 0 : 1);
})();
JS
timeout 60 node run.cjs
