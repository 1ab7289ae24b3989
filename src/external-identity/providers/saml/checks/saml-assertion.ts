import type { Element } from '@xmldom/xmldom';
import type { SamlConnection } from '../saml-connection.js';
import { demand } from './saml-refusal.js';
import { checkIssuer, checkVersion } from './saml-response.js';
import { checkIssued, checkWindow, instantOf, MAX_AGE_MS, SKEW_MS } from './saml-times.js';
import {
  allChildren,
  ASSERTION,
  attributeOf,
  childrenOf,
  inResponseTo,
  isElement,
  onlyChild,
  textOf,
} from './saml-xml.js';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** Supported conditions; any other makes an assertion invalid (SAML Core 2.5.1). */
const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];

/** Result of the checks of an assertion. */
interface AcceptedAssertion {
  readonly id: string;
  /** Time until which the assertion would be accepted. */
  readonly until: Date;
  /** Time of the person's authentication, the earliest of several. Unix milliseconds. */
  readonly authenticatedAt: number;
}

/**
 * Checks the content of an assertion (SAML Profiles 4.1.4.2 and 4.1.4.3), in order of the ids of
 * its requirements.
 * @param assertion parsed from the signed bytes (SAML-2)
 * @param requestId null for a response without a request, which must name none
 * @throws {SamlRefusal}
 */
export function checkAssertion(
  assertion: Element,
  connection: SamlConnection,
  requestId: string | null,
  now: number,
): AcceptedAssertion {
  checkIssuer(assertion, connection);
  checkVersion(assertion, 'SAML-9');
  const confirmedUntil = checkConfirmation(assertion, connection, requestId, now);
  const issued = checkIssued(attributeOf(assertion, 'IssueInstant'), now, 'Assertion');
  const validUntil = checkConditions(assertion, connection, now);
  const authenticatedAt = checkStatements(assertion, now);
  const until = Math.min(confirmedUntil, validUntil, issued + MAX_AGE_MS) + SKEW_MS;
  return { id: attributeOf(assertion, 'ID') ?? '', until: new Date(until), authenticatedAt };
}

/**
 * Checks the confirmation: bearer (SAML-8), our address (SAML-7), not expired, our request
 * (SAML-10).
 */
function checkConfirmation(
  assertion: Element,
  { consumer }: SamlConnection,
  requestId: string | null,
  now: number,
): number {
  const subject = onlyChild(assertion, ASSERTION, 'Subject', 'SAML-8');
  const confirmation = onlyChild(subject, ASSERTION, 'SubjectConfirmation', 'SAML-8');
  demand(attributeOf(confirmation, 'Method') === BEARER, 'SAML-8', 'the confirmation is not by bearer');
  const data = onlyChild(confirmation, ASSERTION, 'SubjectConfirmationData', 'SAML-8');
  demand(attributeOf(data, 'NotBefore') === null, 'SAML-8', 'the confirmation has a NotBefore');
  demand(attributeOf(data, 'Recipient') === consumer, 'SAML-7', 'it is for another recipient');
  demand(inResponseTo(data) === requestId, 'SAML-10', 'it answers another request, or none');
  return checkWindow(null, attributeOf(data, 'NotOnOrAfter'), now, 'SAML-8');
}

/**
 * Checks the conditions (SAML-9). Each AudienceRestriction must name this service: several are
 * joined by "and" (SAML Core 2.5.1.4).
 */
function checkConditions(assertion: Element, { entityId }: SamlConnection, now: number): number {
  const conditions = onlyChild(assertion, ASSERTION, 'Conditions', 'SAML-9');
  demand(
    allChildren(conditions).every((one) => CONDITIONS.some((name) => isElement(one, ASSERTION, name))),
    'SAML-9',
    'there is a condition that is not understood',
  );
  const audiences = childrenOf(conditions, ASSERTION, 'AudienceRestriction').map((restriction) =>
    childrenOf(restriction, ASSERTION, 'Audience').map((audience) => textOf(audience, 'SAML-9')),
  );
  demand(
    audiences.length > 0 && audiences.every((names) => names.includes(entityId)),
    'SAML-9',
    'it is for another audience',
    'audience',
  );
  return checkWindow(
    attributeOf(conditions, 'NotBefore'),
    attributeOf(conditions, 'NotOnOrAfter'),
    now,
    'SAML-9',
  );
}

/** Checks the authentication and its session (SAML-9). @returns time of authentication */
function checkStatements(assertion: Element, now: number): number {
  const statements = childrenOf(assertion, ASSERTION, 'AuthnStatement');
  demand(statements.length > 0, 'SAML-9', 'there is no AuthnStatement');
  const times = statements.map((statement) => {
    const at = instantOf(attributeOf(statement, 'AuthnInstant'), 'SAML-9', 'AuthnInstant');
    demand(at <= now + SKEW_MS, 'SAML-9', 'the authentication is of the future');
    const until = attributeOf(statement, 'SessionNotOnOrAfter');
    if (until !== null) checkWindow(null, until, now, 'SAML-9');
    return at;
  });
  return Math.min(...times);
}
