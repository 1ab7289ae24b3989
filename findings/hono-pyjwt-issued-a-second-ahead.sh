#!/usr/bin/env bash
# hono 4.13.19, PyJWT 2.6.0 (Debian 12): a token is refused while the issuer's clock is a second ahead.
#
# Behaviour: both refuse a token whose `iat` is later than their own clock, without a tolerance: hono by
# JwtTokenIssuedAt, PyJWT by ImmatureSignatureError. RFC 7519 (section 4.1.6) names no such check; `nbf`
# is the claim for it. jose 6.2.18 and jsonwebtoken 9.0.3 take the token. PyJWT has `leeway`; hono has
# none, and `iat: false` leaves the check out.
# Consequence: an API whose clock is a second behind answers 401 to each token in its first second, and
# 200 afterwards: to the first request after a sign-in or a refresh, which clients do not repeat.
# Output: what each library makes of a token that is issued now, in five seconds, and with the setting
# Needs python3, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root python3-jwt=2.6.0-1+deb12u1
dpkg -x python3-jwt*.deb .
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts hono@4.13.19 jose@6.2.18 jsonwebtoken@9.0.3 >/dev/null 2>&1
cat >check.py <<'PY'
import sys

import jwt

token, leeway = sys.argv[1], int(sys.argv[2])
try:
    jwt.decode(token, "k" * 32, algorithms=["HS256"], leeway=leeway)
    print("takes")
except jwt.InvalidTokenError as error:
    print(type(error).__name__)
PY
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { verify } from 'hono/jwt';
import { jwtVerify, SignJWT } from 'jose';
import jsonwebtoken from 'jsonwebtoken';

const secret = 'k'.repeat(32);
const key = Buffer.from(secret);
const now = Math.floor(Date.now() / 1_000);
/** Makes a token as an issuer does whose clock is ahead. */
const tokenOf = (ahead) =>
  new SignJWT({ sub: 'ada', iat: now + ahead, exp: now + ahead + 300 }).setProtectedHeader({ alg: 'HS256' }).sign(key);
const env = { PYTHONPATH: 'usr/lib/python3/dist-packages' };
const pyjwt = (leeway) => (token) => {
  const answer = execFileSync('python3', ['check.py', token, String(leeway)], { env: { ...process.env, ...env } }).toString();
  if (!answer.startsWith('takes')) throw Object.assign(new Error(), { name: answer.trim() });
};
const libraries = {
  hono: (token) => verify(token, secret, 'HS256'),
  'hono, iat: false': (token) => verify(token, secret, { alg: 'HS256', iat: false }),
  PyJWT: pyjwt(0),
  'PyJWT, leeway 60': pyjwt(60),
  jose: (token) => jwtVerify(token, key),
  jsonwebtoken: (token) => jsonwebtoken.verify(token, secret),
};
const lines = [];
for (const [name, check] of Object.entries(libraries)) {
  const told = async (ahead) => {
    const token = await tokenOf(ahead);
    return Promise.resolve().then(() => check(token)).then(() => 'takes', (error) => error.name);
  };
  lines.push(`${name}: ${await told(0)}, ${await told(5)}`);
}
console.log(lines.join('\n'));
const expected = [
  'hono: takes, JwtTokenIssuedAt',
  'hono, iat: false: takes, takes',
  'PyJWT: takes, ImmatureSignatureError',
  'PyJWT, leeway 60: takes, takes',
  'jose: takes, takes',
  'jsonwebtoken: takes, takes',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
