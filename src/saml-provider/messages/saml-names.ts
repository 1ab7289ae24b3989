import type { NameIdFormat } from '../clients/saml-values.js';

export { ASSERTION, PROTOCOL } from '../../external-identity/index.js';

/** Names of the standards (SAML Core 3.2.2.2, 8.2 and 8.3, Bindings, Metadata). */
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';
export const REDIRECT = `${BINDINGS}:HTTP-Redirect`;
export const POST = `${BINDINGS}:HTTP-POST`;
export const SOAP = `${BINDINGS}:SOAP`;
export const STATUS = 'urn:oasis:names:tc:SAML:2.0:status';
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const ENTITY = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
export const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export const FORMAT_NAMES: Readonly<Record<NameIdFormat, string>> = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  email: EMAIL_FORMAT,
};
