#!/usr/bin/env bash
# @stytch/samlshield 0.4.0: a response in which the provider says no is an invalid response.
#
# Behaviour: a Response with the status Responder and NoPassive, which has no assertion (SAML 2.0 Core,
# section 3.2.2.2), is refused as "Found 0 of Assertions/EncryptedAssertion elements", and so is
# each that says why a sign-in failed. The status is not read.
# Consequence: in front of a parser, as its README puts it, the answer to IsPassive looks like an attack,
# and people are not told that they cancelled, or lack a right at their provider.
# Output: Success true, NoPassive false, AuthnFailed false, and what node-saml makes of each
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @stytch/samlshield@0.4.0 xml-crypto@6.3.2 \
  @node-saml/node-saml@5.1.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SAML } from '@node-saml/node-saml';
import { safeValidateSAMLResponse } from '@stytch/samlshield';
import { SignedXml } from 'xml-crypto';

const files = ['-keyout', 'key.pem', '-out', 'certificate.pem'];
execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-subj', '/CN=idp', ...files], { stdio: 'ignore' });
const [privateKey, idpCert] = [readFileSync('key.pem', 'utf8'), readFileSync('certificate.pem', 'utf8')];
const [idp, sp] = ['https://idp.example.com', 'https://sp.example.com'];
const at = (seconds) => new Date(Date.now() + seconds * 1_000).toISOString();
const [STATUS, CLASS] = ['urn:oasis:names:tc:SAML:2.0:status', 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password'];
const ISSUER = `<a:Issuer xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion">${idp}</a:Issuer>`;
const ASSERTION = `<a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a" Version="2.0" IssueInstant="${at(0)}">
<a:Issuer>${idp}</a:Issuer><a:Subject><a:NameID>ada</a:NameID><a:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
<a:SubjectConfirmationData Recipient="${sp}/acs" NotOnOrAfter="${at(300)}"/></a:SubjectConfirmation></a:Subject>
<a:Conditions NotBefore="${at(-5)}" NotOnOrAfter="${at(300)}"><a:AudienceRestriction><a:Audience>${sp}</a:Audience></a:AudienceRestriction></a:Conditions>
<a:AuthnStatement AuthnInstant="${at(0)}"><a:AuthnContext><a:AuthnContextClassRef>${CLASS}</a:AuthnContextClassRef></a:AuthnContext></a:AuthnStatement></a:Assertion>`;
const success = `<p:StatusCode Value="${STATUS}:Success"/>`;
const failure = (code) => `<p:StatusCode Value="${STATUS}:Responder"><p:StatusCode Value="${STATUS}:${code}"/></p:StatusCode>`;

/** Returns a signed response in base64. */
function responseOf(status, assertion) {
  const xml = `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" IssueInstant="${at(0)}" Destination="${sp}/acs">${ISSUER}<p:Status>${status}</p:Status>${assertion}</p:Response>`;
  const canonicalizationAlgorithm = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
  const signature = new SignedXml({ privateKey, canonicalizationAlgorithm, signatureAlgorithm });
  signature.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalizationAlgorithm],
  });
  signature.computeSignature(xml, { location: { reference: "/*/*[local-name()='Issuer']", action: 'after' } });
  return Buffer.from(signature.getSignedXml()).toString('base64');
}
const RESPONSES = {
  'Success': responseOf(success, ASSERTION),
  'NoPassive': responseOf(failure('NoPassive'), ''),
  'AuthnFailed': responseOf(failure('AuthnFailed'), ''),
};
const saml = new SAML({ callbackUrl: `${sp}/acs`, issuer: sp, audience: sp, idpCert, wantAssertionsSigned: false });
const found = [];
for (const [name, response] of Object.entries(RESPONSES)) {
  const { valid, errors } = await safeValidateSAMLResponse({ response_xml: response });
  const byNodeSaml = await saml.validatePostResponseAsync({ SAMLResponse: response }).then(
    ({ profile }) => (profile === null ? 'no person' : profile.nameID),
    ({ message }) => message,
  );
  found.push(`${name} ${valid}`);
  console.log(`${name}: ${valid}, ${errors?.map((error) => error.message ?? error).join() ?? 'no error'}; node-saml: ${byNodeSaml}`);
}
const wanted = 'Success true, NoPassive false, AuthnFailed false';
process.exit(found.join(', ') === wanted ? 0 : 1);
JS
timeout 60 node run.mjs
