#!/usr/bin/env bash
# oauth4webapi 3.8.8: the error of a refused client is not read, if the answer is as required.
#
# Behaviour: a token endpoint that answers 401 to a client that authenticated by Basic must send
# WWW-Authenticate, and the error in the body (RFC 6749 section 5.2). The library throws a
# WWWAuthenticateChallengeError for the header, and does not read the body; without the header, which
# RFC 9110 section 15.5.2 does not permit, error and error_description are there.
# Consequence: openid-client and Auth.js, which are built on it, log "server responded with a
# challenge" for a wrong client secret, and not what the provider says.
# Output: with the header: undefined, undefined; without: invalid_client, The secret is wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oauth4webapi@3.8.8 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { processRefreshTokenResponse } from 'oauth4webapi';
const server = { issuer: 'https://login.example.com' };
const ask = async (challenge) => {
  const body = JSON.stringify({ error: 'invalid_client', error_description: 'The secret is wrong.' });
  const headers = { 'content-type': 'application/json', ...challenge };
  const answer = new Response(body, { status: 401, headers });
  const refused = await processRefreshTokenResponse(server, { client_id: 'app' }, answer).catch((error) => error);
  return `${refused.error}, ${refused.error_description}`;
};
const withHeader = await ask({ 'www-authenticate': 'Basic realm="login"' });
const line = `with the header: ${withHeader}; without: ${await ask({})}`;
console.log(line);
process.exit(line === 'with the header: undefined, undefined; without: invalid_client, The secret is wrong.' ? 0 : 1);
JS
timeout 60 node run.mjs
