#!/usr/bin/env bash
# @boxyhq/saml20 1.13.2 (of saml-jackson 26.2.0): the Issuer of a logout is read only if it has an attribute.
#
# Behaviour: parseLogoutResponse() reads the Issuer as xml2js gives an element with attributes. For
# <saml:Issuer>…</saml:Issuer>, whose Format may be left out (SAML Core, section 2.2.5) and whose
# prefix may be declared at the root, `issuer` is undefined; all else is read. With a Format, or with
# the declaration at the element itself, it is there.
# Consequence: handleResponse() of saml-jackson ends in a TypeError of its store after the provider has
# signed the person out, and shows that in place of the page after the logout.
# Output: the issuer of three responses that say the same
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @boxyhq/saml20@1.13.2 >/dev/null 2>&1
cat >run.cjs <<'JS'
const saml = require('@boxyhq/saml20').default;

const [ISSUER, ASSERTION] = ['https://id.example/idp', 'urn:oasis:names:tc:SAML:2.0:assertion'];
const responseOf = (root, issuer) => `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ${root} ID="_a"
  Version="2.0" IssueInstant="2026-11-30T10:00:00Z" InResponseTo="_b"><saml:Issuer ${issuer}>${ISSUER}</saml:Issuer>
  <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>`;
const declared = `xmlns:saml="${ASSERTION}"`;
const responses = {
  'declared at the root': responseOf(declared, ''),
  'declared at the Issuer': responseOf('', declared),
  'with a Format': responseOf(declared, 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"'),
};
(async () => {
  const lines = [];
  for (const [name, xml] of Object.entries(responses)) {
    const { issuer, inResponseTo } = await saml.parseLogoutResponse(xml);
    lines.push(`${name}: ${issuer}, InResponseTo ${inResponseTo}`);
  }
  console.log(lines.join('\n'));
  const expected = ['undefined', ISSUER, ISSUER].map((issuer, n) => `${Object.keys(responses)[n]}: ${issuer}, InResponseTo _b`);
  process.exit(lines.join() === expected.join() ? 0 : 1);
})();
JS
timeout 60 node run.cjs
