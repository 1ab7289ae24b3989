import { escapeXml } from './logout/saml-logout-messages.js';
import type { SamlConnection } from './saml-connection.js';
import type { ConnectionKey } from '../keys/connection-keys.js';

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';
const DECRYPTED = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#rsa-oaep',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
];

/**
 * Creates the metadata for administrators of identity providers to import (SAML Metadata 2.4.4).
 * An encryption key is in it only if assertions must be encrypted: providers encrypt as soon as
 * there is one. A retired key is not, so that they encrypt to it no more.
 * @param keys in the order in which providers should take them
 */
export function metadataXml(connection: SamlConnection, keys: readonly ConnectionKey[]): string {
  const { entityId, consumer, logout, signsRequests, wantsEncryption, nameIdFormat } = connection;
  const lines = [
    '<?xml version="1.0"?>',
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeXml(entityId)}" ID="_gatehouse">`,
    `  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true">`,
    // Requests for a logout are signed even if those for a sign-in are not.
    ...keys.flatMap(({ certificate }) => keyDescriptor('signing', certificate)),
    ...(wantsEncryption ? keys.filter(({ status }) => status !== 'retired') : []).flatMap(({ certificate }) =>
      keyDescriptor('encryption', certificate, DECRYPTED),
    ),
    ...(logout === null
      ? []
      : ['HTTP-Redirect', 'HTTP-POST'].map(
          (binding) =>
            `    <SingleLogoutService Binding="${BINDINGS}:${binding}" Location="${escapeXml(logout)}"/>`,
        )),
    ...(nameIdFormat ? [`    <NameIDFormat>${escapeXml(nameIdFormat)}</NameIDFormat>`] : []),
    `    <AssertionConsumerService index="1" isDefault="true" Binding="${BINDINGS}:HTTP-POST" Location="${escapeXml(consumer)}"/>`,
    '  </SPSSODescriptor>',
    '</EntityDescriptor>',
  ];
  return lines.join('\n');
}

function keyDescriptor(use: string, certificate: string, methods: readonly string[] = []): string[] {
  const text = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return [
    `    <KeyDescriptor use="${use}">`,
    `      <ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
    ...methods.map((method) => `      <EncryptionMethod Algorithm="${method}"/>`),
    '    </KeyDescriptor>',
  ];
}
