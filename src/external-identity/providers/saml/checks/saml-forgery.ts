import { hash, verify } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';
import { readSignature, type SamlSignature } from './saml-signatures.js';
import { childrenOf, elementsAround, elementsIn, SIGNATURE } from './saml-xml.js';

type Canonicalized = SamlSignature['signed'];

/**
 * Refuses forged responses early (SAML-1, SAML-5). The library canonicalizes the whole response,
 * which can take 250 ms, before it verifies the signer. This verifies the small SignedInfo first
 * and then the digest, so that the library processes only what the identity provider has signed. It
 * only refuses; the library decides.
 *
 * Removes the signatures from the document.
 * @param signatures in the order of the document
 * @returns the certificates that verify a signature: several, if they hold the same key
 * @throws {SamlRefusal}
 */
export async function refuseForgeries(
  signatures: readonly SamlSignature[],
  certificates: readonly string[],
): Promise<readonly string[]> {
  const { ExclusiveCanonicalization } = await import('xml-crypto');
  const canonical = ({ element, prefixes }: Canonicalized): string =>
    // Its type declaration expects an element of a browser.
    new ExclusiveCanonicalization().process(element as never, {
      inclusiveNamespacesPrefixList: [...prefixes],
      ancestorNamespaces: namespacesAround(element),
    });

  const signers: string[] = [];
  for (const { info, value, method } of signatures) {
    const bytes = Buffer.from(canonical(info));
    const verifying = certificates.filter((key) => verify(method.hash, bytes, { ...method, key }, value));
    demand(verifying.length > 0, 'SAML-1', 'no certificate of the connection has signed it', 'unknown-key');
    signers.push(...verifying);
  }
  for (const { element, signed, hash: algorithm, digest } of signatures) {
    signed.element.removeChild(element);
    demand(
      hash(algorithm, canonical(signed), 'buffer').equals(digest),
      'SAML-1',
      'something else was signed',
    );
  }
  return signers;
}

/**
 * Requires that an element is signed as a whole, once, by one of the certificates. Removes the
 * signature from the document.
 * @throws {SamlRefusal}
 */
export async function requireSigned(root: Element, certificates: readonly string[]): Promise<void> {
  const signatures = childrenOf(root, SIGNATURE, 'Signature');
  const all = [...elementsIn(root)].filter(({ element }) => element.localName === 'Signature');
  demand(signatures.length > 0, 'SAML-17', 'it is not signed', 'unsigned');
  demand(signatures.length === 1 && all.length === 1, 'SAML-1', 'there is another Signature');
  await refuseForgeries(signatures.map(readSignature), certificates);
}

/** Returns the namespaces in scope of an element; the innermost declaration counts. */
function namespacesAround(element: Element): { prefix: string; namespaceURI: string }[] {
  const found = new Map<string, string>();
  for (const around of elementsAround(element))
    for (const { name, value } of Array.from(around.attributes)) {
      const prefix = /^xmlns:(.+)$/.exec(name)?.[1];
      if (prefix !== undefined && !found.has(prefix)) found.set(prefix, value);
    }
  return [...found].map(([prefix, namespaceURI]) => ({ prefix, namespaceURI }));
}
