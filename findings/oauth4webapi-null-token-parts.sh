#!/usr/bin/env bash
# oauth4webapi 3.8.8: a null among the optional parts of a token response is an error; a number as a
# text is not.
#
# Behaviour: {"access_token","token_type"} with "refresh_token": null (or "scope", "expires_in",
# "id_token") is refused by an OperationProcessingError, where leaving the part out is accepted.
# "expires_in": "300", which RFC 6749 (section 5.1, appendix A.14) does not allow either, becomes 300.
# Consequence: a provider that serializes absent parts as null works with clients that skip null, and with none
# that is built on oauth4webapi (openid-client 6, Auth.js), whatever scopes are asked for.
# Output: left out ok, refresh_token null throws, scope null throws, expires_in null throws,
#   id_token null throws, expires_in "300" 300
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oauth4webapi@3.8.8 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { processClientCredentialsResponse } from 'oauth4webapi';
const CASES = {
  'left out': {},
  'refresh_token null': { refresh_token: null },
  'scope null': { scope: null },
  'expires_in null': { expires_in: null },
  'id_token null': { id_token: null },
  'expires_in "300"': { expires_in: '300' },
};
const found = [];
for (const [name, parts] of Object.entries(CASES)) {
  const body = JSON.stringify({ access_token: 't', token_type: 'Bearer', ...parts });
  const response = new Response(body, { headers: { 'content-type': 'application/json' } });
  const read = processClientCredentialsResponse({ issuer: 'https://idp.example' }, { client_id: 'a' }, response);
  found.push(`${name} ${await read.then(({ expires_in: seconds = 'ok' }) => seconds, () => 'throws')}`);
}
console.log(found.join(', '));
const wanted =
  'left out ok, refresh_token null throws, scope null throws, expires_in null throws, id_token null throws, expires_in "300" 300';
process.exit(found.join(', ') === wanted ? 0 : 1);
JS
node run.mjs
