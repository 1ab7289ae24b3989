import { findKeyFault } from '../../machine/index.js';
import { isObject } from '../../kernel/index.js';
import { isPlainUrl } from '../../platform/config/index.js';
import type { ClientAuthMethod, ClientGrantType, ClientJwks, ClientType } from '../registry/client-traits.js';

/** Characters of a client id: it is shown, and in each of the client's tokens. */
const MAX_URL_LENGTH = 250;
const MAX_NAME_LENGTH = 100;
const MAX_REDIRECT_URIS = 20;
const MAX_ADDRESS_LENGTH = 500;
/** How clients by metadata document can authenticate, the strongest first. */
const METHODS = ['private_key_jwt', 'none'] as const;
type DocumentMethod = (typeof METHODS)[number];
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?\//;

/** Why a metadata document is not used, for the developer of the client. */
export class DocumentFault extends Error {}

/** What a metadata document says of its client. */
export interface DocumentTraits {
  readonly name: string;
  readonly redirectUris: string[];
  readonly type: ClientType;
  readonly grantTypes: ClientGrantType[];
  readonly tokenEndpointAuthMethod: ClientAuthMethod;
  readonly jwks: ClientJwks | null;
  readonly jwksUri: string | null;
  readonly requireDpop: boolean;
  readonly logoUri: string | null;
}

/**
 * Returns whether a client id is the address of a metadata document. The id of a registered client
 * has no colon.
 */
export const isClientUrl = (clientId: string): boolean => clientId.includes('://');

/** Returns the host of a client id, in ASCII: letters of other scripts look like Latin ones. */
export const hostOfClientUrl = (clientId: string): string => new URL(clientId).host;

/**
 * Requires the form of a client id (draft-ietf-oauth-client-id-metadata-document-03 section 3):
 * spelled as it is compared, with a path.
 * @throws {DocumentFault}
 */
export function requireClientUrl(clientId: string): void {
  if (clientId.length > MAX_URL_LENGTH || !isPlainUrl(clientId) || new URL(clientId).pathname === '/')
    throw new DocumentFault(
      `client_id must be a URL of at most ${MAX_URL_LENGTH} characters with a path, in canonical form`,
    );
}

/**
 * Reads a metadata document (section 4 of the draft). Redirect URIs that are neither of the origin
 * of the client id nor loopback addresses are left out, as are grant types that clients by metadata
 * do not have.
 * @param isReachable whether a URL is one that customers can name
 * @throws {DocumentFault}
 */
export function readDocument(
  clientId: string,
  text: string,
  isReachable: (url: string) => boolean,
): DocumentTraits {
  const document = parse(text);
  if (document['client_id'] !== clientId)
    throw new DocumentFault('client_id in the document must be its address, character by character');
  requireNoSecret(document);
  const redirectUris = redirectUrisOf(clientId, document['redirect_uris']);
  const { logo_uri: logoUri } = document;
  const method = methodOf(document);
  const isPublic = method === 'none';
  return {
    name: nameOf(document['client_name']) ?? hostOfClientUrl(clientId),
    redirectUris,
    type: isPublic ? 'public' : 'confidential',
    tokenEndpointAuthMethod: method,
    grantTypes: grantTypesOf(document['grant_types']),
    ...(isPublic ? { jwks: null, jwksUri: null } : keysOf(document, isReachable)),
    requireDpop: document['dpop_bound_access_tokens'] === true,
    logoUri: isAddress(logoUri) && isReachable(logoUri) ? logoUri : null,
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return document;
  } catch {
    // Refused below.
  }
  throw new DocumentFault('the document must be an object of JSON');
}

/**
 * Requires that a document shows no secret and no private key, used or not (section 4.1 of the
 * draft).
 * @throws {DocumentFault}
 */
function requireNoSecret(document: Readonly<Record<string, unknown>>): void {
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    throw new DocumentFault('client_secret must not be in the document');
  if (listKeys(document).some((key) => isObject(key) && ('d' in key || 'k' in key)))
    throw new DocumentFault('jwks must have public keys only');
}

const listKeys = ({ jwks }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  isObject(jwks) && Array.isArray(jwks['keys']) ? jwks['keys'] : [];

function redirectUrisOf(clientId: string, listed: unknown): string[] {
  const { origin } = new URL(clientId);
  const uris = (Array.isArray(listed) ? listed : [])
    .filter((uri) => isAddress(uri))
    .filter((uri) => LOOPBACK.test(uri) || new URL(uri).origin === origin);
  if (uris.length === 0)
    throw new DocumentFault('redirect_uris must have an address of the same origin, or of loopback');
  return [...new Set(uris)].slice(0, MAX_REDIRECT_URIS);
}

const isAddress = (uri: unknown): uri is string =>
  typeof uri === 'string' && uri.length <= MAX_ADDRESS_LENGTH && isPlainUrl(uri);

/**
 * Returns how the client authenticates (section 6 of the draft): by its choice, or else by the
 * strongest of the methods that it supports. Without both members it is public.
 */
function methodOf({
  token_endpoint_auth_method: choice,
  token_endpoint_auth_methods_supported: several,
}: Readonly<Record<string, unknown>>): DocumentMethod {
  if (choice === undefined && several === undefined) return 'none';
  const named = [choice, several].flat().filter((one) => one !== undefined);
  const hasSecret = named.some((one) => String(one).startsWith('client_secret'));
  const method = METHODS.find((one) => one === choice) ?? METHODS.find((one) => named.includes(one));
  if (hasSecret || method === undefined)
    throw new DocumentFault('token_endpoint_auth_method must be none or private_key_jwt');
  return method;
}

/** RFC 7591 section 2: a document without the member has codes only. */
function grantTypesOf(listed: unknown): ClientGrantType[] {
  return Array.isArray(listed) && listed.includes('refresh_token')
    ? ['authorization_code', 'refresh_token']
    : ['authorization_code'];
}

function keysOf(
  document: Readonly<Record<string, unknown>>,
  isReachable: (url: string) => boolean,
): Pick<DocumentTraits, 'jwks' | 'jwksUri'> {
  const { jwks_uri: jwksUri } = document;
  if (isAddress(jwksUri) && isReachable(jwksUri)) return { jwks: null, jwksUri };
  const keys = listKeys(document);
  if (keys.length === 0 || jwksUri !== undefined)
    throw new DocumentFault('jwks_uri must be a public https address, or jwks must have keys');
  if (!keys.every((key) => isObject(key) && findKeyFault(key) === null))
    throw new DocumentFault('jwks must have keys of RS256, PS256, ES256 or EdDSA');
  return { jwks: { keys: keys as object[] }, jwksUri: null };
}

/** Returns a name without control and formatting characters, which could turn the text around. */
function nameOf(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const text = name
    .normalize('NFC')
    .replace(/\p{C}+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return [...text].slice(0, MAX_NAME_LENGTH).join('').trim() || null;
}
