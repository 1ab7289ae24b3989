import {
  acceptsAlg,
  acceptsMethod,
  type Client,
  ClientDocuments,
  DocumentFault,
  isClientUrl,
  LiveClients,
  type RequestAuthMethod,
} from '../../client/index.js';
import { OAuthError } from './oauth-error.js';
import type { Parameters, ProvenKey } from './oauth-request.js';
import { RequestedResource } from './requested-resource.js';
import { Injectable } from '@nestjs/common';
import { ClientAssertions } from '../../machine/index.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Authenticates clients at the endpoints of OAuth (RFC 6749 section 2.3). */
@Injectable()
export class ClientAuthenticator {
  constructor(
    private readonly clients: LiveClients,
    private readonly documents: ClientDocuments,
    private readonly assertions: ClientAssertions,
    private readonly resources: RequestedResource,
  ) {}

  /**
   * Authenticates the client of a token request, and requires that it may make the request: before
   * a code is used, or a token rotated.
   * @param proof key that the client has proved; null without a proof
   * @throws {OAuthError} as {@link require}; invalid_dpop_proof; unauthorized_client for the grant
   *   type; invalid_target, if the client does not reach the resource
   */
  async requireForTokens(
    parameters: Parameters,
    authorization: string | undefined,
    proof: ProvenKey | null,
    ipAddress: string,
  ): Promise<Client> {
    const client = await this.require(parameters, authorization, ipAddress);
    requireProof(client, proof);
    const { grant_type: grantType } = parameters;
    requireGrantType(client, grantType);
    // The grant of an agent says what its organization allows.
    const isOfAgent = isClientUrl(client.clientId) && grantType === 'refresh_token';
    if (!isOfAgent) await this.resources.find(client, parameters);
    return client;
  }

  /**
   * Authenticates the client by a method of its registration.
   * @param parameters of the form
   * @param authorization header of the request; undefined without one
   * @param ipAddress of the client
   * @throws {OAuthError} invalid_client; invalid_request for two methods at once
   */
  async require(
    parameters: Parameters,
    authorization: string | undefined,
    ipAddress: string,
  ): Promise<Client> {
    const { client_id: named, client_secret: posted, client_assertion: assertion } = parameters;
    if ([authorization, posted, assertion].filter((method) => method !== undefined).length > 1)
      throw new OAuthError('invalid_request', 'The client must authenticate by one method.');
    if (assertion !== undefined) return this.requireAssertion(assertion, parameters, ipAddress);
    const basic = authorization === undefined ? null : parseBasic(authorization);
    if (authorization !== undefined && !basic) throw invalidClient();
    if (basic && named !== undefined && named !== basic.clientId) throw invalidClient();
    if (basic && basic.secret !== '') return this.requireSecret(basic, 'client_secret_basic');
    if (posted !== undefined)
      return this.requireSecret({ clientId: named ?? '', secret: posted }, 'client_secret_post');
    // A public client may send its id so, with a secret that is empty (RFC 6749 section 2.3.1).
    const client = await this.find(basic?.clientId ?? named ?? '', ipAddress);
    if (client?.type === 'public') return client;
    throw new OAuthError('invalid_client', 'The client is unknown, disabled, or has not authenticated.');
  }

  /** @throws {OAuthError} invalid_client with the reason, for a document that is not used */
  private async find(clientId: string, ipAddress: string): Promise<Client | null> {
    if (!isClientUrl(clientId)) return this.clients.findEnabled(clientId);
    const client = await this.documents.require(clientId, ipAddress).catch(refuseFault);
    return client.disabledAt === null ? client : null;
  }

  private async requireAssertion(
    assertion: string,
    { client_id: named, client_assertion_type: type }: Parameters,
    ipAddress: string,
  ): Promise<Client> {
    if (type !== ASSERTION_TYPE)
      throw new OAuthError('invalid_request', `client_assertion_type must be ${ASSERTION_TYPE}.`);
    const read = await this.assertions.read(assertion);
    if (!read || (named !== undefined && named !== read.clientId)) throw invalidClient();
    const client = await this.find(read.clientId, ipAddress);
    if (client?.tokenEndpointAuthMethod !== 'private_key_jwt' || !acceptsAlg(client, read.alg))
      throw invalidClient();
    // FAPI 2.0 Security Profile section 5.3.2.1.
    if (client.security === 'fapi2' && !read.hasOneAudience) throw invalidClient();
    const source = { keys: client.jwks?.keys ?? [], jwksUri: client.jwksUri };
    if (!(await this.assertions.accept(read, source))) throw invalidClient();
    return client;
  }

  private async requireSecret(
    { clientId, secret }: BasicCredentials,
    method: RequestAuthMethod,
  ): Promise<Client> {
    const client = await this.clients.findProven({ clientId, clientSecret: secret });
    if (client && acceptsMethod(client.tokenEndpointAuthMethod, method)) return client;
    // A caller with the secret may know the registration; a public client has no secret.
    const named = client ?? (await this.clients.findEnabled(clientId));
    if (client || named?.type === 'public')
      throw new OAuthError(
        'invalid_client',
        `The client is registered for ${named?.tokenEndpointAuthMethod}, and used ${method}.`,
      );
    throw invalidClient();
  }
}

/** @throws {OAuthError} invalid_client with the reason, for a document that is not used */
export function refuseFault(error: unknown): never {
  throw error instanceof DocumentFault ? new OAuthError('invalid_client', `${error.message}.`) : error;
}

const invalidClient = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown or disabled, or its secret or assertion is wrong.');

/** Credentials of a client in an Authorization header. */
export interface BasicCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/**
 * Reads the credentials of a client, each in form encoding (RFC 6749 section 2.3.1).
 * @returns null for another scheme, or a malformed header
 */
export function parseBasic(authorization: string): BasicCredentials | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return null;
  try {
    return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  } catch {
    return null;
  }
}

/** @throws {URIError} if the form encoding is malformed */
function decoded(part: string): string {
  return /[%+]/.test(part) ? decodeURIComponent(part.replaceAll('+', ' ')) : part;
}

/**
 * Reads how a client authenticates: by one method only (RFC 6749 section 2.3).
 * @throws {OAuthError} invalid_request; invalid_client without credentials
 */
export function credentialsOf(
  request: Parameters,
  authorization: string | undefined,
): BasicCredentials | { readonly assertion: string } {
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = request;
  const methods = [authorization, secret, assertion].filter((one) => one !== undefined);
  if (methods.length > 1)
    throw new OAuthError('invalid_request', 'The client must authenticate by one method.');
  if (assertion !== undefined) {
    if (request['client_assertion_type'] !== ASSERTION_TYPE)
      throw new OAuthError('invalid_request', `client_assertion_type must be ${ASSERTION_TYPE}.`);
    return { assertion };
  }
  const basic = authorization === undefined ? null : parseBasic(authorization);
  if (basic && basic.clientId === (clientId ?? basic.clientId)) return basic;
  if (clientId === undefined || secret === undefined) throw notAuthenticated();
  return { clientId, secret };
}

const notAuthenticated = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown, disabled, or not authenticated.');

/**
 * Requires that a client is registered for OpenID Connect, and for the grant type.
 * @throws {OAuthError} unauthorized_client
 */
export function requireGrantType(
  { satelliteCodes, grantTypes }: Pick<Client, 'satelliteCodes' | 'grantTypes'>,
  grantType: string | undefined,
): asserts grantType is Client['grantTypes'][number] {
  if (satelliteCodes)
    throw new OAuthError(
      'unauthorized_client',
      'The client is registered for satellite codes. Register another one for OpenID Connect.',
    );
  if (!(grantTypes as readonly (string | undefined)[]).includes(grantType))
    throw new OAuthError('unauthorized_client', 'The client is not registered for this grant type.');
}

/**
 * Requires the proof of a client that is registered with one, by an algorithm of its profile.
 * @throws {OAuthError} invalid_dpop_proof
 */
export function requireProof(client: Client, proof: ProvenKey | null): void {
  if (client.requireDpop && proof === null)
    throw new OAuthError('invalid_dpop_proof', 'The client must send a proof (DPoP).');
  requireAlg(client, proof);
}

/**
 * Requires that the profile of a client accepts the algorithm of its proof.
 * @throws {OAuthError} invalid_dpop_proof
 */
export function requireAlg(client: Client, proof: ProvenKey | null): void {
  if (proof !== null && !acceptsAlg(client, proof.alg))
    throw new OAuthError('invalid_dpop_proof', 'The proof must be by PS256, ES256 or EdDSA (FAPI 2.0).');
}
