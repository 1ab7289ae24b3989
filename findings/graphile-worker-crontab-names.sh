#!/usr/bin/env bash
# graphile-worker 0.18.0: a task whose name has a dot can be queued, and not scheduled.
#
# Behaviour: the identifier of a task is any text, and dotted names ("mail.send") work in addJob and
# in the list of tasks. A line of a crontab takes letters, digits, "_", "-" and ":" only; a dot makes
# parseCrontab throw "Invalid command specification in line 1 of crontab."
# Consequence: one such line among others keeps the whole worker from starting, so that jobs that
# are not scheduled wait as well.
# Output: send_mail ok, send-mail ok, mail:send ok, mail.send throws
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts graphile-worker@0.18.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { parseCrontab } from 'graphile-worker';
const found = ['send_mail', 'send-mail', 'mail:send', 'mail.send'].map((name) => {
  try {
    return `${name} ${parseCrontab(`0 4 * * * ${name}`)[0].task === name ? 'ok' : 'changed'}`;
  } catch {
    return `${name} throws`;
  }
});
console.log(found.join(', '));
process.exit(found.join(', ') === 'send_mail ok, send-mail ok, mail:send ok, mail.send throws' ? 0 : 1);
JS
node run.mjs
