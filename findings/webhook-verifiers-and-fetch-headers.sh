#!/usr/bin/env bash
# standardwebhooks 1.1.1, svix 1.99.1: verify finds no header in a Headers object of fetch.
#
# Behaviour: verify reads the headers as properties. Given `request.headers` of a fetch handler
# (Hono, Next.js, Cloudflare, Deno, Bun), it throws "Missing required headers" for a delivery that
# is signed correctly; of an object in any spelling it finds them. A body that is signed correctly
# and is no JSON throws SyntaxError, and not WebhookVerificationError.
# Consequence: a receiver on fetch refuses every delivery, and a handler that answers 400 to
# WebhookVerificationError only answers 500 to a body of text, which the sender then repeats.
# Output: what verify does with each
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1 svix@1.99.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const standard = require('standardwebhooks');
const svix = require('svix');

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const tell = (call) => {
  try {
    return JSON.stringify(call());
  } catch ({ name, message }) {
    return name === 'Error' || message.startsWith('Missing') ? message : name;
  }
};
const lines = Object.entries({ standardwebhooks: standard, svix }).flatMap(([name, { Webhook }]) => {
  const webhook = new Webhook(secret);
  const time = new Date();
  const headersOf = (body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(time / 1_000)),
    'webhook-signature': webhook.sign('msg_1', time, body),
  });
  const spelled = Object.fromEntries(Object.entries(headersOf('{}')).map(([n, v]) => [n.toUpperCase(), v]));
  return [
    `${name}, an object: ${tell(() => webhook.verify('{}', headersOf('{}')))}`,
    `${name}, an object in capitals: ${tell(() => webhook.verify('{}', spelled))}`,
    `${name}, Headers: ${tell(() => webhook.verify('{}', new Headers(headersOf('{}'))))}`,
    `${name}, a body of text: ${tell(() => webhook.verify('pong', headersOf('pong')))}`,
  ];
});
console.log(lines.join('\n'));
const expected = ['standardwebhooks', 'svix'].flatMap((name) => [
  `${name}, an object: {}`,
  `${name}, an object in capitals: {}`,
  `${name}, Headers: Missing required headers`,
  `${name}, a body of text: SyntaxError`,
]);
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.cjs
