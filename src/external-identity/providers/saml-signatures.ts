import type { Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';
import type { SamlMessage } from './saml-structure.js';
import { attributeOf, childrenOf, elementsIn, onlyChild, SIGNATURE } from './saml-xml.js';

/** SHA-256 or better, of those that the library can verify: it knows no ECDSA. */
const SIGNATURE_METHODS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);
const DIGEST_METHODS = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** Looked for at every element that is canonicalised: identity providers name one or two. */
const LONGEST_PREFIX_LIST = 100;
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
 * SAML-1 and SAML-4: what each signature says of itself, before its arithmetic is done. The assertion has one, for identity is read from
 * it; the response may have one, and if it has, it must be good too.
 * @throws {SamlRefusal}
 */
export function checkSignatures({ response, assertion, signatures }: SamlMessage): void {
  if (assertion) onlyChild(assertion, SIGNATURE, 'Signature', 'SAML-1');
  demand(childrenOf(response, SIGNATURE, 'Signature').length <= 1, 'SAML-1', 'there is another Signature');
  for (const signature of signatures) checkSignature(signature);
}

function checkSignature(signature: Element): void {
  const elements = [...elementsIn(signature)].map(({ element }) => element);
  for (const name of ONCE)
    demand(
      elements.filter((one) => one.localName === name).length === 1,
      'SAML-1',
      `there must be one ${name}`,
    );
  demand(!elements.some((one) => one.localName === 'Object'), 'SAML-1', 'the Signature has an Object');
  demand(
    elements.every((one) => (attributeOf(one, 'PrefixList')?.length ?? 0) <= LONGEST_PREFIX_LIST),
    'SAML-1',
    'a list of prefixes is too long',
  );

  const info = onlyChild(signature, SIGNATURE, 'SignedInfo', 'SAML-1');
  const reference = onlyChild(info, SIGNATURE, 'Reference', 'SAML-1');
  const signed = attributeOf(signature.parentNode as Element, 'ID') ?? '';
  demand(
    signed !== '' && attributeOf(reference, 'URI') === `#${signed}`,
    'SAML-1',
    'it signs something else',
  );

  const transforms = childrenOf(
    onlyChild(reference, SIGNATURE, 'Transforms', 'SAML-1'),
    SIGNATURE,
    'Transform',
  ).map(algorithmOf);
  demand(
    transforms.length === TRANSFORMS.length && transforms.every((one, at) => one === TRANSFORMS[at]),
    'SAML-1',
    'it transforms what it signs otherwise',
  );
  const canonicalization = onlyChild(info, SIGNATURE, 'CanonicalizationMethod', 'SAML-1');
  demand(algorithmOf(canonicalization) === EXCLUSIVE, 'SAML-1', 'it is canonicalised otherwise');

  const method = onlyChild(info, SIGNATURE, 'SignatureMethod', 'SAML-1');
  demand(SIGNATURE_METHODS.has(algorithmOf(method)), 'SAML-4', 'the signature algorithm is not allowed');
  const digest = onlyChild(reference, SIGNATURE, 'DigestMethod', 'SAML-1');
  demand(DIGEST_METHODS.has(algorithmOf(digest)), 'SAML-4', 'the digest algorithm is not allowed');
}

function algorithmOf(element: Element): string {
  return attributeOf(element, 'Algorithm') ?? '';
}
