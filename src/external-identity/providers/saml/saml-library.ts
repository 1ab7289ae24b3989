import type { SAML } from '@node-saml/node-saml';
import type { SamlConnection } from './saml-connection.js';
import { SamlRefusal } from './checks/saml-refusal.js';
import type { ConnectionKey } from '../keys/connection-keys.js';
import { MAX_AGE_MS, SKEW_MS } from './checks/saml-times.js';

/**
 * Replaces the library's cache of request ids: ours are derived from the flow, and its cache
 * accepts concurrent replays (node-saml #431).
 */
const NO_CACHE = {
  saveAsync: () => Promise.resolve(null),
  getAsync: () => Promise.resolve(null),
  removeAsync: () => Promise.resolve(null),
};

interface Options {
  /** Signs the message; left out for one that is verified. */
  readonly key?: ConnectionKey;
  readonly requestId?: string;
  readonly responseSigned?: boolean;
  readonly forceAuthn?: boolean;
  /** Whether a form brings the request, which is not compressed then (SAML Bindings 3.5.4). */
  readonly isPosted?: boolean;
}

/**
 * Loads the library, only if SAML is configured, and sets it up for one message. Its defaults are
 * SHA-1 (SAML-16), an email address as NameID, and password authentication only.
 */
async function library(
  connection: SamlConnection,
  { key, requestId = '', responseSigned = false, forceAuthn = false, isPosted = false }: Options,
): Promise<SAML> {
  const { SAML } = await import('@node-saml/node-saml');
  return new SAML({
    entryPoint: connection.entryPoint,
    issuer: connection.entityId,
    callbackUrl: connection.consumer,
    audience: connection.entityId,
    idpCert: [...connection.certificates],
    ...(connection.signsRequests && key && { privateKey: key.privateKey, publicCert: key.certificate }),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    forceAuthn,
    identifierFormat: connection.nameIdFormat ?? null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: responseSigned,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: MAX_AGE_MS,
    skipRequestCompression: isPosted,
    cacheProvider: NO_CACHE,
    generateUniqueId: () => requestId,
  });
}

/** A request for authentication. */
export interface SamlRequest {
  readonly requestId: string;
  readonly relayState: string;
  /** Whether the person must authenticate again (SAML Core 3.4.1). */
  readonly forceAuthn: boolean;
}

/** Returns the address of the identity provider with a signed request (SAML-16). */
export async function requestUrl(
  connection: SamlConnection,
  key: ConnectionKey,
  { relayState, ...request }: SamlRequest,
): Promise<URL> {
  const saml = await library(connection, { key, ...request });
  return new URL(await saml.getAuthorizeUrlAsync(relayState, undefined, {}));
}

/** Returns the fields of the form that brings a request, signed in its XML (SAML-16). */
export async function requestFields(
  connection: SamlConnection,
  key: ConnectionKey,
  { relayState, ...request }: SamlRequest,
): Promise<Readonly<Record<string, string>>> {
  const saml = await library(connection, { key, ...request, isPosted: true });
  return (await saml.getAuthorizeMessageAsync(relayState)) as Record<string, string>;
}

/**
 * Verifies the signatures by the configured certificates only (SAML-1, SAML-2, SAML-5).
 * @param responseSigned whether the response is signed; the library ignores an invalid signature of
 * the response otherwise
 * @returns the assertion, read from the signed bytes
 * @throws {SamlRefusal}
 */
export async function verifiedAssertion(
  connection: SamlConnection,
  text: string,
  responseSigned: boolean,
): Promise<string> {
  const saml = await library(connection, { responseSigned });
  const SAMLResponse = Buffer.from(text).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    throw new SamlRefusal('SAML-1', 'it does not verify', error);
  });
  const assertion = profile?.getAssertionXml?.();
  if (!assertion) throw new SamlRefusal('SAML-2', 'nothing is signed');
  return assertion;
}
