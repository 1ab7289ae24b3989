#!/usr/bin/env bash
# @node-saml/node-saml 5.1.0 brings xml-encryption 3.1.0, which gives rsa-oaep-mgf1p with SHA-256 the
# mask of SHA-256. xml-encryption 6.0.1 does as the standard says.
#
# Behaviour: http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p has the mask MGF1 with SHA-1, whatever the
# DigestMethod (XML Encryption 1.1, section 5.5.2). Version 3.1.0 hands the digest to Node, whose
# oaepHash sets digest and mask together: what it wraps with SHA-256 opens with a mask of SHA-256, and
# what OpenSSL wraps as the standard says, it does not decrypt.
# Consequence: two ends that both use it agree; encrypted assertions of Keycloak, whose default this is,
# are refused by an error that names no algorithm.
# Output: 3.1.0: opens by sha256, reads sha256; 6.0.1: opens by sha1, reads sha1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @node-saml/node-saml@5.1.0 latest@npm:xml-encryption@6.0.1 >/dev/null 2>&1
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=test 2>/dev/null
openssl x509 -in cert.pem -pubkey -noout >public.pem
cat >run.cjs <<'JS'
const { execFileSync } = require('node:child_process');
const { createCipheriv, randomBytes } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const { promisify } = require('node:util');
const key = readFileSync('key.pem');
const MASKS = ['sha1', 'sha256'];
/** Runs RSA-OAEP with SHA-256 and a mask by OpenSSL. */
function rsa(mode, mask, input) {
  writeFileSync('in', input);
  const name = mode === '-encrypt' ? ['-pubin', '-inkey', 'public.pem'] : ['-inkey', 'key.pem'];
  const options = ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', `rsa_mgf1_md:${mask}`];
  const words = ['pkeyutl', mode, ...name, '-in', 'in', '-out', 'out', ...options.flatMap((o) => ['-pkeyopt', o])];
  execFileSync('openssl', words, { stdio: 'pipe' });
  return readFileSync('out');
}
function opens(mask, wrapped) {
  try {
    return rsa('-decrypt', mask, wrapped).length === 32;
  } catch {
    return false;
  }
}
async function tried(folder) {
  const { encrypt, decrypt } = require(folder);
  const { version } = JSON.parse(readFileSync(`node_modules/${folder}/package.json`));
  const own = await promisify(encrypt)('<a/>', {
    rsa_pub: readFileSync('public.pem'),
    pem: readFileSync('cert.pem'),
    encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    keyEncryptionDigest: 'sha256',
  });
  const [wrapped, content] = [...own.matchAll(/CipherValue>([^<\s]+)</g)].map(([, value]) => value);
  const secret = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  const body = Buffer.concat([iv, cipher.update('<a/>'), cipher.final(), cipher.getAuthTag()]).toString('base64');
  const reads = [];
  for (const mask of MASKS) {
    const xml = own.replace(content, body).replace(wrapped, rsa('-encrypt', mask, secret).toString('base64'));
    await promisify(decrypt)(xml, { key }).then(
      (text) => text === '<a/>' && reads.push(mask),
      () => undefined,
    );
  }
  const by = MASKS.filter((mask) => opens(mask, Buffer.from(wrapped, 'base64')));
  return `${version}: opens by ${by.join(' ')}, reads ${reads.join(' ')}`;
}
async function main() {
  const found = [await tried('xml-encryption'), await tried('latest')].join('; ');
  console.log(found);
  process.exit(found === '3.1.0: opens by sha256, reads sha256; 6.0.1: opens by sha1, reads sha1' ? 0 : 1);
}
void main();
JS
node run.cjs
