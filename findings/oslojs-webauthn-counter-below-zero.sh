#!/usr/bin/env bash
# @oslojs/webauthn 1.0.0: a signature counter above 2,147,483,647 is a number below zero.
#
# Behaviour: the counter is unsigned, of 32 bits (WebAuthn section 6.1); the upper half of its range is
# parsed as negative. Client data with tokenBinding of the status "supported" do not parse, although
# an id is only there with "present" (WebAuthn Level 2, section 5.8.1).
# Consequence: a server that requires a growing counter takes the authenticator for a copy from that
# number on: a counter of the seconds since 1970 would get there in 2038. Browsers of the
# first editions of WebAuthn, which say "supported", cannot sign in.
# Output: counters and client data, as @oslojs/webauthn and @simplewebauthn/server 14.0.3 read them
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @oslojs/webauthn@1.0.0 @simplewebauthn/server@14.0.3 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { parseAuthenticatorData, parseClientDataJSON } from '@oslojs/webauthn';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';

const [rpId, origin, id] = ['shop.example', 'https://shop.example', 'AQID'];
const challenge = Buffer.alloc(32, 5).toString('base64url');
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x, y } = publicKey.export({ format: 'jwk' });
const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'));
const [before, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
const key = Buffer.concat([before, coordinates[0], between, coordinates[1]]);
const hash = (data) => createHash('sha256').update(data).digest();
const told = async (read) => {
  try {
    return await read();
  } catch ({ message }) {
    return message;
  }
};
async function lineOf(counter, more) {
  const data = Buffer.concat([hash(rpId), Buffer.from([5]), Buffer.alloc(4)]);
  data.writeUInt32BE(counter, 33);
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false, ...more }));
  const oslo = await told(() => {
    parseClientDataJSON(new Uint8Array(client));
    return parseAuthenticatorData(new Uint8Array(data)).signatureCounter;
  });
  const signature = sign('sha256', Buffer.concat([data, hash(client)]), privateKey).toString('base64url');
  const response = { clientDataJSON: client.toString('base64url'), authenticatorData: data.toString('base64url'), signature };
  const simple = await told(async () => {
    const result = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id, publicKey: new Uint8Array(key), counter: counter - 1 },
    });
    return result.verified && result.authenticationInfo.newCounter;
  });
  return `${counter}${more ? ', supported' : ''}: oslo ${oslo}; simplewebauthn ${simple}`;
}
const lines = [
  await lineOf(2_147_483_647),
  await lineOf(2_147_483_648),
  await lineOf(7, { tokenBinding: { status: 'supported' } }),
];
console.log(lines.join('\n'));
const expected = [
  '2147483647: oslo 2147483647; simplewebauthn 2147483647',
  '2147483648: oslo -2147483648; simplewebauthn 2147483648',
  "7, supported: oslo Failed to parse client data: Missing or invalid property 'tokenBinding.id'; simplewebauthn 7",
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
