import type { ProviderKey } from '../keys/provider-keys.js';
import type { Xml } from './xml-builder.js';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const TRANSFORMS = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE];
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/**
 * Signs an element with its `ID`, and puts the signature behind its Issuer, where the schemas of
 * SAML have it.
 * @param message whose root it is
 */
export async function signed(
  message: Xml,
  id: string,
  { privateKey, certificate }: ProviderKey,
): Promise<Xml> {
  const { SignedXml } = await import('xml-crypto');
  const signer = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  const root = `/*[@ID='${id}']`;
  signer.addReference({ xpath: root, transforms: TRANSFORMS, digestAlgorithm: SHA256 });
  signer.computeSignature(message.xml, {
    prefix: 'ds',
    location: { reference: `${root}/*[local-name()='Issuer']`, action: 'after' },
  });
  return { xml: signer.getSignedXml() };
}
