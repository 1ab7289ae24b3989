#!/usr/bin/env bash
# nodemailer 10.6.1: with a DKIM key of Ed25519, mail goes out without a signature, and without a word.
#
# Behaviour: `dkim.privateKey` may be any PEM key. With an RSA key, the mail has a DKIM-Signature that
# mailauth verifies. With an Ed25519 key (RFC 8463), sendMail resolves, and the mail has none: the
# error of the signing is dropped.
# Consequence: after a change of keys, mails with sign-in codes and links fail DMARC wherever SPF does
# not hold (forwarding, another return path), and nothing at the sender says so.
# Output: rsa signed, verified: pass; ed25519 not signed, no error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts nodemailer@10.6.1 mailauth@4.13.3 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { generateKeyPairSync } = require('node:crypto');
const { dkimVerify } = require('mailauth/lib/dkim/verify');
const { createTransport } = require('nodemailer');

const KEYS = { rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }), ed25519: generateKeyPairSync('ed25519') };
(async () => {
  const found = [];
  for (const [type, { publicKey, privateKey }] of Object.entries(KEYS)) {
    const transport = createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      dkim: {
        domainName: 'example.com',
        keySelector: type,
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      },
    });
    const mail = { from: 'no-reply@example.com', to: 'ada@example.org', subject: 'Your code', text: '123456' };
    const { message } = await transport.sendMail(mail);
    const isSigned = /^DKIM-Signature:/m.test(message.toString());
    const record = `v=DKIM1; k=${type}; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
    const { results } = await dkimVerify(message, { resolver: async () => [[record]] });
    found.push(isSigned ? `${type} signed, verified: ${results[0].status.result}` : `${type} not signed, no error`);
  }
  console.log(found.join('; '));
  process.exit(found.join('; ') === 'rsa signed, verified: pass; ed25519 not signed, no error' ? 0 : 1);
})();
JS
timeout 60 node run.cjs
