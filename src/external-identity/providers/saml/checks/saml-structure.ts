import type { Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';
import {
  ASSERTION,
  childrenOf,
  elementsIn,
  elementsWithin,
  isElement,
  PROTOCOL,
  SIGNATURE,
} from './saml-xml.js';

export const MAX_DEPTH = 30;
/** Requests are shallow: a signature has the deepest elements. */
const MAX_REQUEST_DEPTH = 10;

/** Elements of a response, each of which occurs once. */
export interface SamlMessage {
  readonly response: Element;
  /** Null in a response that reports a failed sign-in. */
  readonly assertion: Element | null;
  readonly signatures: readonly Element[];
}

/**
 * Checks the structure of the whole document in any namespace (SAML-3, SAML-12): one of each
 * element, in its place, to prevent signature wrapping (XSW1 to XSW8).
 * @throws {SamlRefusal}
 */
export function readStructure(root: Element): SamlMessage {
  const elements = elementsWithin(root, MAX_DEPTH);
  const named = (name: string) => elements.filter(({ localName }) => localName === name);
  demand(isElement(root, PROTOCOL, 'Response'), 'SAML-3', 'it must be a Response');
  demand(named('Response').length === 1, 'SAML-3', 'there is another Response');
  demand(
    !elements.some(({ localName }) => localName.startsWith('Encrypted')),
    'SAML-12',
    'it is encrypted, which is not offered',
  );
  demand(named('Assertion').length <= 1, 'SAML-3', 'there is another Assertion');
  const [assertion = null] = childrenOf(root, ASSERTION, 'Assertion');
  demand(named('Assertion').length === (assertion ? 1 : 0), 'SAML-3', 'the Assertion is in a wrong place');
  requireUniqueIds(elements);

  const signatures = [root, ...(assertion ? [assertion] : [])].flatMap((parent) =>
    childrenOf(parent, SIGNATURE, 'Signature'),
  );
  demand(named('Signature').length === signatures.length, 'SAML-1', 'a Signature is in a wrong place');
  return { response: root, assertion, signatures };
}

/** @throws {SamlRefusal} if two elements have the same ID, in any spelling of its name */
export function requireUniqueIds(elements: readonly Element[]): void {
  const ids = elements.flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ localName, name }) => (localName || name).toLowerCase() === 'id')
      .map(({ value }) => value),
  );
  demand(new Set(ids).size === ids.length, 'SAML-3', 'an ID is there twice');
}

/**
 * Checks the structure of a request: the whole element is what is signed, so that what is read is
 * what was signed (SAML-2).
 * @param name of its element, of the protocol
 * @throws {SamlRefusal}
 */
export function requireForm(root: Element, name: string): void {
  demand(isElement(root, PROTOCOL, name), 'SAML-3', `it must be a ${name}`);
  const elements = elementsWithin(root, MAX_REQUEST_DEPTH);
  requireUniqueIds(elements);
  demand(
    !elements.some(({ localName }) => localName?.startsWith('Encrypted')),
    'SAML-12',
    'it is encrypted, which is not offered',
  );
}

/** Returns whether there is a signature anywhere in a message. */
export const hasSignature = (root: Element): boolean =>
  [...elementsIn(root)].some(({ element }) => element.localName === 'Signature');
