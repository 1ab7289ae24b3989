#!/usr/bin/env bash
# webauthn 2.5.2 for Ruby (Debian 12): each passkey is added, and none signs in.
#
# Behaviour: with OpenSSL 3, as in Debian 12, the registration of a passkey without attestation is
# verified, and each sign-in with it raises OpenSSL::PKey::PKeyError ("pkeys are immutable on OpenSSL
# 3.0"), by the package cose 1.2.0. A key of EdDSA raises NoMethodError already as it is added. Neither
# is a WebAuthn::Error, which handlers rescue.
# Consequence: people replace their password by a passkey, and are locked out by a fault 500; a test that
# only registers passes.
# Output: what registration and sign-in say, by the algorithm
# Needs ruby 3.1 with openssl, bindata and jwt, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root ruby-webauthn=2.5.2-1 ruby-cose=1.2.0-2 ruby-cbor=0.5.9.6-2+b4 \
  ruby-openssl-signature-algorithm=1.0.0-1 ruby-android-key-attestation=0.3.0-2 ruby-awrence=1.1.1-2 \
  ruby-tpm-key-attestation=0.11.0-1 ruby-safety-net-attestation=0.4.0-2 ruby-securecompare=1.0.0-1.1 \
  ruby-bindata=2.4.14-1 ruby-jwt=2.5.0-1+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
cat >run.rb <<'RB'
Dir['usr/share/rubygems-integration/all/gems/*/lib', 'usr/lib/*/rubygems-integration/3.1.0/gems/*/lib',
    'usr/lib/*/rubygems-integration/3.1.0/extensions/*/3.1.0/*', 'usr/lib/ruby/vendor_ruby'].each do |folder|
  $LOAD_PATH.unshift(File.expand_path(folder))
end
require 'base64'
require 'json'
require 'openssl'
require 'webauthn'

ORIGIN = 'https://shop.example'
ID = 'i' * 16
CHALLENGE = Base64.urlsafe_encode64('c' * 32, padding: false)
WebAuthn.configure do |config|
  config.origin = ORIGIN
  config.rp_id = 'shop.example'
  config.algorithms = %w[ES256 RS256 EdDSA]
end
ec = OpenSSL::PKey::EC.generate('prime256v1')
rsa = OpenSSL::PKey::RSA.new(2048)
ed25519 = OpenSSL::PKey.generate_key('ED25519')
point = ec.public_key.to_bn.to_s(2)
spki = ed25519.public_to_der
# Keys by COSE, as authenticators write them.
KEYS = {
  'ES256' => [ec, { 1 => 2, 3 => -7, -1 => 1, -2 => point[1, 32], -3 => point[33, 32] }],
  'RS256' => [rsa, { 1 => 3, 3 => -257, -1 => rsa.n.to_s(2), -2 => rsa.e.to_s(2) }],
  'EdDSA' => [ed25519, { 1 => 1, 3 => -8, -1 => 6, -2 => spki[-32..] }],
}.freeze

def text(bytes) = Base64.urlsafe_encode64(bytes, padding: false)

def client(type) = JSON.generate({ type: type, challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false })

def credential(response) = { 'id' => text(ID), 'rawId' => text(ID), 'type' => 'public-key', 'response' => response }

def add(cose)
  hash = OpenSSL::Digest::SHA256.digest('shop.example')
  data = [hash, 0x45, 0, "\0" * 16, ID.bytesize, ID].pack('a32CNa16na*') + cose.to_cbor
  attestation = { 'fmt' => 'none', 'attStmt' => {}, 'authData' => data.b }.to_cbor
  made = WebAuthn::Credential.from_create(
    credential('clientDataJSON' => text(client('webauthn.create')), 'attestationObject' => text(attestation))
  )
  made.verify(CHALLENGE)
  made
end

def sign_in(made, key)
  data = [OpenSSL::Digest::SHA256.digest('shop.example'), 5, 0].pack('a32CN')
  signed = data + OpenSSL::Digest::SHA256.digest(client('webauthn.get'))
  used = WebAuthn::Credential.from_get(
    credential('clientDataJSON' => text(client('webauthn.get')), 'authenticatorData' => text(data),
               'signature' => text(key.sign('SHA256', signed)))
  )
  used.verify(CHALLENGE, public_key: made.public_key, sign_count: made.sign_count)
end

def outcome
  yield
rescue StandardError => e
  "#{e.class}#{' (a WebAuthn::Error)' if e.is_a?(WebAuthn::Error)}"
end

lines = KEYS.map do |name, (key, cose)|
  made = nil
  added = outcome { (made = add(cose)) && 'added' }
  made ? "#{name}: #{added}, sign-in: #{outcome { sign_in(made, key) && 'signed in' }}" : "#{name}: #{added}"
end
puts lines
wanted = [
  'ES256: added, sign-in: OpenSSL::PKey::PKeyError',
  'RS256: added, sign-in: OpenSSL::PKey::PKeyError',
  'EdDSA: NoMethodError',
]
exit lines == wanted
RB
timeout 60 ruby run.rb
