#!/usr/bin/env bash
# @okta/okta-auth-js 8.0.1: the request for the discovery document is not a simple one.
#
# Behaviour: the library reads /.well-known/openid-configuration by GET, without a body, and sets
# the headers Content-Type: application/json and X-Okta-User-Agent-Extended. In a browser, either
# makes a request to another origin a preflighted one (Fetch, "CORS-safelisted request-header").
# Consequence: a provider that allows any origin to read its discovery document, but answers
# OPTIONS of that path with 404 or 405, works with other libraries and fails with this one.
# Output: GET /.well-known/openid-configuration content-type, x-okta-user-agent-extended
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @okta/okta-auth-js@8.0.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const { OktaAuth } = require('@okta/okta-auth-js');
const seen = [];
const server = createServer((request, response) => {
  const notable = Object.keys(request.headers).filter((name) => name === 'content-type' || name.startsWith('x-'));
  seen.push(`${request.method} ${request.url} ${notable.toSorted().join(', ')}`);
  const issuer = `http://127.0.0.1:${server.address().port}`;
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      code_challenge_methods_supported: ['S256'],
    }),
  );
});
server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const client = new OktaAuth({ issuer, clientId: 'app', redirectUri: 'http://localhost/callback' });
  await client.token.prepareTokenParams({});
  for (const line of seen) console.log(line);
  const wanted = 'GET /.well-known/openid-configuration content-type, x-okta-user-agent-extended';
  process.exit(seen.includes(wanted) ? 0 : 1);
});
JS
timeout 60 node run.cjs
