import { randomUUID } from 'node:crypto';
import type { NamedSession } from '../../../upstream/upstream-sessions.js';
import type { SamlConnection } from '../saml-connection.js';

const NAMESPACES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
/** Time within which the browser brings the request to the provider. */
const LIFETIME_MS = 300_000;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Characters that XML cannot have, in any form. */
// eslint-disable-next-line no-control-regex -- characters that XML 1.0 section 2.2 does not allow
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes text for content and attributes of XML. Replaces what it cannot have. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (one) => ESCAPES[one] ?? one);

const attribute = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined ? '' : ` ${name}="${escapeXml(value)}"`;

/** Creates a request for a logout at the provider (SAML Core 3.7.1). */
export function logoutRequestXml(
  { entityId }: Pick<SamlConnection, 'entityId'>,
  sloUrl: string,
  { subject, nameId, sessionIndex }: NamedSession,
): string {
  const { format, nameQualifier, spNameQualifier } = nameId ?? {};
  const issued = new Date();
  const until = new Date(issued.getTime() + LIFETIME_MS);
  return (
    `<samlp:LogoutRequest ${NAMESPACES} ID="_${randomUUID()}" Version="2.0" IssueInstant="${issued.toISOString()}"` +
    `${attribute('Destination', sloUrl)} NotOnOrAfter="${until.toISOString()}">` +
    `<saml:Issuer>${escapeXml(entityId)}</saml:Issuer>` +
    `<saml:NameID${attribute('Format', format)}${attribute('NameQualifier', nameQualifier)}` +
    `${attribute('SPNameQualifier', spNameQualifier)}>${escapeXml(subject)}</saml:NameID>` +
    `${sessionIndex === undefined ? '' : `<samlp:SessionIndex>${escapeXml(sessionIndex)}</samlp:SessionIndex>`}` +
    '</samlp:LogoutRequest>'
  );
}

/** Creates the response to a request of the provider: the sessions have ended (SAML Core 3.7.2). */
export function logoutResponseXml(
  { entityId }: Pick<SamlConnection, 'entityId'>,
  sloUrl: string,
  requestId: string,
): string {
  return (
    `<samlp:LogoutResponse ${NAMESPACES} ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}"` +
    `${attribute('Destination', sloUrl)}${attribute('InResponseTo', requestId)}>` +
    `<saml:Issuer>${escapeXml(entityId)}</saml:Issuer>` +
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>' +
    '</samlp:LogoutResponse>'
  );
}
