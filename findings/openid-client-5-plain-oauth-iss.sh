#!/usr/bin/env bash
# openid-client 5.7.0, also in NextAuth.js 4: a client that is set up by addresses refuses an answer with iss.
#
# Behaviour: oauthCallback(), for OAuth without OpenID, takes an Issuer of endpoints only. As soon as
# the answer of the provider has the parameter `iss` (RFC 9207), it throws "issuer must be configured
# on the issuer", and asks for no token. RFC 6749 (section 4.1.2) lets clients ignore parameters that
# they do not know. With an issuer, or without the parameter, it goes on.
# Consequence: a provider that begins to send `iss`, as OAuth 2.1 and FAPI 2.0 want it to, locks out
# apps that set `authorization` and `token` and no `issuer`, although nothing of theirs has changed.
# Output: for each set-up and answer, the token or the message
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openid-client@5.7.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const { Issuer } = require('openid-client');

const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer' }));
});
server.listen(0, '127.0.0.1', async () => {
  const at = `http://127.0.0.1:${server.address().port}`;
  const endpoints = { authorization_endpoint: `${at}/authorize`, token_endpoint: `${at}/token` };
  const lines = [];
  for (const [name, metadata] of Object.entries({ endpoints, 'with issuer': { issuer: at, ...endpoints } })) {
    const client = new (new Issuer(metadata).Client)({ client_id: 'app', client_secret: 'secret' });
    for (const answer of [{ code: 'c', state: 's' }, { code: 'c', state: 's', iss: at }]) {
      const checks = { state: 's', response_type: 'code' };
      const result = await client.oauthCallback('https://app.example/cb', answer, checks).then(
        ({ access_token: token }) => token,
        ({ message }) => message,
      );
      lines.push(`${name}, ${Object.keys(answer).join(' ')}: ${result}`);
    }
  }
  server.close();
  console.log(lines.join('\n'));
  const wanted = [
    'endpoints, code state: token',
    'endpoints, code state iss: issuer must be configured on the issuer',
    'with issuer, code state: token',
    'with issuer, code state iss: token',
  ];
  process.exit(lines.join() === wanted.join() ? 0 : 1);
});
JS
timeout 60 node run.cjs
