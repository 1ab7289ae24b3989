import { hash, verify } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';
import type { SamlSignature } from './saml-signatures.js';
import { elementsAround } from './saml-xml.js';

type Canonicalized = SamlSignature['signed'];

/**
 * SAML-1 and SAML-5: what nobody has signed is refused cheaply. The library would search and
 * canonicalise all of an answer, which may take a quarter of a second, before it knows who has
 * signed. This looks at the SignedInfo first, which is small, and then at the digest, so that the
 * library sees nothing but what the identity provider has signed. It is an early no and never a
 * yes: the library decides.
 *
 * Takes the signatures out of the document.
 * @param signatures in the order of the document
 * @throws {SamlRefusal}
 */
export async function refuseForgeries(
  signatures: readonly SamlSignature[],
  certificates: readonly string[],
): Promise<void> {
  const { ExclusiveCanonicalization } = await import('xml-crypto');
  const canonical = ({ element, prefixes }: Canonicalized): string =>
    // It declares to take an element of a browser.
    new ExclusiveCanonicalization().process(element as never, {
      inclusiveNamespacesPrefixList: [...prefixes],
      ancestorNamespaces: namespacesAround(element),
    });

  for (const { info, value, method } of signatures) {
    const bytes = Buffer.from(canonical(info));
    demand(
      certificates.some((key) => verify(method.hash, bytes, { ...method, key }, value)),
      'SAML-1',
      'no certificate of the connection has signed it',
    );
  }
  for (const { element, signed, hash: algorithm, digest } of signatures) {
    signed.element.removeChild(element);
    demand(
      hash(algorithm, canonical(signed), 'buffer').equals(digest),
      'SAML-1',
      'something else was signed',
    );
  }
}

/** The prefixes that are declared around an element or on it; the innermost declaration counts. */
function namespacesAround(element: Element): { prefix: string; namespaceURI: string }[] {
  const found = new Map<string, string>();
  for (const around of elementsAround(element))
    for (const { name, value } of Array.from(around.attributes)) {
      const prefix = /^xmlns:(.+)$/.exec(name)?.[1];
      if (prefix !== undefined && !found.has(prefix)) found.set(prefix, value);
    }
  return [...found].map(([prefix, namespaceURI]) => ({ prefix, namespaceURI }));
}
