import { Injectable } from '@nestjs/common';
import { Federation, MachineAuthenticator } from '../../machine/index.js';
import { resemblesApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { parseBasic } from './client-authenticator.js';
import { OAuthError } from './oauth-error.js';
import { RequestedResource } from './requested-resource.js';
import type { Parameters } from './oauth-request.js';
import { type IssuedToken, ServiceAccountTokens } from './service-account-tokens.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
/** Types of tokens that can be exchanged: of other issuers, and keys. */
const SUBJECT_TYPES = [
  ACCESS_TOKEN,
  ...['jwt', 'id_token'].map((type) => `urn:ietf:params:oauth:token-type:${type}`),
];

/** Types of tokens that an exchange issues: each access token is a JWT. */
const ISSUED_TYPES = [ACCESS_TOKEN, 'urn:ietf:params:oauth:token-type:jwt'];

/** Who sends a token request. */
export interface Sender {
  /** Address of the client: a key can be limited to networks. */
  readonly ipAddress: string;
  /** Thumbprint of the key that the client has proved (DPoP); null without a proof. */
  readonly jkt: string | null;
}

/** Exchanges tokens for access tokens of service accounts (RFC 8693). */
@Injectable()
export class TokenExchange {
  constructor(
    private readonly machines: MachineAuthenticator,
    private readonly federation: Federation,
    private readonly resources: RequestedResource,
    private readonly tokens: ServiceAccountTokens,
  ) {}

  /**
   * Exchanges a token of a trusted issuer, or a key of a service account (RFC 8693 section 2.1).
   * Nothing else authenticates the client: the subject token is its proof.
   * @param authorization header of the request; undefined without one
   */
  async exchange(
    sent: Parameters,
    authorization: string | undefined,
    { ipAddress, jkt }: Sender,
  ): Promise<IssuedToken> {
    const request = this.resources.ofExchange(sent);
    const { subject_token: token, subject_token_type: type } = request;
    const clientId = clientIdOf(request, authorization);
    if (token === undefined || type === undefined || !SUBJECT_TYPES.includes(type))
      throw new OAuthError('invalid_request', 'subject_token or its type is missing, or not supported.');
    if (!ISSUED_TYPES.includes(request['requested_token_type'] ?? ACCESS_TOKEN))
      throw new OAuthError('invalid_request', 'requested_token_type must be that of an access token.');
    if (request['actor_token'] !== undefined)
      throw new OAuthError('invalid_request', 'actor_token is not supported.');
    if (resemblesApiKey(token)) {
      const client = await this.machines.authenticateForToken(token, ipAddress).catch(toInvalidGrant);
      if (clientId !== null && clientId !== client.clientId) throw invalidGrant();
      return { ...(await this.tokens.issue(client, request, jkt)), issued_token_type: ACCESS_TOKEN };
    }
    const found = await this.federation.find(token, clientId);
    if (found === 'account-required')
      throw new OAuthError('invalid_request', 'client_id is missing: send the id of the service account.');
    if (!found) throw invalidGrant();
    const seconds = Math.floor(found.expiresAt - Date.now() / 1_000);
    if (seconds <= 0) throw invalidGrant();
    const issued = await this.tokens.issue(found.principal, request, jkt, found.actor);
    return { ...issued, issued_token_type: ACCESS_TOKEN };
  }
}

/**
 * Returns the account that a caller names: in the form, or by Basic with a secret that is empty
 * (RFC 6749 section 2.3.1), as Google's libraries do. A secret proves nothing here.
 */
function clientIdOf(request: Parameters, authorization: string | undefined): string | null {
  const named = request['client_id'] ?? null;
  const basic = authorization === undefined ? null : parseBasic(authorization);
  if (basic?.secret !== '') return named;
  if (named !== null && named !== basic.clientId)
    throw new OAuthError('invalid_client', 'The form and the header name two clients.');
  return basic.clientId;
}

const invalidGrant = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The subject token is not valid, has been used, or no rule of the service account trusts it.',
  );

/** An unavailable database is not a refusal. */
function toInvalidGrant(error: unknown): never {
  throw error instanceof AppError && error.code === 'unauthenticated' ? invalidGrant() : error;
}
