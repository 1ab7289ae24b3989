#!/usr/bin/env bash
# SSSD 2.8.2 (Debian 12): a machine asks for every scope that the provider announces.
#
# Behaviour: with an issuer, oidc_child does not send the scopes that it was told. It sends all of
# `scopes_supported` of the discovery document, or "user" where there are none, as they may be left
# out (OpenID Connect Discovery, section 3). With the addresses of the endpoints in place of the
# issuer, it sends what it was told. Secret and code are put into the form as they are, without its
# encoding: a "+" arrives as a blank.
# Consequence: people who sign in to a machine are asked to let it see address and telephone, or to act
# for them while they are away; a provider that knows no "user" answers invalid_scope. Allow the
# machine's client "openid" and the scope of the name only, and give it a secret without signs.
# Output: the scopes told and sent, and the secret that arrives
# Needs curl, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root sssd-idp=2.8.2-4+deb12u1 sssd-common=2.8.2-4+deb12u1 \
  libtalloc2=2.4.0-f2 libpopt0=1.19+dfsg-1 libjose0=11-2+deb12u1 libjansson4=2.14-2
for package in *.deb; do dpkg -x "$package" .; done
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=127.0.0.1 \
  -addext subjectAltName=IP:127.0.0.1 2>/dev/null
cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const tls = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') };
/** Returns the form that the program sends for a code of a device. */
async function formOf(announced, address) {
  const forms = [];
  const server = createServer(tls, (request, response) => {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      const discovery = { ...announced, issuer: origin };
      for (const name of ['authorization', 'device_authorization', 'token', 'userinfo'])
        discovery[`${name}_endpoint`] = `${origin}/${name}`;
      const code = { device_code: 'd', user_code: 'ABCD', verification_uri: origin, expires_in: 60, interval: 1 };
      if (request.url === '/device_authorization') forms.push(body);
      const answers = { '/device_authorization': code, '/token': { error: 'authorization_pending' } };
      const text = JSON.stringify(answers[request.url] ?? { ...discovery, jwks_uri: `${origin}/keys` });
      const headers = { 'content-type': 'application/json', 'content-length': text.length };
      response.writeHead(request.url === '/token' ? 400 : 200, headers).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${server.address().port}`;
  const endpoints = ['--device-auth-endpoint', `${origin}/device_authorization`, '--token-endpoint', `${origin}/token`];
  const where = address === 'issuer' ? ['--issuer-url', origin] : [...endpoints, '--userinfo-endpoint', `${origin}/userinfo`];
  const who = ['--client-id', 'machine', '--client-secret', 's+e', '--ca-db', 'cert.pem', '--scope', 'openid'];
  const words = ['--get-device-code', ...where, ...who, '--logger', 'stderr'];
  const child = spawn(`${process.cwd()}/usr/libexec/sssd/oidc_child`, words, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end();
  await once(child, 'close');
  server.close();
  return new URLSearchParams(forms[0]);
}
const all = ['openid', 'profile', 'email', 'phone', 'offline_access'];
const told = async (name, ...how) => {
  const form = await formOf(...how);
  return `${name}: told openid, sent ${form.get('scope')}; secret "${form.get('client_secret')}"`;
};
const lines = [
  await told('by the issuer', { scopes_supported: all }, 'issuer'),
  await told('by an issuer that announces none', {}, 'issuer'),
  await told('by the endpoints', {}, 'endpoints'),
];
console.log(lines.join('\n'));
const expected = [
  'by the issuer: told openid, sent openid profile email phone offline_access; secret "s e"',
  'by an issuer that announces none: told openid, sent user; secret "s e"',
  'by the endpoints: told openid, sent openid; secret "s e"',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
export LD_LIBRARY_PATH="$folder/usr/lib/x86_64-linux-gnu/sssd:$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu"
timeout 60 node run.mjs
