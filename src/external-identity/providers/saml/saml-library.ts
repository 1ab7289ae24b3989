import type { SAML } from '@node-saml/passport-saml';
import type { SamlConnection } from './saml-connection.js';
import { SamlRefusal } from './checks/saml-refusal.js';
import type { SamlKey } from './saml-key.service.js';
import { OLDEST_MS, SKEW_MS } from './checks/saml-times.js';

/**
 * The library would keep request ids here. Ours follow from the flow, and its cache accepts
 * parallel replays (node-saml #431).
 */
const NO_CACHE = {
  saveAsync: () => Promise.resolve(null),
  getAsync: () => Promise.resolve(null),
  removeAsync: () => Promise.resolve(null),
};

interface Options {
  readonly requestId?: string;
  readonly responseSigned?: boolean;
  readonly forceAuthn?: boolean;
}

/**
 * The library, loaded for whoever has SAML and set up for one message. Its defaults are SHA-1
 * (SAML-16), a mail address as NameID, and a password as the only way in.
 */
async function library(
  connection: SamlConnection,
  key: SamlKey,
  { requestId = '', responseSigned = false, forceAuthn = false }: Options = {},
): Promise<SAML> {
  const { SAML } = await import('@node-saml/passport-saml');
  return new SAML({
    entryPoint: connection.entryPoint,
    issuer: connection.entityId,
    callbackUrl: connection.consumer,
    audience: connection.entityId,
    idpCert: [...connection.certificates],
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    forceAuthn,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: responseSigned,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: OLDEST_MS,
    cacheProvider: NO_CACHE,
    generateUniqueId: () => requestId,
  });
}

/**
 * SAML-16: the address of the identity provider, with a signed request of this id.
 * @param forceAuthn whether people have to prove anew who they are (SAML Core 3.4.1)
 */
export async function requestUrl(
  connection: SamlConnection,
  key: SamlKey,
  requestId: string,
  relayState: string,
  forceAuthn: boolean,
): Promise<URL> {
  const saml = await library(connection, key, { requestId, forceAuthn });
  return new URL(await saml.getAuthorizeUrlAsync(relayState, undefined, {}));
}

/** What an identity provider's admin imports. */
export async function metadataXml(connection: SamlConnection, key: SamlKey): Promise<string> {
  const saml = await library(connection, key, { requestId: '_gatehouse' });
  return saml.generateServiceProviderMetadata(null, key.certificate);
}

/**
 * SAML-1, SAML-2 and SAML-5: the arithmetic, by the configured certificates alone.
 * @param responseSigned a signature that is there must be good; the library would pass over a bad
 * one on the response
 * @returns the assertion, from the bytes that are signed and nowhere else
 * @throws {SamlRefusal}
 */
export async function verifiedAssertion(
  connection: SamlConnection,
  key: SamlKey,
  text: string,
  responseSigned: boolean,
): Promise<string> {
  const saml = await library(connection, key, { responseSigned });
  const SAMLResponse = Buffer.from(text).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    throw new SamlRefusal('SAML-1', 'it does not verify', error);
  });
  const assertion = profile?.getAssertionXml?.();
  if (!assertion) throw new SamlRefusal('SAML-2', 'nothing is signed');
  return assertion;
}
