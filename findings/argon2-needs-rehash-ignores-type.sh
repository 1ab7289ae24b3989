#!/usr/bin/env bash
# argon2 0.44.0: needsRehash() sees neither another type nor another length of a hash.
#
# Behaviour: needsRehash(digest, options) compares version, memory, time and parallelism. `type` and
# `hashLength`, which the same options have for hash(), are passed over: a digest of argon2d or
# argon2i, or of 16 bytes, needs none for options with argon2id and 32 bytes.
# Consequence: passwords that were imported or made as argon2d or argon2i (RFC 9106 recommends argon2id)
# stay so at each sign-in, though the code says "if needsRehash, then hash again with the same options".
# Output: argon2d false, argon2i false, 16 bytes false, less memory true, same false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts argon2@0.44.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const argon2 = require('argon2');
const wanted = { type: argon2.argon2id, memoryCost: 8192, timeCost: 2, parallelism: 1, hashLength: 32 };
/** A digest as hash() returns it. */
const digestOf = ({ type, memoryCost, timeCost, parallelism, hashLength }) => {
  const [salt, hash] = [16, hashLength].map((length) => Buffer.alloc(length, 1).toString('base64').replace(/=+$/, ''));
  const name = ['argon2d', 'argon2i', 'argon2id'][type];
  return `$${name}$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`;
};
const OLD = {
  'argon2d': { type: argon2.argon2d },
  'argon2i': { type: argon2.argon2i },
  '16 bytes': { hashLength: 16 },
  'less memory': { memoryCost: 4096 },
  'same': {},
};
const found = Object.entries(OLD).map(
  ([name, old]) => `${name} ${argon2.needsRehash(digestOf({ ...wanted, ...old }), wanted)}`,
);
console.log(found.join(', '));
const line = 'argon2d false, argon2i false, 16 bytes false, less memory true, same false';
process.exit(found.join(', ') === line ? 0 : 1);
JS
timeout 60 node run.cjs
