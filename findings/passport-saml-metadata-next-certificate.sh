#!/usr/bin/env bash
# passport-saml-metadata 5.0.0: it trusts the last certificate of the provider's metadata only.
#
# Behaviour: toPassportConfig() sets idpCert to the last signing certificate, as the most recent one,
# where signingCert, which the same reader offers, is the first. A provider that changes its key
# publishes the next one before it signs by it; if it stands behind the current one, each response that
# is signed by the current one is refused, from the publication to the change. All count in the standard
# (SAML Metadata 2.0, section 2.4.1.1). { multipleCerts: true } takes both.
# Consequence: the step that prepares a change without an outage is the outage: everyone is locked out,
# while nothing has changed in the app, by "Invalid signature".
# Output: for each order of the two, what node-saml makes of a response that the current key signs
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts passport-saml-metadata@5.0.0 @node-saml/node-saml@5.1.0 saml@4.0.0 \
  >/dev/null 2>&1
for name in current next; do
  openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj /CN=$name 2>/dev/null
done
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { SAML } from '@node-saml/node-saml';
import { MetadataReader, toPassportConfig } from 'passport-saml-metadata';
import { Saml20 } from 'saml';

const pem = (name) => readFileSync(name, 'utf8');
const issuer = 'https://login.example.com';
const audience = 'https://app.example.com';
const lines = (name) => pem(name).replace(/-----[A-Z ]+-----|\n/g, '');
const descriptor = (name) =>
  `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>` +
  `${lines(`${name}.pem`)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`;
const metadata = (...names) =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">` +
  `<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${names.map(descriptor).join('')}` +
  `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${issuer}/sso"/>` +
  `</IDPSSODescriptor></EntityDescriptor>`;
const assertion = Saml20.create({
  cert: pem('current.pem'),
  key: pem('current.key'),
  issuer,
  audiences: audience,
  recipient: `${audience}/acs`,
  lifetimeInSeconds: 300,
  nameIdentifier: 'ada',
});
const response =
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" IssueInstant="${new Date().toISOString()}">` +
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
async function outcome(names, options) {
  const { entryPoint, idpCert } = toPassportConfig(new MetadataReader(metadata(...names)), options);
  const saml = new SAML({ entryPoint, idpCert, issuer: audience, audience, callbackUrl: `${audience}/acs`, wantAuthnResponseSigned: false });
  return saml.validatePostResponseAsync({ SAMLResponse: Buffer.from(response).toString('base64') }).then(
    ({ profile }) => `signs in ${profile.nameID}`,
    ({ message }) => message,
  );
}
const found = [
  `before: ${await outcome(['current'])}`,
  `next behind current: ${await outcome(['current', 'next'])}`,
  `next before current: ${await outcome(['next', 'current'])}`,
  `multipleCerts: ${await outcome(['current', 'next'], { multipleCerts: true })}`,
];
console.log(found.join('\n'));
const expected = [
  'before: signs in ada',
  'next behind current: Invalid signature',
  'next before current: signs in ada',
  'multipleCerts: signs in ada',
];
process.exit(found.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
