#!/usr/bin/env bash
# passport-fido2-webauthn 0.1.0: a passkey for the parent domain is refused, and so is one from an app of Android.
#
# Behaviour: the strategy takes the host name of the request for the RP ID, and has no option for another. A
# page at login.shop.example may make and use passkeys for shop.example (rp.id, WebAuthn section 5.1.2): they
# are "RP ID hash mismatch". The origin has to be the one of the request, so that "android:apk-key-hash:..." of
# an app, and another origin that the RP allows by /.well-known/webauthn (section 5.11), are "Origin mismatch".
# Consequence: a site cannot use one passkey at login. and at admin., and one that moves its sign-in to a
# subdomain locks out all passkeys that it has, though browsers offer them and people have used them.
# Output: by origin and RP ID, what a sign-in that is signed correctly is told
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts passport-fido2-webauthn@0.1.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createHash, generateKeyPairSync, sign } = require('node:crypto');
const { Strategy } = require('passport-fido2-webauthn');

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = publicKey.export({ type: 'spki', format: 'pem' });
const sha256 = (data) => createHash('sha256').update(data).digest();
const text = (data) => Buffer.from(data).toString('base64url');
const store = { challenge() {}, verify: (request, challenge, done) => done(null, true, {}) };

/** Signs in by a request to `host`. */
function outcome(host, origin, rpId) {
  const client = JSON.stringify({ type: 'webauthn.get', challenge: text('challenge'), origin });
  const data = Buffer.concat([sha256(rpId), Buffer.from([5, 0, 0, 0, 0])]);
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
  const response = {
    clientDataJSON: text(client),
    authenticatorData: text(data),
    signature: text(signature),
    userHandle: text('ada'),
  };
  return new Promise((resolve) => {
    const strategy = new Strategy({ store }, (id, handle, done) => done(null, { name: String(handle) }, pem), () => {});
    Object.assign(strategy, { success: ({ name }) => resolve(`signs in ${name}`), fail: ({ message }) => resolve(message), error: resolve });
    strategy.authenticate({ headers: { host }, connection: { encrypted: true }, body: { id: text('id'), response } });
  });
}
const CASES = [
  ['shop.example', 'https://shop.example', 'shop.example'],
  ['login.shop.example', 'https://login.shop.example', 'login.shop.example'],
  ['login.shop.example', 'https://login.shop.example', 'shop.example'],
  ['shop.example', 'android:apk-key-hash:c2hvcA', 'shop.example'],
  ['shop.example', 'https://shop.test', 'shop.example'],
];
async function main() {
  const lines = [];
  for (const [host, origin, rpId] of CASES) lines.push(`${origin}, ${rpId}: ${await outcome(host, origin, rpId)}`);
  console.log(lines.join('\n'));
  const expected = [
    'https://shop.example, shop.example: signs in ada',
    'https://login.shop.example, login.shop.example: signs in ada',
    'https://login.shop.example, shop.example: RP ID hash mismatch',
    'android:apk-key-hash:c2hvcA, shop.example: Origin mismatch',
    'https://shop.test, shop.example: Origin mismatch',
  ];
  process.exit(lines.join() === expected.join() ? 0 : 1);
}
main();
JS
timeout 60 node run.cjs
