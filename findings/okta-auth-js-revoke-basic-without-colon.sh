#!/usr/bin/env bash
# @okta/okta-auth-js 8.0.1: a token is revoked with Basic credentials that have no colon.
#
# Behaviour: token.revoke() of a public client sends the header Authorization: Basic with the base64
# of the client id only. The credentials of Basic are user-id ":" password (RFC 7617 section 2), also
# with an empty password, so a server reads no client id from it. The form does not name the client.
# Consequence: at a provider that reads Basic as the RFC says, revoke() rejects with an error of the
# client's authentication, and signOut(), which revokes first, does not reach the logout.
# Output: Basic app, client_id in the form: no
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @okta/okta-auth-js@8.0.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const { OktaAuth } = require('@okta/okta-auth-js');
let line = 'nothing was sent';
const server = createServer((request, response) => {
  let form = '';
  request.on('data', (chunk) => (form += chunk));
  request.on('end', () => {
    const [scheme, sent] = (request.headers.authorization ?? 'none ').split(' ');
    const named = new URLSearchParams(form).has('client_id') ? 'yes' : 'no';
    line = `${scheme} ${Buffer.from(sent, 'base64')}, client_id in the form: ${named}`;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const revokeUrl = `${issuer}/revoke`;
  const client = new OktaAuth({ issuer, clientId: 'app', redirectUri: 'http://localhost/cb', revokeUrl });
  const token = { accessToken: 'a', tokenType: 'Bearer', scopes: ['openid'], expiresAt: 2_000_000_000 };
  await client.token.revoke({ ...token, authorizeUrl: issuer, userinfoUrl: issuer, claims: {} });
  console.log(line);
  process.exit(line === 'Basic app, client_id in the form: no' ? 0 : 1);
});
JS
timeout 60 node run.cjs
