#!/usr/bin/env bash
# fido2-lib 3.5.9: it asks for Ed25519 keys where it is told to, and cannot read one.
#
# Behaviour: cryptoParams may be any list of algorithms. With -8 (EdDSA), attestationOptions() asks
# browsers for it, and first if it is first; attestationResult() of the key that was made throws
# "passed algorithm can not be converted to 'Algorithm'" on a Node whose Web Crypto knows Ed25519.
# Consequence: a security key that knows Ed25519 makes a credential that the site refuses, and keeps it
# for nothing; authenticators without it choose ES256, the next of the list, and work.
# @simplewebauthn/server 14.0.3, whose default has -8 first, reads the same answer.
# Output: the algorithms that are asked for, and what each library makes of a key of each
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fido2-lib@3.5.9 @simplewebauthn/server@14.0.3 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { Fido2Lib } from 'fido2-lib';

const [rpId, origin] = ['shop.example', 'https://shop.example'];
const challenge = randomBytes(32).toString('base64url');
const id = randomBytes(16);
const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
const named = (text) => bytes(Buffer.from([0x60 + text.length]), Buffer.from(text));
const jwkOf = (...type) => generateKeyPairSync(...type).publicKey.export({ format: 'jwk' });
const [es256, ed25519] = [jwkOf('ec', { namedCurve: 'P-256' }), jwkOf('ed25519')];
const coordinate = (text) => Buffer.from(text, 'base64url');
// Keys by COSE: kty, alg, crv, x, y.
const keys = {
  ES256: bytes('a5010203262001215820', coordinate(es256.x), '225820', coordinate(es256.y)),
  Ed25519: bytes('a4010103272006215820', coordinate(ed25519.x)),
};
/** The answer of an authenticator that has verified the person, without attestation. */
function answerOf(key) {
  const data = bytes(createHash('sha256').update(rpId).digest(), '45', '00000000', Buffer.alloc(16), '0010', id, key);
  const attestation = bytes('a3', named('fmt'), named('none'), named('attStmt'), 'a0', named('authData'), '58', Buffer.from([data.length]), data);
  return { attestation, client: Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin })) };
}
const outcome = (promise) => promise.then(() => 'accepted', ({ message }) => message);
const buffer = (data) => new Uint8Array(data).buffer;
const fido2 = new Fido2Lib({ rpId, cryptoParams: [-8, -7] });
const checks = {
  'fido2-lib': ({ attestation, client }) =>
    fido2.attestationResult(
      { id: buffer(id), rawId: buffer(id), response: { clientDataJSON: buffer(client), attestationObject: buffer(attestation) } },
      { challenge, origin, rpId, factor: 'either' },
    ),
  '@simplewebauthn/server': ({ attestation, client }) => {
    const text = id.toString('base64url');
    const response = { clientDataJSON: client.toString('base64url'), attestationObject: attestation.toString('base64url') };
    return verifyRegistrationResponse({
      response: { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
    });
  },
};
const { pubKeyCredParams } = await fido2.attestationOptions();
const lines = [`asked for: ${pubKeyCredParams.map(({ alg }) => alg)}`];
for (const [name, check] of Object.entries(checks))
  for (const [kind, key] of Object.entries(keys)) lines.push(`${name}, ${kind}: ${await outcome(check(answerOf(key)))}`);
console.log(lines.join('\n'));
const expected = [
  'asked for: -8,-7',
  'fido2-lib, ES256: accepted',
  /^fido2-lib, Ed25519: .*can not be converted to 'Algorithm'/,
  '@simplewebauthn/server, ES256: accepted',
  '@simplewebauthn/server, Ed25519: accepted',
];
process.exit(expected.every((line, n) => (line.test ? line.test(lines[n]) : line === lines[n])) ? 0 : 1);
JS
timeout 60 node run.mjs
