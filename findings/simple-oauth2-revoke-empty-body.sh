#!/usr/bin/env bash
# simple-oauth2 5.1.0: revoke() rejects though the token was revoked.
#
# Behaviour: an answer 200 without a body makes revoke() reject ("not JSON compatible"). RFC 7009
# (section 2.2) asks for the status 200 only; "the content of the response body is ignored".
# Consequence: apps that wait for revoke() at a sign-out show an error, or keep the session, at each
# provider that sends no body; revokeAll() stops before the refresh token.
# Output: the server was asked 1 time, revoke rejects
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts simple-oauth2@5.1.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const { AuthorizationCode } = require('simple-oauth2');
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  request.resume().on('end', () => response.writeHead(200, { 'cache-control': 'no-store' }).end());
});
server.listen(0, '127.0.0.1', async () => {
  const client = new AuthorizationCode({
    client: { id: 'app', secret: 'secret' },
    auth: { tokenHost: `http://127.0.0.1:${server.address().port}`, revokePath: '/oauth2/revoke' },
  });
  const token = client.createToken({ access_token: 'a', refresh_token: 'b', expires_in: 60 });
  const outcome = await token.revoke('access_token').then(() => 'resolves', () => 'rejects');
  console.log(`the server was asked ${asked} time, revoke ${outcome}`);
  process.exit(asked === 1 && outcome === 'rejects' ? 0 : 1);
});
JS
timeout 60 node run.cjs
