#!/usr/bin/env bash
# express-idempotency 1.0.6: a request that was answered without a body counts as in progress for good.
#
# Behaviour: the middleware stores an answer in response.send(). One that is sent by response.end(), as a 204
# often is, is not stored, but its key is: a repeat is refused as "A previous request is still in progress
# for this key." Of an answer that was stored, a repeat has status, type and body; Location and ETag are not
# repeated, and Express makes an ETag of the body in place of the first one.
# Consequence: a client whose connection broke, which the key is for, cannot learn that its request was
# carried out; one that follows Location after a 201 fails in the repeat only. Answer by send().
# Output: for each way to answer, the first answer and the repeat: status, Location and ETag
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts express-idempotency@1.0.6 express@5.1.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import express from 'express';
import idempotent from 'express-idempotency';

const { idempotency, getSharedIdempotencyService } = idempotent;
let carriedOut = 0;
const answer = (send) => (request, response) => {
  if (getSharedIdempotencyService().isHit(request)) return;
  carriedOut += 1;
  send(response);
};
const app = express();
app.use(idempotency());
app.post('/json', answer((response) => response.status(201).set({ Location: '/orders/1', ETag: '"v1"' }).json({ id: 1 })));
app.post('/end', answer((response) => response.status(204).end()));
app.post('/send', answer((response) => response.status(204).send()));
app.use((error, request, response, next) => {
  // Sends what the middleware says, without a stack.
  if (response.headersSent) return next(error);
  return response.end(error.message);
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
async function post(path) {
  const response = await fetch(origin + path, { method: 'POST', headers: { 'idempotency-key': path } });
  const text = await response.text();
  const headers = ['location', 'etag'].map((name) => response.headers.get(name) ?? `no ${name}`);
  return `${response.status} ${text.startsWith('A previous') ? text : headers.join(' ')}`;
}
const lines = [];
for (const path of ['/json', '/end', '/send']) lines.push(`${path}: ${await post(path)}; repeat ${await post(path)}`);
lines.push(`carried out: ${carriedOut}`);
console.log(lines.join('\n'));
server.close();
const expected = [
  '/json: 201 /orders/1 "v1"; repeat 201 no location W/"8-h5EdGu1QmHe4OkjsU292jNzSLfE"',
  '/end: 204 no location no etag; repeat 409 A previous request is still in progress for this key.',
  '/send: 204 no location no etag; repeat 204 no location no etag',
  'carried out: 3',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
