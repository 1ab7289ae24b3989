#!/usr/bin/env bash
# @github/webauthn-json 2.1.1: options of a passkey that it does not know never reach the browser.
#
# Behaviour: create(), get() and the parse functions of its ponyfill copy the members of a fixed list.
# `hints` and `attestationFormats` (WebAuthn Level 3, sections 5.4 and 5.5) are not in it, nor are the
# extensions prf, largeBlob and credProtect (credentialProtectionPolicy): they are left out without an
# error. PublicKeyCredential.parseCreationOptionsFromJSON() of browsers, whose JSON is the same, has them.
# Consequence: the server asks for a security key by `hints`, or for a key by prf to decrypt with, and the
# browser is never told: it offers phones as before, and results.prf is missing as if the authenticator
# lacked it. Use the browser's own functions.
# Output: of the options that a server sends, what arrives
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @github/webauthn-json@2.1.1 >/dev/null 2>&1
cat >run.mjs <<'JS'
import * as webauthn from '@github/webauthn-json/browser-ponyfill';

const made = {
  rp: { id: 'shop.example', name: 'Shop' },
  user: { id: 'YWRh', name: 'ada', displayName: 'Ada' },
  challenge: 'YWRh',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  attestation: 'direct',
  attestationFormats: ['packed'],
  hints: ['security-key'],
  extensions: {
    credProps: true,
    prf: { eval: { first: 'YWRh' } },
    largeBlob: { support: 'required' },
    credentialProtectionPolicy: 'userVerificationRequired',
  },
};
const used = {
  rpId: 'shop.example',
  challenge: 'YWRh',
  userVerification: 'required',
  hints: ['client-device'],
  extensions: { appid: 'https://shop.example', prf: { eval: { first: 'YWRh' } }, largeBlob: { read: true } },
};
const names = ({ extensions, ...options }) => [...Object.keys(options), ...Object.keys(extensions)];
/** What a server sends, by whether it arrives. */
function sorted(sent, parsed) {
  const arrived = new Set(names(parsed.publicKey));
  const lost = names(sent).filter((name) => !arrived.has(name));
  return `arrive ${names(sent).filter((name) => arrived.has(name)).join(' ')}; lost ${lost.join(' ')}`;
}
const lines = [
  `registration: ${sorted(made, webauthn.parseCreationOptionsFromJSON({ publicKey: made }))}`,
  `sign-in: ${sorted(used, webauthn.parseRequestOptionsFromJSON({ publicKey: used }))}`,
];
console.log(lines.join('\n'));
const expected = [
  'registration: arrive rp user challenge pubKeyCredParams attestation credProps; ' +
    'lost attestationFormats hints prf largeBlob credentialProtectionPolicy',
  'sign-in: arrive rpId challenge userVerification appid; lost hints prf largeBlob',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
