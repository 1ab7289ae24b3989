import type { Element } from '@xmldom/xmldom';
import type { SamlConnection } from '../saml-connection.js';
import { demand, type SamlCheck } from './saml-refusal.js';
import { checkIssued } from './saml-times.js';
import { ASSERTION, attributeOf, childrenOf, onlyChild, PROTOCOL, textOf } from './saml-xml.js';
import { SignInError } from '../../provider.js';

const ENTITY = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
/** What an identity provider says when the person did not want to, or was not let in. */
const DENIALS = new Set([`${STATUS}AuthnFailed`, `${STATUS}RequestDenied`]);

/**
 * What a response must say, signed or not (SAML Profiles 4.1.4.2 and 4.1.4.3). The identity is not
 * read from here.
 * @throws {SamlRefusal}
 * @throws {SignInError} access_denied where it says that somebody was not signed in
 */
export function checkResponse(
  response: Element,
  connection: SamlConnection,
  requestId: string,
  now: number,
): void {
  checkIssuer(response, connection);
  demand(attributeOf(response, 'Destination') === connection.consumer, 'SAML-7', 'it is for somewhere else');
  demand(
    attributeOf(response, 'InResponseTo') === requestId,
    'SAML-10',
    'it answers another request, or none',
  );
  checkVersion(response, 'SAML-9');
  checkIssued(attributeOf(response, 'IssueInstant'), now, 'Response');
  checkStatus(response);
}

/** SAML-6: on the Response and on the Assertion alike. */
export function checkIssuer(element: Element, { idpIssuer }: SamlConnection): void {
  const issuer = onlyChild(element, ASSERTION, 'Issuer', 'SAML-6');
  const format = attributeOf(issuer, 'Format');
  demand(format === null || format === ENTITY, 'SAML-6', 'the Issuer is no entity');
  demand(textOf(issuer, 'SAML-6') === idpIssuer, 'SAML-6', 'the Issuer is somebody else');
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
    new Error('The identity provider did not sign anybody in.'),
  );
}
