#!/usr/bin/env bash
# @node-oauth/oauth2-server 5.3.0, @modelcontextprotocol/sdk 1.32.2: credentials of Basic are not form-encoded.
#
# Behaviour: a client encodes its id and secret as a form does before it joins them (RFC 6749, section
# 2.3.1). The server hands its model the characters of the header, not decoded; the SDK, as a client,
# sends them as they are. openid-client 6.8.9 and simple-oauth2 5.1.0 encode.
# Consequence: a secret with "+", "/", "=" or "%", as base64 has them, is right with curl -u and the SDK
# and wrong with openid-client at this server; at a server by the standard, it is the other way round
# for "+" and "%". Ids with a colon (addresses) work with neither. Secrets of letters and digits hide it.
# Output: what each client sends for "p+q/r=%41", and what the server's model is asked for
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @node-oauth/oauth2-server@5.3.0 openid-client@6.8.9 \
  simple-oauth2@5.1.0 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createServer } from 'node:http';
import OAuth2Server from '@node-oauth/oauth2-server';
import * as openid from 'openid-client';
import { refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentials } from 'simple-oauth2';

const [client_id, secret] = ['depot', 'p+q/r=%41'];
let seen;
const model = {
  getClient: async (_, given) => {
    seen.model = given;
    return given === secret ? { id: client_id, grants: ['client_credentials', 'refresh_token'] } : null;
  },
  getUserFromClient: async () => ({ id: 1 }),
  getRefreshToken: async (refreshToken) => ({ refreshToken, client: { id: client_id }, user: { id: 1 } }),
  revokeToken: async () => true,
  validateScope: async (user, client, scope) => scope,
  saveToken: async (token, client, user) => ({ ...token, client, user }),
};
const oauth = new OAuth2Server({ model });
const server = createServer((request, answer) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', async () => {
    const { headers, method } = request;
    seen.header = Buffer.from(headers.authorization.slice(6), 'base64').toString();
    const response = new OAuth2Server.Response({});
    const asked = { headers, method, query: {}, body: Object.fromEntries(new URLSearchParams(body)) };
    await oauth.token(new OAuth2Server.Request(asked), response).catch(() => undefined);
    answer.writeHead(response.status, { ...response.headers, 'content-type': 'application/json' });
    answer.end(JSON.stringify(response.body));
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const metadata = { issuer, token_endpoint: `${issuer}/token`, token_endpoint_auth_methods_supported: ['client_secret_basic'] };
const clients = {
  'openid-client': () => {
    const config = new openid.Configuration(metadata, client_id, secret, openid.ClientSecretBasic(secret));
    openid.allowInsecureRequests(config);
    return openid.clientCredentialsGrant(config);
  },
  'simple-oauth2': () => {
    const config = { client: { id: client_id, secret }, auth: { tokenHost: issuer, tokenPath: '/token' } };
    return new ClientCredentials(config).getToken({});
  },
  '@modelcontextprotocol/sdk': () => {
    const clientInformation = { client_id, client_secret: secret };
    const more = { authorization_endpoint: `${issuer}/authorize`, response_types_supported: ['code'] };
    return refreshAuthorization(issuer, { metadata: { ...metadata, ...more }, clientInformation, refreshToken: 'r' });
  },
};
const lines = [];
for (const [name, ask] of Object.entries(clients)) {
  seen = {};
  const result = await ask().then(() => 'token', () => 'refused');
  lines.push(`${name}: sends ${seen.header}, model asked for ${seen.model}, ${result}`);
}
server.close();
console.log(lines.join('\n'));
const encoded = 'p%2Bq%2Fr%3D%2541';
const expected = [
  `openid-client: sends depot:${encoded}, model asked for ${encoded}, refused`,
  `simple-oauth2: sends depot:${encoded}, model asked for ${encoded}, refused`,
  `@modelcontextprotocol/sdk: sends depot:${secret}, model asked for ${secret}, token`,
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
