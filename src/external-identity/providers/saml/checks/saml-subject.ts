import type { Element } from '@xmldom/xmldom';
import { domainOf, isEmailAddress } from '../../../../kernel/index.js';
import type { ReadAttributes } from '../../../../connection/index.js';
import { booleanOf, boundAttributes } from '../../attributes.js';
import type { SamlConnection } from '../saml-connection.js';
import type { ProvenProfile } from '../../provider.js';
import { demand, type SamlCheck } from './saml-refusal.js';
import { allChildren, ASSERTION, attributeOf, childrenOf, isElement, onlyChild, textOf } from './saml-xml.js';

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** Maximum length of a NameID (SAML Core 8.3.7). */
const MAX_NAME_ID = 256;
// eslint-disable-next-line no-control-regex -- refuses control characters, which corrupt output
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Names of the attributes that are read, in order of preference. All others are ignored. */
const EMAIL = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'email',
  'mail',
];
/** Contexts of an authentication by two factors (SAML Core 2.7.2.2, REFEDS MFA). */
const TWO_FACTORS = [
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered',
];
/** Attribute in which Entra ID names the contexts. */
const METHODS = 'http://schemas.microsoft.com/claims/authnmethodsreferences';
/** Attribute of groups of Entra ID, which sends a link in place of more than 150. */
const ENTRA_GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';
/** Attributes that deny the address, if they say `false`. */
const EMAIL_VERIFIED = ['email_verified', 'http://schemas.auth0.com/email_verified'];
const FIRST_NAME = [
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  'givenName',
  'firstName',
];
const LAST_NAME = [
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  'sn',
  'surname',
  'lastName',
];
const DISPLAY_NAME = [
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'displayName',
];

/** A NameID with its attributes (SAML Core 2.2.2). */
interface NameId {
  readonly value: string;
  readonly format: string | null;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
}

/**
 * Reads the subject of an assertion (SAML-13), and the address if it is of a domain of the
 * connection (SAML-14).
 * @throws {SamlRefusal}
 */
export function readSubject(assertion: Element, connection: SamlConnection): Omit<ProvenProfile, 'once'> {
  const { value: subject, ...nameId } = readSubjectName(assertion, connection);
  const [sessionIndex] = childrenOf(assertion, ASSERTION, 'AuthnStatement').flatMap(
    (one) => attributeOf(one, 'SessionIndex') ?? [],
  );
  const attributes = readAttributes(assertion);
  const names = connection.attributes ?? {};
  const email =
    firstOf(attributes, named(names.email, EMAIL)) ?? (nameId.format === EMAIL_FORMAT ? subject : null);
  const isDenied = booleanOf(firstOf(attributes, EMAIL_VERIFIED) ?? undefined) === false;
  const own = email !== null && !isDenied && isOfDomains(email, connection.domains);
  return {
    issuer: connection.idpIssuer,
    subject,
    upstream: { nameId, ...(sessionIndex !== undefined && { sessionIndex }) },
    email: own ? email : null,
    emailProof: own ? 'authority' : 'none',
    firstName: firstOf(attributes, named(names.firstName, FIRST_NAME)),
    lastName: firstOf(attributes, named(names.lastName, LAST_NAME)),
    displayName: firstOf(attributes, named(names.displayName, DISPLAY_NAME)),
    isTwoFactor: readContexts(assertion, attributes).some((one) => TWO_FACTORS.includes(one)),
    ...readValues(attributes, names.groups),
  };
}

/** Returns how the person authenticated, as the statements or Entra ID's attribute say. */
function readContexts(assertion: Element, attributes: ReadonlyMap<string, Element>): string[] {
  const contexts = childrenOf(assertion, ASSERTION, 'AuthnStatement')
    .flatMap((statement) => childrenOf(statement, ASSERTION, 'AuthnContext'))
    .flatMap((context) => childrenOf(context, ASSERTION, 'AuthnContextClassRef'));
  const methods = attributes.get(METHODS);
  const values = methods ? childrenOf(methods, ASSERTION, 'AttributeValue') : [];
  return [...contexts, ...values]
    .filter((one) => allChildren(one).length === 0)
    .map((one) => textOf(one, 'SAML-13'));
}

/** Returns the configured name, or else the usual ones. */
const named = (name: string | undefined, usual: readonly string[]): readonly string[] =>
  name === undefined ? usual : [name];

/** Reads the subject of an assertion, which must be a persistent NameID. */
function readSubjectName(assertion: Element, connection: SamlConnection): NameId {
  const subject = onlyChild(assertion, ASSERTION, 'Subject', 'SAML-13');
  demand(
    allChildren(subject).every(
      (one) => isElement(one, ASSERTION, 'NameID') || isElement(one, ASSERTION, 'SubjectConfirmation'),
    ),
    'SAML-13',
    'the Subject is named otherwise',
  );
  return readNameId(subject, connection, 'SAML-13');
}

/**
 * Reads a persistent NameID of this identity provider. It is compared without normalization.
 * @throws {SamlRefusal}
 */
export function readNameId(
  parent: Element,
  { idpIssuer, entityId }: Pick<SamlConnection, 'idpIssuer' | 'entityId'>,
  check: SamlCheck,
): NameId {
  const nameId = onlyChild(parent, ASSERTION, 'NameID', check);
  const format = attributeOf(nameId, 'Format');
  demand(format !== TRANSIENT, check, 'the NameID is transient');
  const value = textOf(nameId, check);
  demand(
    value.trim() !== '' && value.length <= MAX_NAME_ID && !CONTROL.test(value),
    check,
    'the NameID is empty, too long or has control characters',
  );
  const nameQualifier = attributeOf(nameId, 'NameQualifier');
  demand([null, idpIssuer].includes(nameQualifier), check, 'the NameID is of another identity provider');
  const spNameQualifier = attributeOf(nameId, 'SPNameQualifier');
  demand([null, entityId].includes(spNameQualifier), check, 'the NameID is for another service');
  return { value, format, nameQualifier, spNameQualifier };
}

/** Returns the attributes by name. Refuses a duplicate name. */
function readAttributes(assertion: Element): ReadonlyMap<string, Element> {
  const attributes = new Map<string, Element>();
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? '';
      demand(!attributes.has(name), 'SAML-13', 'an Attribute is there twice');
      attributes.set(name, attribute);
    }
  return attributes;
}

/** Returns the values of plain text, with those of the configured groups under that name. */
function readValues(elements: ReadonlyMap<string, Element>, groups: string | undefined): ReadAttributes {
  return boundAttributes(
    [...elements].map(([name, element]) => [
      name,
      childrenOf(element, ASSERTION, 'AttributeValue')
        .filter((value) => allChildren(value).length === 0)
        .map((value) => textOf(value, 'SAML-13')),
    ]),
    groups,
    leftOut(elements, groups),
  );
}

/** Returns the attributes of groups in whose place Entra ID has sent a link. */
function leftOut(elements: ReadonlyMap<string, Element>, groups: string | undefined): string[] {
  if (!elements.has(GROUPS_LINK)) return [];
  return [ENTRA_GROUPS, ...(groups !== undefined && !elements.has(groups) ? [groups] : [])];
}

/** Returns the first of these attributes that has exactly one value, of plain text. */
function firstOf(attributes: ReadonlyMap<string, Element>, names: readonly string[]): string | null {
  for (const name of names) {
    const attribute = attributes.get(name);
    const [value, ...others] = attribute ? childrenOf(attribute, ASSERTION, 'AttributeValue') : [];
    if (value && others.length === 0 && allChildren(value).length === 0) return textOf(value, 'SAML-13');
  }
  return null;
}

function isOfDomains(email: string, domains: readonly string[]): boolean {
  return isEmailAddress(email) && domains.includes(domainOf(email));
}
