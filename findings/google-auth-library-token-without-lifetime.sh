#!/usr/bin/env bash
# google-auth-library 11.3.4: a token that was exchanged without expires_in is kept without an end.
#
# Behaviour: IdentityPoolClient (external_account) exchanges the token of a workload (RFC 8693). If the
# answer has no expires_in, which is only recommended (section 2.2.1), expiry_date is undefined and
# each call gets the same token again. If it is 300 seconds or less, each call makes an exchange, since
# a token counts as ended five minutes early. The client_id is never in the form: without a secret it is
# sent by Basic, with an empty password.
# Consequence: with an issuer that leaves expires_in out, a process fails from the end of the first token
# until its restart; with tokens of five minutes, a busy process meets the limit of the token endpoint.
# Output: exchanges for three calls by expires_in, and how the client is named
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts google-auth-library@11.3.4 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { IdentityPoolClient } from 'google-auth-library';

writeFileSync('token', 'token-of-the-workload');
let lifetime, exchanges, named;
const issuer = createServer((request, response) => {
  let form = '';
  request.on('data', (data) => (form += data));
  request.on('end', () => {
    exchanges++;
    const basic = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64');
    named = `form ${new URLSearchParams(form).get('client_id')}, Basic ${basic}`;
    const token = { access_token: `t${exchanges}`, token_type: 'Bearer', expires_in: lifetime };
    const type = 'urn:ietf:params:oauth:token-type:access_token';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...token, issued_token_type: type }));
  });
}).listen(0, '127.0.0.1');
await once(issuer, 'listening');
const lines = [];
for (lifetime of [3600, 300, undefined]) {
  exchanges = 0;
  const client = new IdentityPoolClient({
    type: 'external_account',
    audience: 'https://api.example.com',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://127.0.0.1:${issuer.address().port}/token`,
    credential_source: { file: 'token' },
    client_id: 'workload',
  });
  const tokens = [];
  for (let call = 0; call < 3; call++) tokens.push((await client.getAccessToken()).token);
  const end = client.credentials.expiry_date === undefined ? 'no end' : 'an end';
  lines.push(`expires_in ${lifetime}: ${tokens.join(' ')}, ${end}; ${named}`);
}
console.log(lines.join('\n'));
const expected = [
  'expires_in 3600: t1 t1 t1, an end; form null, Basic workload:',
  'expires_in 300: t1 t2 t3, an end; form null, Basic workload:',
  'expires_in undefined: t1 t1 t1, no end; form null, Basic workload:',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
