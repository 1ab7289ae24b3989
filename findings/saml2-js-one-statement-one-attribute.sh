#!/usr/bin/env bash
# saml2-js 4.0.4: attributes in two statements end the sign-in, and in two elements of one name are lost.
#
# Behaviour: an assertion may have any number of AttributeStatement elements (SAML 2.0 Core, section 2.3.3); with
# two, post_assert() fails. An attribute that comes as two elements of one name keeps the values of the
# last. A value that is an element, as the NameID of eduPersonTargetedID, is an empty text. user.role, by the
# claim of Microsoft, is the first role of several. Without SessionIndex, which is optional (section 2.7.2), it
# fails too, unless require_session_index is false.
# Consequence: a provider that writes an attribute for each group, or a statement for each source, signs
# people in with one of their groups, or not at all; with one group, as in a test, all is well.
# Output: for each assertion, what the app gets
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts saml2-js@4.0.4 xml-crypto@6.3.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import saml2 from 'saml2-js';
import { SignedXml } from 'xml-crypto';

const files = ['-keyout', 'key.pem', '-out', 'certificate.pem'];
execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-subj', '/CN=idp', ...files], { stdio: 'ignore' });
const [privateKey, certificate] = [readFileSync('key.pem', 'utf8'), readFileSync('certificate.pem', 'utf8')];
const [idp, sp] = ['https://idp.example.com', 'https://sp.example.com'];
const at = (seconds) => new Date(Date.now() + seconds * 1_000).toISOString();
const [NAMES, EXCLUSIVE] = ['urn:oasis:names:tc:SAML:2.0', 'http://www.w3.org/2001/10/xml-exc-c14n#'];
const ROLE = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';
const TARGETED = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.10';
const attribute = (name, ...values) =>
  `<a:Attribute Name="${name}">${values.map((value) => `<a:AttributeValue>${value}</a:AttributeValue>`).join('')}</a:Attribute>`;
const statement = (...attributes) => `<a:AttributeStatement>${attributes.join('')}</a:AttributeStatement>`;

/** Returns a signed response in base64. */
function responseOf(statements, index = ' SessionIndex="s1"') {
  const xml = `<p:Response xmlns:p="${NAMES}:protocol" xmlns:a="${NAMES}:assertion" ID="_r" Version="2.0" IssueInstant="${at(0)}" Destination="${sp}/acs">
<a:Issuer>${idp}</a:Issuer><p:Status><p:StatusCode Value="${NAMES}:status:Success"/></p:Status>
<a:Assertion ID="_a" Version="2.0" IssueInstant="${at(0)}"><a:Issuer>${idp}</a:Issuer><a:Subject><a:NameID>ada</a:NameID>
<a:SubjectConfirmation Method="${NAMES}:cm:bearer"><a:SubjectConfirmationData Recipient="${sp}/acs" NotOnOrAfter="${at(300)}"/></a:SubjectConfirmation></a:Subject>
<a:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${at(300)}"><a:AudienceRestriction><a:Audience>${sp}</a:Audience></a:AudienceRestriction></a:Conditions>
<a:AuthnStatement AuthnInstant="${at(0)}"${index}><a:AuthnContext><a:AuthnContextClassRef>${NAMES}:ac:classes:Password</a:AuthnContextClassRef></a:AuthnContext></a:AuthnStatement>
${statements.join('')}</a:Assertion></p:Response>`;
  const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
  const signature = new SignedXml({ privateKey, canonicalizationAlgorithm: EXCLUSIVE, signatureAlgorithm });
  signature.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
  });
  signature.computeSignature(xml, { location: { reference: "/*/*[local-name()='Issuer']", action: 'after' } });
  return Buffer.from(signature.getSignedXml()).toString('base64');
}
const app = new saml2.ServiceProvider({
  entity_id: sp,
  private_key: privateKey,
  certificate,
  assert_endpoint: `${sp}/acs`,
  audience: sp,
  allow_unencrypted_assertion: true,
});
const provider = new saml2.IdentityProvider({ sso_login_url: idp, sso_logout_url: idp, certificates: [certificate] });
const read = promisify(app.post_assert.bind(app));
const RESPONSES = {
  'one attribute': responseOf([statement(attribute('groups', 'sales', 'admins'))]),
  'two of one name': responseOf([statement(attribute('groups', 'sales'), attribute('groups', 'admins'))]),
  'two statements': responseOf([statement(attribute('mail', 'ada@example.com')), statement(attribute('groups', 'sales'))]),
  'an element': responseOf([statement(attribute(TARGETED, '<a:NameID>t1</a:NameID>'))]),
  'two roles': responseOf([statement(attribute(ROLE, 'reader', 'admin'))]),
  'no index': responseOf([], ''),
};
const lines = [];
for (const [name, response] of Object.entries(RESPONSES)) {
  const told = await read(provider, { request_body: { SAMLResponse: response } }).then(
    ({ user }) => JSON.stringify(user.role ?? user.attributes),
    ({ message }) => message,
  );
  lines.push(`${name}: ${told}`);
}
console.log(lines.join('\n'));
const expected = [
  'one attribute: {"groups":["sales","admins"]}',
  'two of one name: {"groups":["admins"]}',
  'two statements: Expected 1 AttributeStatement inside Assertion; found 2',
  `an element: {"${TARGETED}":[""]}`,
  'two roles: "reader"',
  'no index: SessionIndex not an attribute of AuthnStatement.',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs
