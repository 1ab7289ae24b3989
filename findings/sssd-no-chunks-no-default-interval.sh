#!/usr/bin/env bash
# SSSD 2.8.2 (Debian 12): answers in chunks, or a code without an interval, end the sign-in to a machine.
#
# Behaviour: oidc_child reads what frames a response in chunks of HTTP/1.1 as part of the JSON: "end of
# file expected near '0'". A device authorization without `interval`, which is 5 seconds then (RFC 8628,
# section 3.2), ends at the first authorization_pending, in place of waiting. The code is asked about
# when it is drawn, before a person can have seen it, and slow_down adds 5 seconds as it should.
# Consequence: a provider that writes its JSON without a length, as response.end(text) of Node.js does,
# cannot sign people in to machines, though the same address works in a browser and with curl; one
# without an interval signs in only those who are done before the machine asks for the second time.
# Output: for each provider, what the two steps give, and how often the token endpoint was asked
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
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const tls = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') };
/** Signs a person in who approves before the machine asks for the third time. */
async function outcome({ chunked = false, interval = { interval: 1 } }) {
  let asked = 0;
  const answers = {
    '/device': () => ({ device_code: 'd', user_code: 'ABCD', verification_uri: origin, expires_in: 60, ...interval }),
    '/token': () => ((asked += 1) < 3 ? { error: 'authorization_pending' } : { access_token: 'a', token_type: 'bearer' }),
    '/userinfo': () => ({ sub: 'ada' }),
    '/keys': () => ({ keys: [] }),
  };
  const discovery = () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    device_authorization_endpoint: `${origin}/device`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/userinfo`,
    jwks_uri: `${origin}/keys`,
    scopes_supported: ['openid'],
  });
  const server = createServer(tls, (request, response) => {
    request.resume().on('end', () => {
      const answer = (answers[request.url] ?? discovery)();
      const text = JSON.stringify(answer);
      const length = chunked ? {} : { 'content-length': text.length };
      response.writeHead(answer.error ? 400 : 200, { 'content-type': 'application/json', ...length }).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${server.address().port}`;
  async function step(name, input) {
    const who = ['--issuer-url', origin, '--client-id', 'machine', '--ca-db', 'cert.pem', '--logger', 'stderr', '-d', '9'];
    const child = spawn(`${process.cwd()}/usr/libexec/sssd/oidc_child`, [name, ...who]);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (errors += data));
    child.stdin.end(input);
    const [status] = await once(child, 'close');
    return { status, output, reason: /end of file expected near '0'|Failed to get token/.exec(errors)?.[0] };
  }
  const begun = await step('--get-device-code', '');
  const ended = begun.status === 0 ? await step('--get-access-token', begun.output.split('\n')[0]) : begun;
  server.close();
  const told = ended.status === 0 ? `signs in ${ended.output}` : `${ended === begun ? 'no code' : 'a code, no person'} (${ended.reason})`;
  return `${told}, asked ${asked} times`;
}
const lines = [
  `with a length: ${await outcome({})}`,
  `in chunks: ${await outcome({ chunked: true })}`,
  `without interval: ${await outcome({ interval: {} })}`,
];
console.log(lines.join('\n'));
const expected = [
  'with a length: signs in ada, asked 3 times',
  "in chunks: no code (end of file expected near '0'), asked 0 times",
  'without interval: a code, no person (Failed to get token), asked 2 times',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
export LD_LIBRARY_PATH="$folder/usr/lib/x86_64-linux-gnu/sssd:$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu"
timeout 60 node run.mjs
