#!/usr/bin/env bash
# @passwordless-id/webauthn 2.4.0, webauthn-p256 0.0.10: one valid ES256 signature in hundreds is refused.
#
# Behaviour: an authenticator signs in DER (WebAuthn section 6.5.5), where a number has no leading
# zero bytes: of 256 signatures, one has an r of less than 32 bytes, and one an s. Both libraries take
# r to be 32 bytes long at a fixed place, and @passwordless-id joins r and s without filling them up.
# Consequence: about one sign-in in 128 (webauthn-p256: 256) fails by "signature invalid", and works
# when the person tries again; no test with a few signatures sees it. ox 1.8.3 reads DER.
# Output: what each library makes of 40 signatures of each kind
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @passwordless-id/webauthn@2.4.0 \
  webauthn-p256@0.0.10 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { server } from '@passwordless-id/webauthn';
import * as p256 from 'webauthn-p256';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = publicKey.export({ type: 'spki', format: 'der' });
const hash = (data) => createHash('sha256').update(data).digest();
const challenge = hash('challenge');
const text = { type: 'webauthn.get', challenge: challenge.toString('base64url'), origin: 'https://shop.example' };
const clientDataJSON = Buffer.from(JSON.stringify(text));
// Relying party, flags (present, verified), counter.
const authenticatorData = Buffer.concat([hash('shop.example'), Buffer.from([5, 0, 0, 0, 0])]);
const signed = Buffer.concat([authenticatorData, hash(clientDataJSON)]);

/** Signs until the numbers are of these lengths; a leading zero in DER is the sign, and no digit. */
function signatureOf(isRShort, isSShort) {
  const isShort = (der, at) => der[at + 1] - (der[at + 2] === 0 ? 1 : 0) < 32;
  for (;;) {
    const der = sign('sha256', signed, privateKey);
    if (isShort(der, 2) === isRShort && isShort(der, 4 + der[3]) === isSShort) return der;
  }
}
const raw = await p256.cryptoKeyToBytes(
  await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']),
);
const checks = {
  node: async (signature) => verify('sha256', signed, publicKey, signature),
  '@passwordless-id/webauthn': (signature) =>
    server.verifySignature({
      algorithm: 'ES256',
      publicKey: spki.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      clientData: clientDataJSON.toString('base64url'),
      signature: signature.toString('base64url'),
    }),
  'webauthn-p256': async (signature) => {
    const response = { clientDataJSON, authenticatorData, signature };
    const digest = p256.bytesToHex(challenge);
    const answer = await p256.sign({ hash: digest, rpId: 'shop.example', getFn: async () => ({ response }) });
    return p256.verify({ hash: digest, publicKey: p256.bytesToHex(raw), ...answer });
  },
};
const kinds = { 'of full length': [false, false], 'with a short r': [true, false], 'with a short s': [false, true] };
const lines = [];
for (const [kind, lengths] of Object.entries(kinds)) {
  const signatures = Array.from({ length: 40 }, () => signatureOf(...lengths));
  for (const [name, check] of Object.entries(checks)) {
    let valid = 0;
    for (const signature of signatures) if (await check(signature).catch(() => false)) valid += 1;
    lines.push(`${kind}, ${name}: ${valid} of 40`);
  }
}
console.log(lines.join('\n'));
const expected = [
  ['of full length', 40, 40, 40],
  ['with a short r', 40, 0, 0],
  ['with a short s', 40, 0, 40],
].flatMap(([kind, ...counts]) => Object.keys(checks).map((name, n) => `${kind}, ${name}: ${counts[n]} of 40`));
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
