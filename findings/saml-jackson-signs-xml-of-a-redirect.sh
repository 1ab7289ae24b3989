#!/usr/bin/env bash
# @boxyhq/saml-jackson 26.2.0: a request by HTTP-Redirect is signed in its XML, and its address is not signed.
#
# Behaviour: with metadata that offer HTTP-Redirect, authorize() takes it, and deflates an AuthnRequest
# that contains its ds:Signature; createRequest() of a logout does the same. In this binding the
# signature of the XML must be removed, and SigAlg and Signature are parameters (SAML Bindings,
# section 3.4.4.1). The logout has no SessionIndex either, which the assertion had (Profiles 4.4.4.1).
# Consequence: a provider that wants signed requests, or refuses XML that is signed there, answers an
# error to each sign-in; one that reads the parameters only takes the requests for unsigned.
# Output: for each message, the parameters of the address, and whether the XML is signed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Drivers of databases, which are not used here, are left out.
echo '{ "overrides": { "mssql": "npm:kind-of@6.0.3", "mongodb": "npm:kind-of@6.0.3", "better-sqlite3": "npm:kind-of@6.0.3" } }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @boxyhq/saml-jackson@26.2.0 >/dev/null 2>&1
openssl req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=provider -keyout key.pem -out cert.pem 2>/dev/null
cat >run.cjs <<'JS'
const { readFileSync } = require('node:fs');
const { inflateRawSync } = require('node:zlib');
const jackson = require('@boxyhq/saml-jackson').default;

const log = console.log;
console.log = console.info = () => undefined;
const certificate = readFileSync('cert.pem', 'utf8').replace(/-----[^-]+-----|\s/g, '');
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example/idp">
  <md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
  <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
  <ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
  <md:SingleLogoutService Binding="${redirect}" Location="https://id.example/slo"/>
  <md:SingleSignOnService Binding="${redirect}" Location="https://id.example/sso"/>
  </md:IDPSSODescriptor></md:EntityDescriptor>`;
(async () => {
  const options = { externalUrl: 'https://shop.example', samlPath: '/acs', samlAudience: 'https://shop.example/saml' };
  const sso = await jackson({ ...options, db: { engine: 'mem' }, noAnalytics: true });
  const place = { tenant: 'depot', product: 'shop' };
  const url = 'https://shop.example/callback';
  const { clientID } = await sso.connectionAPIController.createSAMLConnection({
    ...place,
    rawMetadata: metadata,
    defaultRedirectUrl: url,
    redirectUrl: [url],
  });
  const request = { response_type: 'code', client_id: clientID, redirect_uri: url, state: 's' };
  const { redirect_url: signIn } = await sso.oauthController.authorize(request);
  const { logoutUrl } = await sso.logoutController.createRequest({ ...place, nameId: 'ada', redirectUrl: url });
  const lines = Object.entries({ 'sign-in': signIn, logout: logoutUrl }).map(([name, address]) => {
    const { searchParams } = new URL(address);
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest'), 'base64')).toString();
    const index = name === 'logout' ? `, SessionIndex: ${xml.includes('SessionIndex')}` : '';
    return `${name}: ${[...searchParams.keys()].sort().join(' ')}; XML signed: ${/<(\w+:)?Signature /.test(xml)}${index}`;
  });
  log(lines.join('\n'));
  const expected = [
    'sign-in: RelayState SAMLRequest; XML signed: true',
    'logout: RelayState SAMLRequest; XML signed: true, SessionIndex: false',
  ];
  process.exit(lines.join() === expected.join() ? 0 : 1);
})();
JS
timeout 60 node run.cjs
