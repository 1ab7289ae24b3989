import type { Element } from '@xmldom/xmldom';
import type { SamlConnection } from '../saml-connection.js';
import { demand, type SamlCheck } from './saml-refusal.js';
import { checkIssued } from './saml-times.js';
import { ASSERTION, attributeOf, inResponseTo, childrenOf, onlyChild, PROTOCOL, textOf } from './saml-xml.js';
import { SignInError } from '../../provider.js';

const ENTITY = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
/** Status codes for a person who cancelled or was denied. */
const DENIALS = new Set([`${STATUS}AuthnFailed`, `${STATUS}RequestDenied`]);

/**
 * Checks the attributes of a response, signed or not (SAML Profiles 4.1.4.2 and 4.1.4.3). The
 * identity is not read from the response but from the signed assertion.
 * @throws {SamlRefusal}
 * @throws {SignInError} access_denied if the identity provider denied the sign-in
 */
export function checkResponse(
  response: Element,
  connection: SamlConnection,
  requestId: string | null,
  now: number,
): void {
  checkIssuer(response, connection);
  demand(
    attributeOf(response, 'Destination') === connection.consumer,
    'SAML-7',
    'it is for another destination',
  );
  demand(inResponseTo(response) === requestId, 'SAML-10', 'it answers another request, or none');
  checkVersion(response, 'SAML-9');
  checkIssued(attributeOf(response, 'IssueInstant'), now, 'Response');
  checkStatus(response);
}

/** Checks the Issuer of a Response or an Assertion (SAML-6). */
export function checkIssuer(element: Element, { idpIssuer }: Pick<SamlConnection, 'idpIssuer'>): void {
  const issuer = onlyChild(element, ASSERTION, 'Issuer', 'SAML-6');
  const format = attributeOf(issuer, 'Format');
  demand(format === null || format === ENTITY, 'SAML-6', 'the Issuer is no entity');
  demand(textOf(issuer, 'SAML-6') === idpIssuer, 'SAML-6', 'the Issuer is not the configured one');
}

export function checkVersion(element: Element, check: SamlCheck): void {
  demand(attributeOf(element, 'Version') === '2.0', check, 'it is of another version of SAML');
}

function checkStatus(response: Element): void {
  const status = onlyChild(response, PROTOCOL, 'Status', 'SAML-9');
  const code = onlyChild(status, PROTOCOL, 'StatusCode', 'SAML-9');
  if (attributeOf(code, 'Value') === `${STATUS}Success`) return;
  const reasons = childrenOf(code, PROTOCOL, 'StatusCode').map((one) => attributeOf(one, 'Value') ?? '');
  throw new SignInError(
    reasons.some((reason) => DENIALS.has(reason)) ? 'access_denied' : 'invalid_response',
    new Error('The identity provider denied the sign-in.'),
  );
}
