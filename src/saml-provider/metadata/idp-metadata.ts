import type { ProviderAddresses } from '../clients/provider-addresses.js';
import type { SamlSettings } from '../clients/saml-client.js';
import { FORMAT_NAMES, METADATA, POST, PROTOCOL, REDIRECT, SIGNATURE } from '../messages/saml-names.js';
import { element } from '../messages/xml-builder.js';

/**
 * Creates the metadata of this service for one app (SAML Metadata 2.4.3). A key that will sign
 * later is in it, so that the app knows it by then; one that has signed is not.
 * @param certificates the one that signs first, because many apps take the first one only
 */
export function idpMetadata(
  { entityId, signIn, logout }: ProviderAddresses,
  { requireSignedRequests, nameIdFormat }: SamlSettings,
  certificates: readonly string[],
): string {
  const endpoints = (name: 'md:SingleLogoutService' | 'md:SingleSignOnService', location: string) =>
    [REDIRECT, POST].map((binding) => element(name, { Binding: binding, Location: location }));
  const formats = Object.entries(FORMAT_NAMES)
    .toSorted(([one], [other]) => Number(other === nameIdFormat) - Number(one === nameIdFormat))
    .map(([, format]) => element('md:NameIDFormat', {}, format));
  const descriptor = element(
    'md:IDPSSODescriptor',
    {
      WantAuthnRequestsSigned: String(requireSignedRequests),
      protocolSupportEnumeration: PROTOCOL,
    },
    ...certificates.map(keyDescriptor),
    ...endpoints('md:SingleLogoutService', logout),
    ...formats,
    ...endpoints('md:SingleSignOnService', signIn),
  );
  const root = { 'xmlns:md': METADATA, 'xmlns:ds': SIGNATURE, entityID: entityId };
  return `<?xml version="1.0"?>\n${element('md:EntityDescriptor', root, descriptor).xml}`;
}

function keyDescriptor(certificate: string) {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  const data = element('ds:X509Data', {}, element('ds:X509Certificate', {}, base64));
  return element('md:KeyDescriptor', { use: 'signing' }, element('ds:KeyInfo', {}, data));
}
