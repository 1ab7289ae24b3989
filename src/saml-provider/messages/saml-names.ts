import type { NameIdFormat } from '../clients/saml-values.js';
import { randomBytes } from 'node:crypto';

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

/** Returns an ID of a message, which must not begin with a digit in XML. */
export const newMessageId = (): string => `_${randomBytes(20).toString('hex')}`;

/** Returns a time as messages have it. @param time in milliseconds */
export const instantOf = (time: number): string => new Date(time).toISOString();
