#!/usr/bin/env bash
# jose 6.2.18, fast-jwt 6.3.6: "EdDSA" and "Ed25519" name one algorithm, and do not match.
#
# Behaviour: RFC 9864 deprecates "EdDSA" for "Ed25519". createLocalJWKSet and createRemoteJWKSet of
# jose compare the names as texts: a key with alg "Ed25519" verifies no token with alg "EdDSA", and
# the other way round, with "no applicable key found". fast-jwt refuses "Ed25519" in any case.
# Consequence: an issuer that renames the alg of its published key, or of its tokens, locks out the
# other half of its verifiers. A key without alg verifies both in jose.
# Output: a line for each name in the key set and in the token, with what each library says
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts jose@6.2.18 fast-jwt@6.3.6 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { generateKeyPairSync } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' });
const pem = publicKey.export({ type: 'spki', format: 'pem' });
const lines = [];
for (const named of ['EdDSA', 'Ed25519', undefined])
  for (const alg of ['EdDSA', 'Ed25519']) {
    const token = await new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg, kid: 'k' }).sign(privateKey);
    const keys = createLocalJWKSet({ keys: [{ ...jwk, kid: 'k', ...(named && { alg: named }) }] });
    const jose = await jwtVerify(token, keys).then(
      () => 'accepts',
      ({ code }) => code,
    );
    let fast = 'accepts';
    try {
      createVerifier({ key: pem })(token);
    } catch ({ code }) {
      fast = code;
    }
    lines.push(`key ${named ?? 'without alg'}, token ${alg}: jose ${jose}, fast-jwt ${fast}`);
  }
console.log(lines.join('\n'));
const [NONE, INVALID] = ['ERR_JWKS_NO_MATCHING_KEY', 'FAST_JWT_INVALID_ALGORITHM'];
const expected = [
  `key EdDSA, token EdDSA: jose accepts, fast-jwt accepts`,
  `key EdDSA, token Ed25519: jose ${NONE}, fast-jwt ${INVALID}`,
  `key Ed25519, token EdDSA: jose ${NONE}, fast-jwt accepts`,
  `key Ed25519, token Ed25519: jose accepts, fast-jwt ${INVALID}`,
  `key without alg, token EdDSA: jose accepts, fast-jwt accepts`,
  `key without alg, token Ed25519: jose accepts, fast-jwt ${INVALID}`,
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
