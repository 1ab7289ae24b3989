#!/usr/bin/env bash
# Pass::OTP 1.5 for Perl (Debian 12): for SHA256 and SHA512 it makes the code of another algorithm.
#
# Behaviour: otp(parse($uri)) looks for "sha" in small letters. The addresses of the format have SHA256 and
# SHA512 in capitals, for which it counts by SHA-1, without an error. With "sha512" the code is wrong too, as its
# HMAC has blocks of 64 bytes in place of 128 (RFC 2104). Each issuer that begins with "Steam" has five letters for a
# code. SHA1, sha256, and other periods and digits are right.
# Consequence: a program that takes over factors from an address, as of a QR code, reports success and shows a code
# that the service refuses; people notice at their next sign-in, when the old authenticator may be gone.
# Output: for each address, the code at one moment by otpauth 9.5.2 (JavaScript) and by Pass::OTP
# Needs perl, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root libpass-otp-perl=1.5-2 libconvert-base32-perl=0.06-3 \
  libdigest-hmac-perl=1.04+dfsg-2
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts otpauth@9.5.2 >/dev/null 2>&1
cat >run.pl <<'PL'
use strict;
use warnings;
use Pass::OTP qw(otp);
use Pass::OTP::URI qw(parse);

while (my $address = <STDIN>) {
    chomp $address;
    print otp(parse($address), now => 1_700_000_000), "\n";
}
PL
cat >run.cjs <<'JS'
const { execFileSync } = require('node:child_process');
const { URI } = require('otpauth');

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CASES = ['', '&algorithm=SHA1', '&algorithm=SHA256', '&algorithm=SHA512', '&algorithm=sha256', '&algorithm=sha512'];
CASES.push('&digits=8', '&period=60', '&issuer=Steamboat');
const addresses = CASES.map((words) => `otpauth://totp/ada?secret=${SECRET}${words}`);
const options = { input: `${addresses.join('\n')}\n`, env: { ...process.env, PERL5LIB: 'usr/share/perl5' } };
const codes = execFileSync('perl', ['run.pl'], options).toString().trim().split('\n');
const lines = addresses.map((address, index) => {
  const code = URI.parse(address).generate({ timestamp: 1_700_000_000_000 });
  const same = code === codes[index] ? 'the same' : codes[index];
  return `${CASES[index].slice(1) || 'nothing more'}: ${code}, ${same}`;
});
console.log(lines.join('\n'));
const expected = [
  'nothing more: 921300, the same',
  'algorithm=SHA1: 921300, the same',
  'algorithm=SHA256: 869966, 921300',
  'algorithm=SHA512: 550644, 921300',
  'algorithm=sha256: 869966, the same',
  'algorithm=sha512: 550644, 943198',
  'digits=8: 81921300, the same',
  'period=60: 895298, the same',
  'issuer=Steamboat: 921300, R87JJ',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.cjs
