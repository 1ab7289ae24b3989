#!/usr/bin/env bash
# otplib 13.5.0: verify throws for a code as people type it, and for secrets of its release 12.
#
# Behaviour: verifySync of a code with a space ("123 456", as apps show it) throws TokenLengthError
# where release 12 returned false; a secret of 10 bytes, which release 12 and many apps made
# (authenticator.generateSecret() has 16 characters), throws SecretTooShortError, also in generate.
# The step before, which release 12 could accept by window, is refused by default.
# Consequence: after the upgrade a typing error is an error 500, and people who enrolled before
# cannot sign in any more.
# Output: what each call does
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts otplib@13.5.0 old@npm:otplib@12.0.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { authenticator } = require('old');
const { generateSecret, generateSync, verifySync } = require('otplib');

const tell = (call) => {
  try {
    return String(call());
  } catch ({ name }) {
    return name;
  }
};
const [before, now] = [authenticator.generateSecret(), generateSecret()];
const typed = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;
const epoch = Math.floor(Date.now() / 1_000);
const lines = [
  `12, a code with a space: ${tell(() => authenticator.check(typed(authenticator.generate(before)), before))}`,
  `13, a code with a space: ${tell(() => verifySync({ secret: now, token: typed(generateSync({ secret: now })) }).valid)}`,
  `13, a secret of 12: ${tell(() => verifySync({ secret: before, token: authenticator.generate(before) }).valid)}`,
  `13, the step before: ${tell(() => verifySync({ secret: now, token: generateSync({ secret: now, epoch: epoch - 30 }) }).valid)}`,
];
console.log(lines.join('\n'));
const expected = [
  '12, a code with a space: false',
  '13, a code with a space: TokenLengthError',
  '13, a secret of 12: SecretTooShortError',
  '13, the step before: false',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.cjs
