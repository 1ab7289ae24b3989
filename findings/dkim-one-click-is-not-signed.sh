#!/usr/bin/env bash
# mailauth 7.1.0, dkimpy 1.1.4 and Mail::DKIM 1.20230212 (Debian 12): List-Unsubscribe-Post is not signed.
#
# Behaviour: by default, the three sign the header List-Unsubscribe and leave out List-Unsubscribe-Post,
# which a signature has to cover as well (RFC 8058, section 4). nodemailer 10.6.1 signs both.
# Consequence: receivers that follow the standard show no one-click button, although the DKIM signature is
# valid; people report as spam what they cannot leave, and the mails with codes and links of the same
# domain suffer. Name the header in the list of headers to sign.
# Output: which of the two headers each library signs
# Needs python3, perl, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root python3-dkim=1.1.4-1 python3-dnspython=2.3.0-1+deb12u1 \
  libmail-dkim-perl=1.20230212-2~deb12u1 libcryptx-perl=0.077-1+b1 libnet-dns-perl=1.36-1+deb12u1 \
  libmailtools-perl=2.21-2 libcrypt-openssl-rsa-perl=0.33-3+b1
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mailauth@7.1.0 nodemailer@10.6.1 >/dev/null 2>&1
openssl genrsa -traditional -out key.pem 2048 2>/dev/null
printf '%s\r\n' 'From: Shop <news@example.com>' 'To: ada@example.org' 'Subject: News' 'Message-ID: <1@example.com>' \
  'Date: Mon, 30 Nov 2026 10:00:00 +0000' 'List-Unsubscribe: <https://example.com/leave/1>' \
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click' '' 'Hello.' >mail.eml
cat >sign.py <<'PY'
import dkim

print(dkim.sign(open('mail.eml', 'rb').read(), b's', b'example.com', open('key.pem', 'rb').read()).decode())
PY
cat >sign.pl <<'PL'
use Mail::DKIM::Signer;
my @names = (Domain => 'example.com', Selector => 's', KeyFile => 'key.pem');
my $signer = Mail::DKIM::Signer->new(Algorithm => 'rsa-sha256', Method => 'relaxed', @names);
open my $mail, '<:raw', 'mail.eml';
$signer->PRINT($_) while <$mail>;
$signer->CLOSE;
print $signer->signature->as_string;
PL
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import nodemailer from 'nodemailer';

const privateKey = readFileSync('key.pem', 'utf8');
const mail = readFileSync('mail.eml');
const key = { domainName: 'example.com', keySelector: 's', privateKey };
const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, dkim: key });
const { message } = await transport.sendMail({ envelope: { from: 'news@example.com', to: 'ada@example.org' }, raw: mail });
const { signatures } = await dkimSign(mail, { signatureData: [{ signingDomain: 'example.com', selector: 's', privateKey }] });
const perl = ['-Iusr/share/perl5', '-Iusr/lib/x86_64-linux-gnu/perl5/5.36', 'sign.pl'];
const env = { ...process.env, PYTHONPATH: 'usr/lib/python3/dist-packages' };
const headers = {
  nodemailer: message.toString(),
  mailauth: signatures,
  dkimpy: execFileSync('python3', ['sign.py'], { env }).toString(),
  'Mail::DKIM': execFileSync('perl', perl).toString(),
};
const lines = Object.entries(headers).map(([name, header]) => {
  const [, signed] = /[;\s]h=([^;]+)/.exec(header);
  const names = signed.toLowerCase().replace(/\s/g, '').split(':');
  return `${name}: ${['list-unsubscribe', 'list-unsubscribe-post'].filter((one) => names.includes(one)).join(' and ')}`;
});
console.log(lines.join('\n'));
const expected = [
  'nodemailer: list-unsubscribe and list-unsubscribe-post',
  'mailauth: list-unsubscribe',
  'dkimpy: list-unsubscribe',
  'Mail::DKIM: list-unsubscribe',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
