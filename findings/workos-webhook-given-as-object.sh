#!/usr/bin/env bash
# @workos-inc/node 11.0.0: a webhook that is given as an object is verified over another text.
#
# Behaviour: constructEvent takes the payload as a text or as an object, and verifies an object over
# its JSON.stringify. The signature is over the bytes that were sent: where these have a letter as an
# escape, a number such as 1.0, a blank, or keys that are numbers in another order than JavaScript keeps,
# the text is another one, and a delivery that is signed correctly is refused. As a text it is accepted.
# Consequence: a receiver behind express.json() works, until a name or an attribute of a person is written so.
# Output: for each body, what constructEvent says of the text and of the object
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @workos-inc/node@11.0.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createHmac } from 'node:crypto';
import { WorkOS } from '@workos-inc/node';

const { webhooks } = new WorkOS('sk_test_x');
const told = async (payload, body) => {
  const time = Date.now();
  const signature = createHmac('sha256', 's').update(`${time}.${body}`).digest('hex');
  try {
    await webhooks.constructEvent({ payload, sigHeader: `t=${time}, v1=${signature}`, secret: 's' });
    return 'accepted';
  } catch ({ name }) {
    return name;
  }
};
const event = (data) => `{"id":"event_1","event":"user.updated","created_at":"2026-11-30T10:00:00.000Z","data":${data}}`;
const bodies = {
  plain: event('{"first_name":"Zoe"}'),
  escape: event('{"first_name":"Zo\\u00eb"}'),
  number: event('{"level":1.0}'),
  order: event('{"10":"b","9":"a"}'),
  blank: event('{"first_name": "Zoe"}'),
};
const lines = [];
for (const [name, body] of Object.entries(bodies))
  lines.push(`${name}: text ${await told(body, body)}, object ${await told(JSON.parse(body), body)}`);
console.log(lines.join('\n'));
const refused = 'text accepted, object SignatureVerificationException';
const wanted = ['plain: text accepted, object accepted'];
for (const name of ['escape', 'number', 'order', 'blank']) wanted.push(`${name}: ${refused}`);
process.exit(lines.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs
