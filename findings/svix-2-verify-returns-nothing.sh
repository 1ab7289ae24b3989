#!/usr/bin/env bash
# svix 2.5.0: verify returns nothing, where svix 1.99.1 returned the event.
#
# Behaviour: for the same delivery, Webhook.verify of release 1 returns the parsed body, and in
# release 2 it returns undefined; standardwebhooks 1.1.1, which it calls, returns the body as before. A
# body in a Uint8Array, as `await request.bytes()` of fetch gives it, is refused by all three, by an Error
# that is no WebhookVerificationError; stripe 23.1.0 takes one.
# Consequence: `const event = webhook.verify(…)` gives an event that is undefined after the upgrade, in
# JavaScript without a word; in a handler that answers 400 to WebhookVerificationError only, bytes are
# answered 500, which tells the sender to try again.
# Output: what verify gives for a text and for bytes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1 svix@2.5.0 \
  svix-1@npm:svix@1.99.1 stripe@23.1.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createHmac } from 'node:crypto';
import * as standard from 'standardwebhooks';
import Stripe from 'stripe';
import * as svix from 'svix';
import * as svix1 from 'svix-1';

const body = '{"type":"user.left"}';
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const tell = (call) => {
  try {
    return JSON.stringify(call());
  } catch ({ name, message }) {
    return `${name} ${message}`;
  }
};
const lines = [];
for (const [name, { Webhook }] of Object.entries({ standardwebhooks: standard, 'svix 1': svix1, 'svix 2': svix })) {
  const webhook = new Webhook(secret);
  const time = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(time / 1_000)),
    'webhook-signature': webhook.sign('msg_1', time, body),
  };
  lines.push(`${name}, a text: ${tell(() => webhook.verify(body, headers))}`);
  lines.push(`${name}, bytes: ${tell(() => webhook.verify(new TextEncoder().encode(body), headers))}`);
}
const seconds = Math.floor(Date.now() / 1_000);
const signature = createHmac('sha256', 's').update(`${seconds}.${body}`).digest('hex');
const { webhooks } = new Stripe('sk_test_x');
const bytes = new TextEncoder().encode(body);
lines.push(`stripe, bytes: ${tell(() => webhooks.constructEvent(bytes, `t=${seconds},v1=${signature}`, 's'))}`);
console.log(lines.join('\n'));
const refused = 'Error Expected payload to be of type string or Buffer.';
const wanted = [
  `standardwebhooks, a text: ${body}`,
  `standardwebhooks, bytes: ${refused}`,
  `svix 1, a text: ${body}`,
  `svix 1, bytes: ${refused}`,
  'svix 2, a text: undefined',
  `svix 2, bytes: ${refused}`,
  `stripe, bytes: ${body}`,
];
process.exit(lines.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs
