import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClientAuthentication } from '../../machine/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  type ClientSecret,
  type ClientToken,
  type IssueClientToken,
  IssuesClientTokens,
} from '../../session/index.js';
import { credentialsOf } from './client-authenticator.js';
import { OAuthError } from './oauth-error.js';
import { invalidTarget, RequestedResource } from './requested-resource.js';
import type { Parameters } from './oauth-request.js';
import { type IssuedToken, ServiceAccountTokens } from './service-account-tokens.js';
import { type Sender, TokenExchange } from './token-exchange.js';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Issues access tokens to service accounts and other clients (RFC 6749 section 4.4). */
@Injectable()
export class TokenService implements OnModuleInit {
  private others: readonly IssueClientToken[] = [];

  constructor(
    private readonly methods: MarkedMethods,
    private readonly clients: ClientAuthentication,
    private readonly resources: RequestedResource,
    private readonly tokens: ServiceAccountTokens,
    private readonly exchanges: TokenExchange,
  ) {}

  onModuleInit(): void {
    const marked = this.methods.find<true, IssueClientToken>(IssuesClientTokens);
    this.others = marked.map(({ method }) => method);
  }

  /**
   * @param authorization header of the request; undefined without one
   * @throws {OAuthError} as RFC 6749 section 5.2 says
   */
  async issue(request: Parameters, authorization: string | undefined, sender: Sender): Promise<IssuedToken> {
    const { grant_type: grantType } = request;
    if (grantType === undefined)
      throw new OAuthError('invalid_request', 'grant_type is missing or repeated.');
    if (grantType === TOKEN_EXCHANGE) return this.exchanges.exchange(request, authorization, sender);
    if (grantType !== 'client_credentials')
      throw new OAuthError('unsupported_grant_type', 'This service does not know the grant type.');
    return this.issueToClient(request, authorization, sender.jkt);
  }

  /** Issues a token to a service account, or to a client of another module. */
  private async issueToClient(
    request: Parameters,
    authorization: string | undefined,
    jkt: string | null,
  ): Promise<IssuedToken> {
    const credentials = credentialsOf(request, authorization);
    const machine =
      'secret' in credentials
        ? await this.clients.bySecret(credentials.clientId, credentials.secret)
        : await this.clients.byAssertion(credentials.assertion);
    if (machine && machine.clientId === (request['client_id'] ?? machine.clientId))
      return this.tokens.issue(machine, request, jkt);
    const other = 'secret' in credentials ? await this.askOthers(credentials) : null;
    if (!other) throw noServiceAccount();
    if (!this.resources.isOwn(request)) throw invalidTarget();
    // A bearer token would not be bound to the key, as the client believes.
    if (jkt !== null)
      throw new OAuthError('invalid_request', 'The client has bearer tokens only. Send no DPoP proof.');
    if (request['scope'] !== undefined && request['scope'] !== other.scope)
      throw new OAuthError('invalid_scope', `The client holds the scope ${other.scope} alone.`);
    return {
      access_token: other.accessToken,
      token_type: 'Bearer',
      expires_in: other.expiresIn,
      scope: other.scope,
    };
  }

  private async askOthers(client: ClientSecret): Promise<ClientToken | null> {
    for (const issue of this.others) {
      const token = await issue(client).catch(toInvalidClient);
      if (token) return token;
    }
    return null;
  }
}

const noServiceAccount = (): OAuthError =>
  new OAuthError(
    'invalid_client',
    'No service account has these credentials. Clients of people have no client_credentials.',
  );

/** Keeps why a client with the right secret is refused. */
function toInvalidClient(error: unknown): never {
  throw error instanceof AppError && error.code === 'unauthenticated'
    ? new OAuthError('invalid_client', error.detail)
    : error;
}
