#!/usr/bin/env bash
# @node-saml/node-saml 5.1.0: it refuses each answer to a logout that comes by the binding of its metadata.
#
# Behaviour: generateServiceProviderMetadata announces the logout address with HTTP-POST only. A posted
# LogoutResponse is checked by validatePostResponseAsync, which looks for InResponseTo in an element
# "Response" and not in "LogoutResponse": with validateInResponseTo "always" it throws "InResponseTo is
# missing from response". By HTTP-Redirect, the same answer to the same request is accepted.
# Consequence: with the setting that ties responses to requests, people who sign out at a provider that
# keeps to the metadata end on an error, signed out there and signed in at the app.
# Output: announced HTTP-POST; posted: InResponseTo is missing from response; redirected: signed out
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @node-saml/node-saml@5.1.0 xml-crypto@6.3.2 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { execFileSync } = require('node:child_process');
const { sign } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { deflateRawSync, inflateRawSync } = require('node:zlib');
const { SAML } = require('@node-saml/node-saml');
const { SignedXml } = require('xml-crypto');

const files = ['-keyout', 'key.pem', '-out', 'certificate.pem'];
execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-subj', '/CN=idp', ...files], { stdio: 'ignore' });
const [privateKey, idpCert] = [readFileSync('key.pem', 'utf8'), readFileSync('certificate.pem', 'utf8')];
const [idp, sp] = ['https://idp.example.com', 'https://sp.example.com'];
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

const saml = new SAML({
  issuer: sp,
  callbackUrl: `${sp}/acs`,
  logoutCallbackUrl: `${sp}/logout`,
  entryPoint: `${idp}/sso`,
  logoutUrl: `${idp}/slo`,
  idpCert,
  validateInResponseTo: 'always',
});
/** Starts a logout. @returns the answer of the provider to it */
async function answerToLogout() {
  const url = new URL(await saml.getLogoutUrlAsync({ nameID: 'ada', nameIDFormat: 'x', issuer: idp }, '', {}));
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest'), 'base64')).toString();
  const id = /\bID="([^"]+)"/.exec(request)[1];
  return `<p:LogoutResponse xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${sp}/logout" InResponseTo="${id}"><a:Issuer xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion">${idp}</a:Issuer><p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status></p:LogoutResponse>`;
}
function posted(xml) {
  const canonicalizationAlgorithm = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const signature = new SignedXml({ privateKey, canonicalizationAlgorithm, signatureAlgorithm: RSA_SHA256 });
  signature.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalizationAlgorithm],
  });
  signature.computeSignature(xml, { location: { reference: "/*/*[local-name()='Issuer']", action: 'after' } });
  return saml.validatePostResponseAsync({ SAMLResponse: Buffer.from(signature.getSignedXml()).toString('base64') });
}
function redirected(xml) {
  const query = new URLSearchParams({ SAMLResponse: deflateRawSync(xml).toString('base64'), SigAlg: RSA_SHA256 });
  query.append('Signature', sign('sha256', Buffer.from(query.toString()), privateKey).toString('base64'));
  return saml.validateRedirectAsync(Object.fromEntries(query), query.toString());
}
(async () => {
  const metadata = saml.generateServiceProviderMetadata(null, null);
  const announced = [...metadata.matchAll(/SingleLogoutService Binding="[^"]+:([\w-]+)"/g)].map(([, name]) => name);
  const outcome = (check) =>
    check.then(({ loggedOut }) => (loggedOut ? 'signed out' : 'not signed out'), ({ message }) => message);
  const byPost = await outcome(posted(await answerToLogout()));
  const byRedirect = await outcome(redirected(await answerToLogout()));
  const line = `announced ${announced.join()}; posted: ${byPost}; redirected: ${byRedirect}`;
  console.log(line);
  const wanted = 'announced HTTP-POST; posted: InResponseTo is missing from response; redirected: signed out';
  process.exit(line === wanted ? 0 : 1);
})();
JS
timeout 60 node run.cjs
