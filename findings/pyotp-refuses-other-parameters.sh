#!/usr/bin/env bash
# pyotp 2.6.0 (Debian 12): an otpauth address with a parameter that it does not know is an error.
#
# Behaviour: parse_uri raises ValueError for any other parameter, for an algorithm in small letters, for two
# issuers that differ, and for a "+" in the issuer of the label, which it reads as a plus there and
# as a blank in the parameter. otpauth 9.5.2 (JavaScript) reads them all, and takes the parameter's issuer.
# Consequence: a program that takes over factors, by QR codes or an export of an authenticator app, loses
# the factors of some services, by their icon or lock; people then have no second factor there.
# Output: what each library reads
# Needs python3, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root python3-pyotp=2.6.0-3
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts otpauth@9.5.2 >/dev/null 2>&1
cat >addresses.json <<'JSON'
{
  "plain": "otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme",
  "icon": "otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme&icon=acme",
  "lock": "otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme&lock=true",
  "sha256": "otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme&algorithm=sha256",
  "two issuers": "otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme%20Ltd",
  "plus": "otpauth://totp/Acme+Ltd:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Acme+Ltd"
}
JSON
cat >run.py <<'PY'
import json

import pyotp


def read(address):
    try:
        totp = pyotp.parse_uri(address)
        return f'{totp.issuer} {totp.digest().name}'
    except ValueError as error:
        return str(error)


print(json.dumps({name: read(address) for name, address in json.load(open('addresses.json')).items()}))
PY
cat >run.cjs <<'JS'
const { execFileSync } = require('node:child_process');
const { URI } = require('otpauth');
const addresses = require('./addresses.json');
const env = { ...process.env, PYTHONPATH: 'usr/lib/python3/dist-packages' };
const python = JSON.parse(execFileSync('python3', ['run.py'], { env }));
const lines = Object.entries(addresses).map(([name, address]) => {
  const { issuer, algorithm } = URI.parse(address);
  return `${name}: otpauth ${issuer} ${algorithm.toLowerCase()}; pyotp ${python[name]}`;
});
console.log(lines.join('\n'));
const differ = 'If issuer is specified in both label and parameters, it should be equal.';
const expected = [
  'plain: otpauth Acme sha1; pyotp Acme sha1',
  'icon: otpauth Acme sha1; pyotp icon is not a valid parameter',
  'lock: otpauth Acme sha1; pyotp lock is not a valid parameter',
  'sha256: otpauth Acme sha256; pyotp Invalid value for algorithm, must be SHA1, SHA256 or SHA512',
  `two issuers: otpauth Acme Ltd sha1; pyotp ${differ}`,
  `plus: otpauth Acme+Ltd sha1; pyotp ${differ}`,
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.cjs
