#!/usr/bin/env bash
# jsrsasign 11.1.5, Crypt::JWT 0.034 (Debian 12): a token for two APIs is refused by each of them.
#
# Behaviour: "aud" can be an array, of which the receiver has to be one (RFC 7519, section 4.1.3).
# jsrsasign requires that all audiences of the token are among the accepted ones; Crypt::JWT compares a
# text with the array itself, and calls a function with the array. jose 6.2.18 and fast-jwt 6.3.6 accept it.
# Consequence: tokens work until the issuer adds a second audience, for another API or for UserInfo, and
# then the first API refuses all of them. With Crypt::JWT, give verify_aud a function that reads both.
# Output: for each audience of the token, what an API named "app" says
# Needs perl, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root libcrypt-jwt-perl=0.034-1 libcryptx-perl=0.077-1+b1 libjson-perl=4.10000-1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts jsrsasign@11.1.5 jose@6.2.18 fast-jwt@6.3.6 >/dev/null 2>&1
cat >check.pl <<'PL'
use Crypt::JWT 'decode_jwt';
my ($token) = @ARGV;
my %options = (token => $token, key => 'k' x 32, accepted_alg => 'HS256');
my $either = sub { my ($aud) = @_; grep { $_ eq 'app' } ref $aud ? @$aud : ($aud) };
for my $wanted ('app', $either) {
  print eval { decode_jwt(%options, verify_aud => $wanted) } ? "accepted\n" : "refused\n";
}
PL
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import { jwtVerify } from 'jose';
import rs from 'jsrsasign';

const secret = 'k'.repeat(32);
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const said = (run) => Promise.resolve().then(run).then((is) => (is ? 'accepted' : 'refused'), () => 'refused');
const perl = ['-Iusr/share/perl5', '-Iusr/lib/x86_64-linux-gnu/perl5/5.36', 'check.pl'];
const lines = [];
for (const aud of ['app', ['app'], ['app', 'other'], ['other']]) {
  const now = Math.floor(Date.now() / 1_000);
  const text = `${part({ alg: 'HS256' })}.${part({ sub: 'ada', aud, iat: now, exp: now + 600 })}`;
  const token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  const [asText, asFunction] = execFileSync('perl', [...perl, token]).toString().split('\n');
  const jsrsasign = () => rs.KJUR.jws.JWS.verifyJWT(token, { utf8: secret }, { alg: ['HS256'], aud: ['app'] });
  const outcomes = {
    jose: await said(() => jwtVerify(token, Buffer.from(secret), { audience: 'app' })),
    'fast-jwt': await said(() => createVerifier({ key: secret, allowedAud: 'app' })(token)),
    jsrsasign: await said(jsrsasign),
    'Crypt::JWT': asText,
    'by a function': asFunction,
  };
  lines.push(`${JSON.stringify(aud)}: ${Object.entries(outcomes).map((pair) => pair.join(' ')).join(', ')}`);
}
console.log(lines.join('\n'));
const row = (aud, jsrsasign, crypt, other = 'accepted') =>
  `${aud}: jose ${other}, fast-jwt ${other}, jsrsasign ${jsrsasign}, Crypt::JWT ${crypt}, by a function ${other}`;
const expected = [
  row('"app"', 'accepted', 'accepted'),
  row('["app"]', 'accepted', 'refused'),
  row('["app","other"]', 'refused', 'refused'),
  row('["other"]', 'refused', 'refused', 'refused'),
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
