#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2: a refresh that is answered with another error of OAuth than
# invalid_grant ends the way of the client to a token.
#
# Behaviour: auth() refreshes the token that it has. After invalid_grant it forgets the tokens and
# starts a new authorization; after invalid_target or invalid_scope it throws, and so does each
# later call: the refresh token stays, and the person is never asked again.
# Consequence: an authorization server that stops to allow an API to a client must answer the refresh
# with invalid_grant, although RFC 8707 has invalid_target for it.
# Output: invalid_grant REDIRECT, invalid_target InvalidTargetError, invalid_scope InvalidScopeError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';

const [issuer, serverUrl] = ['https://login.example', 'https://api.example/mcp'];
const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const fetchFnOf = (error) => async (url) => {
  const { href, pathname } = new URL(url);
  if (pathname.includes('oauth-protected-resource'))
    return json({ resource: serverUrl, authorization_servers: [issuer] });
  if (href === `${issuer}/token`) return json({ error }, 400);
  return json({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
};
const providerOf = () => {
  let tokens = { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', issuer };
  return {
    redirectUrl: 'https://agent.example/callback',
    clientMetadata: { redirect_uris: ['https://agent.example/callback'] },
    clientInformation: () => ({ client_id: 'agent', issuer }),
    saveClientInformation: () => undefined,
    tokens: () => tokens,
    saveTokens: (saved) => (tokens = saved),
    invalidateCredentials: () => (tokens = undefined),
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  };
};
const found = [];
for (const error of ['invalid_grant', 'invalid_target', 'invalid_scope']) {
  const end = await auth(providerOf(), { serverUrl, fetchFn: fetchFnOf(error) }).catch(
    (fault) => fault.constructor.name,
  );
  found.push(`${error} ${end}`);
}
console.log(found.join(', '));
const expected = 'invalid_grant REDIRECT, invalid_target InvalidTargetError, invalid_scope InvalidScopeError';
process.exit(found.join(', ') === expected ? 0 : 1);
JS
node run.mjs
