#!/usr/bin/env bash
# @simplewebauthn/server 14.0.3: what the options ask for by default, the checks refuse by default.
#
# Behaviour: generateRegistrationOptions() and generateAuthenticationOptions() ask for user
# verification "preferred", which an authenticator without PIN or fingerprint may leave out (WebAuthn
# section 5.8.6). verifyRegistrationResponse() throws for such an answer, as requireUserVerification
# is true unless it is set.
# Consequence: a security key that is only touched has made the credential, and fills one of its
# places, when the site refuses it; developers, whose laptops verify them, do not see it. Set both
# sides: userVerification "required", or requireUserVerification false.
# Output: the options, and what the check makes of the answer by default and with the option
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @simplewebauthn/server@14.0.3 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import * as webauthn from '@simplewebauthn/server';

const rpID = 'shop.example';
const options = await webauthn.generateRegistrationOptions({ rpName: 'Shop', rpID, userName: 'ada' });
const signIn = await webauthn.generateAuthenticationOptions({ rpID });

// The answer of a security key that was touched.
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });
const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
const x = Buffer.from(jwk.x, 'base64url');
const y = Buffer.from(jwk.y, 'base64url');
const key = bytes('a5010203262001215820', x, '225820', y);
const id = randomBytes(16);
const touched = '41'; // user present, with a credential
const hash = createHash('sha256').update(rpID).digest();
const data = bytes(hash, touched, '00000000', Buffer.alloc(16), '0010', id, key);
const attestationObject = bytes('a363', Buffer.from('fmt'), '64', Buffer.from('none'), '67', Buffer.from('attStmt'), 'a0', '68', Buffer.from('authData'), '58', Buffer.from([data.length]), data);
const client = { type: 'webauthn.create', challenge: options.challenge, origin: 'https://shop.example' };
const response = {
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
    attestationObject: attestationObject.toString('base64url'),
  },
};
const check = (more) =>
  webauthn
    .verifyRegistrationResponse({
      response,
      expectedChallenge: options.challenge,
      expectedOrigin: client.origin,
      expectedRPID: rpID,
      ...more,
    })
    .then(({ verified }) => `verified: ${verified}`, ({ message }) => message);
const lines = [
  `options: ${options.authenticatorSelection.userVerification}, ${signIn.userVerification}`,
  `check by default: ${await check({})}`,
  `check with requireUserVerification false: ${await check({ requireUserVerification: false })}`,
];
console.log(lines.join('\n'));
const expected = [
  'options: preferred, preferred',
  'check by default: User verification was required, but user could not be verified',
  'check with requireUserVerification false: verified: true',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
