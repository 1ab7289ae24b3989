import type { Element } from '@xmldom/xmldom';
import { DIGEST_METHODS, SIGNATURE_METHODS, type SignatureMethod } from './saml-algorithms.js';
import { demand } from './saml-refusal.js';
import type { SamlMessage } from './saml-structure.js';
import { attributeOf, childrenOf, elementsIn, onlyChild, SIGNATURE, textOf } from './saml-xml.js';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** Looked for at every element that is canonicalised: identity providers name one or two. */
const LONGEST_PREFIX_LIST = 100;
/**
 * Elements and attributes. It is canonicalised before it is known who has signed; identity
 * providers send some twenty.
 */
const MOST_IN_SIGNED_INFO = 60;
const TRANSFORMS = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE];

/** What a signature must have once, wherever a reader of it may look. */
const ONCE = [
  'SignedInfo',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'Transforms',
  'DigestMethod',
  'DigestValue',
  'SignatureValue',
];

/**
 * A part of an answer that is canonicalised, and the prefixes in it that count though no name has
 * them.
 */
interface Canonicalized {
  readonly element: Element;
  readonly prefixes: readonly string[];
}

/**
 * What a signature says of itself. It signs the SignedInfo, and that has the digest of the rest.
 */
export interface SamlSignature {
  readonly element: Element;
  readonly info: Canonicalized;
  readonly method: SignatureMethod;
  readonly value: Buffer;
  /** The parent of the signature, with everything in it but the signature. */
  readonly signed: Canonicalized;
  readonly hash: string;
  readonly digest: Buffer;
}

/**
 * SAML-1 and SAML-4: what each signature says of itself, before its arithmetic is done. The
 * assertion has one, for identity is read from it; the response may have one, and if it has, it
 * must be good too.
 * @throws {SamlRefusal}
 */
export function readSignatures({ response, assertion, signatures }: SamlMessage): readonly SamlSignature[] {
  if (assertion) onlyChild(assertion, SIGNATURE, 'Signature', 'SAML-1');
  demand(childrenOf(response, SIGNATURE, 'Signature').length <= 1, 'SAML-1', 'there is another Signature');
  return signatures.map(readSignature);
}

function readSignature(element: Element): SamlSignature {
  checkContents(element);
  const info = onlyChild(element, SIGNATURE, 'SignedInfo', 'SAML-1');
  const canonicalization = onlyChild(info, SIGNATURE, 'CanonicalizationMethod', 'SAML-1');
  demand(algorithmOf(canonicalization) === EXCLUSIVE, 'SAML-1', 'it is canonicalised otherwise');
  const method = SIGNATURE_METHODS.get(algorithmOf(onlyChild(info, SIGNATURE, 'SignatureMethod', 'SAML-1')));
  demand(method !== undefined, 'SAML-4', 'the signature algorithm is not allowed');
  return {
    element,
    info: { element: info, prefixes: prefixesIn(canonicalization) },
    method,
    value: bytesIn(element, 'SignatureValue'),
    ...readReference(onlyChild(info, SIGNATURE, 'Reference', 'SAML-1'), element.parentNode as Element),
  };
}

function readReference(
  reference: Element,
  signed: Element,
): Pick<SamlSignature, 'signed' | 'hash' | 'digest'> {
  const id = attributeOf(signed, 'ID') ?? '';
  demand(id !== '' && attributeOf(reference, 'URI') === `#${id}`, 'SAML-1', 'it signs something else');
  const list = onlyChild(reference, SIGNATURE, 'Transforms', 'SAML-1');
  const transforms = childrenOf(list, SIGNATURE, 'Transform');
  demand(
    transforms.length === TRANSFORMS.length &&
      transforms.every((one, at) => algorithmOf(one) === TRANSFORMS[at]),
    'SAML-1',
    'it transforms what it signs otherwise',
  );
  const hash = DIGEST_METHODS.get(algorithmOf(onlyChild(reference, SIGNATURE, 'DigestMethod', 'SAML-1')));
  demand(hash !== undefined, 'SAML-4', 'the digest algorithm is not allowed');
  return {
    signed: { element: signed, prefixes: transforms.flatMap(prefixesIn) },
    hash,
    digest: bytesIn(reference, 'DigestValue'),
  };
}

function checkContents(signature: Element): void {
  const elements = [...elementsIn(signature)].map(({ element }) => element);
  const named = (name: string) => elements.filter((one) => one.localName === name);
  for (const name of ONCE) demand(named(name).length === 1, 'SAML-1', `there must be one ${name}`);
  demand(named('Object').length === 0, 'SAML-1', 'the Signature has an Object');
  demand(
    elements.every((one) => (attributeOf(one, 'PrefixList')?.length ?? 0) <= LONGEST_PREFIX_LIST),
    'SAML-1',
    'a list of prefixes is too long',
  );
  const inInfo = named('SignedInfo').flatMap((info) => [...elementsIn(info)]);
  const count = inInfo.reduce((sum, { element }) => sum + 1 + element.attributes.length, 0);
  demand(count <= MOST_IN_SIGNED_INFO, 'SAML-1', 'there is too much in the SignedInfo');
}

function algorithmOf(element: Element): string {
  return attributeOf(element, 'Algorithm') ?? '';
}

/** Of an algorithm (Exclusive XML Canonicalization 1.0, section 4). */
function prefixesIn(algorithm: Element): string[] {
  return childrenOf(algorithm, EXCLUSIVE, 'InclusiveNamespaces')
    .flatMap((one) => attributeOf(one, 'PrefixList')?.split(' ') ?? [])
    .filter((prefix) => prefix !== '');
}

function bytesIn(parent: Element, name: string): Buffer {
  return Buffer.from(textOf(onlyChild(parent, SIGNATURE, name, 'SAML-1'), 'SAML-1'), 'base64');
}
