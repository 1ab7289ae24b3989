#!/usr/bin/env bash
# go-jose 2.6.0, python-jose 3.3.0, Authlib 1.2.0, jwcrypto 1.1.0 (Debian 12), node-jose 2.2.0: one ML-DSA key in
# a key set makes all its keys unusable.
#
# Behaviour: keys whose "kty" is not understood should be ignored (RFC 7517, section 5). With one of the
# type AKP, as ML-DSA has, next to the RSA key of the token, these refuse the set, or the token;
# python-jose only if the new key comes first. PyJWT 2.6.0, ruby-jwt 2.5.0, Crypt::JWT 0.034, jose 6.2.18,
# jwks-rsa 4.1.0 and aws-jwt-verify 5.2.1 pass over it.
# Consequence: a provider that publishes a key against quantum computers, before it signs anything with it,
# signs out the people of all apps on these libraries.
# Output: what each makes of a token by RS256, for the set with the key after and before its own
# Needs go, python3 with cryptography and ecdsa, perl, ruby, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root golang-gopkg-square-go-jose.v2-dev=2.6.0-2 \
  golang-golang-x-crypto-dev=1:0.4.0-1 python3-jose=3.3.0+dfsg-4 python3-authlib=1.2.0-1+deb12u2 \
  python3-jwcrypto=1.1.0-1+deb12u1 python3-jwt=2.6.0-1+deb12u1 python3-deprecated=1.2.13-3 python3-wrapt=1.14.1-2+b2 \
  python3-ecdsa=0.18.0-3 python3-rsa=4.8-1 python3-pyasn1=0.4.8-3+deb12u3 python3-six=1.16.0-4 \
  libcrypt-jwt-perl=0.034-1 libcryptx-perl=0.077-1+b1 libjson-perl=4.10000-1 ruby-jwt=2.5.0-1+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-jose@2.2.0 jose@6.2.18 jwks-rsa@4.1.0 \
  aws-jwt-verify@5.2.1 >/dev/null 2>&1
cat >check.py <<'PY'
import json

import jwt
from authlib.jose import JsonWebKey, JsonWebToken
from jose import jwt as python_jose
from jwcrypto.jwk import JWKSet
from jwcrypto.jwt import JWT

given = json.load(open('given.json'))
token = given['token']


def by_pyjwt(keys):
    key = next(key for key in jwt.PyJWKSet.from_dict(keys).keys if key.key_id == 'rsa')
    jwt.decode(token, key.key, ['RS256'], audience='app')


checks = {
    'python-jose': lambda keys: python_jose.decode(token, keys, ['RS256'], audience='app'),
    'Authlib': lambda keys: JsonWebToken(['RS256']).decode(token, JsonWebKey.import_key_set(keys)),
    'jwcrypto': lambda keys: JWT(jwt=token, key=JWKSet.from_json(json.dumps(keys)), algs=['RS256']),
    'PyJWT': by_pyjwt,
}


def outcome(check, keys):
    try:
        check(keys)
        return 'accepted'
    except Exception as error:
        return type(error).__name__


print(json.dumps({name: [outcome(check, keys) for keys in given['sets']] for name, check in checks.items()}))
PY
cat >check.pl <<'PL'
use Crypt::JWT 'decode_jwt';
use JSON;
local $/;
open my $file, '<', 'given.json';
my $given = decode_json(<$file>);
my @outcomes = map {
  my $keys = $_;
  eval { decode_jwt(token => $given->{token}, kid_keys => $keys, accepted_alg => 'RS256') } ? 'accepted' : 'refused'
} @{ $given->{sets} };
print encode_json({ 'Crypt::JWT' => \@outcomes });
PL
cat >check.rb <<'RB'
$LOAD_PATH.unshift('usr/lib/ruby/vendor_ruby', *Dir['usr/share/rubygems-integration/all/gems/*/lib'])
require 'json'
require 'jwt'
given = JSON.parse(File.read('given.json'))
outcomes = given['sets'].map do |keys|
  JWT.decode(given['token'], nil, true, { algorithms: ['RS256'], jwks: keys }) && 'accepted'
rescue StandardError => e
  e.class.name
end
puts JSON.generate('ruby-jwt' => outcomes)
RB
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"gopkg.in/square/go-jose.v2"
)

func main() {
	content, _ := os.ReadFile(os.Args[1])
	var given struct {
		Token string
		Sets  []json.RawMessage
	}
	json.Unmarshal(content, &given)
	outcomes := []string{}
	for _, set := range given.Sets {
		var keys jose.JSONWebKeySet
		if err := json.Unmarshal(set, &keys); err != nil {
			outcomes = append(outcomes, "error")
			continue
		}
		token, _ := jose.ParseSigned(given.Token)
		_, err := token.Verify(keys.Key("rsa")[0])
		outcomes = append(outcomes, map[bool]string{true: "accepted", false: "refused"}[err == nil])
	}
	answer, _ := json.Marshal(map[string][]string{"go-jose": outcomes})
	fmt.Println(string(answer))
}
GO
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { JwtVerifier } from 'aws-jwt-verify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import jwksRsa from 'jwks-rsa';
import nodeJose from 'node-jose';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1_000);
const claims = { iss: 'https://id.example.com', sub: 'ada', aud: 'app', iat: now, exp: now + 600 };
const text = `${part({ alg: 'RS256', kid: 'rsa' })}.${part(claims)}`;
const token = `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
const rsa = { ...publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig', alg: 'RS256' };
const pub = Buffer.alloc(1_312, 5).toString('base64url');
const mlDsa = { kty: 'AKP', alg: 'ML-DSA-44', kid: 'new', use: 'sig', pub };
const sets = [{ keys: [rsa, mlDsa] }, { keys: [mlDsa, rsa] }];
writeFileSync('given.json', JSON.stringify({ token, sets }));

let published;
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(published));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const jwksUri = `http://127.0.0.1:${server.address().port}/keys`;
const checks = {
  'node-jose': async (keys) => nodeJose.JWS.createVerify(await nodeJose.JWK.asKeyStore(keys)).verify(token),
  jose: (keys) => jwtVerify(token, createLocalJWKSet(keys)),
  'jwks-rsa': () => jwksRsa({ jwksUri }).getSigningKey('rsa'),
  'aws-jwt-verify': (keys) => {
    const verifier = JwtVerifier.create({ issuer: claims.iss, audience: 'app', jwksUri: `${claims.iss}/keys` });
    verifier.cacheJwks(keys);
    return verifier.verify(token);
  },
};
const outcomes = {};
for (const [name, check] of Object.entries(checks)) {
  outcomes[name] = [];
  for (published of sets) {
    const run = async () => check(published);
    outcomes[name].push(await run().then(() => 'accepted', ({ message }) => message));
  }
}
server.close();
const env = { ...process.env, PYTHONPATH: 'usr/lib/python3/dist-packages' };
const perl = ['-Iusr/share/perl5', '-Iusr/lib/x86_64-linux-gnu/perl5/5.36', 'check.pl'];
const source = `${process.cwd()}/usr/share/gocode/src/run`;
mkdirSync(source);
cpSync('main.go', `${source}/main.go`);
const goEnv = { ...process.env, GO111MODULE: 'off', GOPATH: `${process.cwd()}/usr/share/gocode`, GOCACHE: `${process.cwd()}/cache`, GOFLAGS: '' };
Object.assign(
  outcomes,
  JSON.parse(execFileSync('python3', ['check.py'], { env, stdio: ['ignore', 'pipe', 'ignore'] })),
  JSON.parse(execFileSync('perl', perl)),
  JSON.parse(execFileSync('ruby', ['check.rb'])),
  JSON.parse(execFileSync('go', ['run', 'main.go', `${process.cwd()}/given.json`], { cwd: source, env: goEnv })),
);
const lines = Object.entries(outcomes).map(([name, [after, before]]) => `${name}: after ${after}; before ${before}`);
console.log(lines.join('\n'));
const both = (name, outcome) => `${name}: after ${outcome}; before ${outcome}`;
const expected = [
  both('node-jose', 'unsupported key type'),
  ...['jose', 'jwks-rsa', 'aws-jwt-verify'].map((name) => both(name, 'accepted')),
  'python-jose: after accepted; before JWKError',
  both('Authlib', 'KeyError'),
  both('jwcrypto', 'InvalidJWKType'),
  ...['PyJWT', 'Crypt::JWT', 'ruby-jwt'].map((name) => both(name, 'accepted')),
  both('go-jose', 'error'),
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 150 node run.mjs
