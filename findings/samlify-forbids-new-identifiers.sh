#!/usr/bin/env bash
# samlify 2.13.1: its requests forbid the provider to make an identifier for a person.
#
# Behaviour: an AuthnRequest of a service provider with default settings has a NameIDPolicy with
# AllowCreate="false": the provider may not create an identifier to fulfil the request (SAML 2.0 Core,
# section 3.4.1.1), so that a person's first sign-in with persistent or transient names is
# InvalidNameIDPolicy at providers that keep to it. `allowCreate: undefined` leaves the attribute out,
# which means the same in the standard, and is taken by more providers.
# Consequence: no person can sign in for the first time, and the error names a policy that was not set.
# Output: by default false, undefined left out, true true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts samlify@2.13.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { inflateRawSync } = require('node:zlib');
const { IdentityProvider, ServiceProvider } = require('samlify');

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';
const idp = IdentityProvider({
  entityID: 'https://idp.example.com',
  singleSignOnService: [{ Binding: `${BINDINGS}:HTTP-Redirect`, Location: 'https://idp.example.com/sso' }],
  singleLogoutService: [{ Binding: `${BINDINGS}:HTTP-Redirect`, Location: 'https://idp.example.com/slo' }],
});
/** Returns AllowCreate of the request, or "left out". */
function allowCreateOf(settings) {
  const sp = ServiceProvider({
    entityID: 'https://sp.example.com',
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    assertionConsumerService: [{ Binding: `${BINDINGS}:HTTP-POST`, Location: 'https://sp.example.com/acs' }],
    ...settings,
  });
  const url = new URL(sp.createLoginRequest(idp, 'redirect').context);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest'), 'base64')).toString();
  return /AllowCreate="(\w+)"/.exec(xml)?.[1] ?? 'left out';
}
const found = [allowCreateOf({}), allowCreateOf({ allowCreate: undefined }), allowCreateOf({ allowCreate: true })];
const line = `by default ${found[0]}, undefined ${found[1]}, true ${found[2]}`;
console.log(line);
process.exit(line === 'by default false, undefined left out, true true' ? 0 : 1);
JS
timeout 60 node run.cjs
