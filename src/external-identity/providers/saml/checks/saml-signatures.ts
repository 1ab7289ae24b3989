import type { Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';
import type { SamlMessage } from './saml-structure.js';
import { attributeOf, childrenOf, elementsIn, onlyChild, SIGNATURE, textOf } from './saml-xml.js';
import { constants } from 'node:crypto';

/** Parameters of node:crypto to verify a signature. */
export interface SignatureMethod {
  readonly hash: string;
  readonly padding: number;
  readonly saltLength?: number;
}

/**
 * Accepted algorithms: SHA-256 or better that the library supports, which is not ECDSA (SAML-4).
 */
export const SIGNATURE_METHODS: ReadonlyMap<string, SignatureMethod> = new Map<string, SignatureMethod>([
  [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    { hash: 'sha256', padding: constants.RSA_PKCS1_PADDING },
  ],
  [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    { hash: 'sha512', padding: constants.RSA_PKCS1_PADDING },
  ],
  [
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
    {
      hash: 'sha256',
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    },
  ],
]);

/** Accepted hashes, by their names in node:crypto. */
const DIGEST_METHODS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/**
 * In characters. Searched at each canonicalized element; identity providers list 1 or 2 prefixes.
 */
const MAX_PREFIX_LIST = 100;
/**
 * Elements and attributes. The SignedInfo is canonicalized before the signature is verified;
 * identity providers send about twenty.
 */
const MAX_SIGNED_INFO_NODES = 60;
const TRANSFORMS = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE];

/** Elements that a signature must contain exactly once, at any depth. */
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

/** An element to canonicalize, and its InclusiveNamespaces prefixes. */
interface Canonicalized {
  readonly element: Element;
  readonly prefixes: readonly string[];
}

/** Content of a signature. It signs the SignedInfo, which contains the digest of the element. */
export interface SamlSignature {
  readonly element: Element;
  readonly info: Canonicalized;
  readonly method: SignatureMethod;
  readonly value: Buffer;
  /** The parent of the signature, without the signature itself. */
  readonly signed: Canonicalized;
  readonly hash: string;
  readonly digest: Buffer;
}

/**
 * Reads the signatures and checks form and algorithms (SAML-1, SAML-4), before they are verified.
 * The assertion must have one, because the identity is read from it. The response may have one,
 * which must be valid too.
 * @throws {SamlRefusal}
 */
export function readSignatures({ response, assertion, signatures }: SamlMessage): readonly SamlSignature[] {
  const isSigned = !assertion || childrenOf(assertion, SIGNATURE, 'Signature').length === 1;
  demand(isSigned, 'SAML-1', 'there must be one Signature', 'unsigned');
  demand(childrenOf(response, SIGNATURE, 'Signature').length <= 1, 'SAML-1', 'there is another Signature');
  return signatures.map(readSignature);
}

/**
 * Reads one signature, of its parent.
 * @throws {SamlRefusal}
 */
export function readSignature(element: Element): SamlSignature {
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
    elements.every((one) => (attributeOf(one, 'PrefixList')?.length ?? 0) <= MAX_PREFIX_LIST),
    'SAML-1',
    'a list of prefixes is too long',
  );
  const inInfo = named('SignedInfo').flatMap((info) => [...elementsIn(info)]);
  const count = inInfo.reduce((sum, { element }) => sum + 1 + element.attributes.length, 0);
  demand(count <= MAX_SIGNED_INFO_NODES, 'SAML-1', 'there is too much in the SignedInfo');
}

function algorithmOf(element: Element): string {
  return attributeOf(element, 'Algorithm') ?? '';
}

/** Returns the InclusiveNamespaces prefixes (Exclusive XML Canonicalization 1.0, section 4). */
function prefixesIn(algorithm: Element): string[] {
  return childrenOf(algorithm, EXCLUSIVE, 'InclusiveNamespaces')
    .flatMap((one) => attributeOf(one, 'PrefixList')?.split(' ') ?? [])
    .filter((prefix) => prefix !== '');
}

function bytesIn(parent: Element, name: string): Buffer {
  return Buffer.from(textOf(onlyChild(parent, SIGNATURE, name, 'SAML-1'), 'SAML-1'), 'base64');
}
