import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AbilityRegistry, CallerScopes, isForMachines } from '../../ability/index.js';
import type { MachinePrincipal } from '../../kernel/index.js';
import { type Actor, ClientAuthentication, Federation, MachineAuthenticator } from '../../machine/index.js';
import { resemblesApiKey } from '../../platform/crypto/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  type ClientSecret,
  type ClientToken,
  type IssueClientToken,
  IssuesClientTokens,
  MACHINE_TOKEN_SECONDS,
  MachineTokens,
} from '../../session/index.js';
import { ApiTokens } from '../apis/api-tokens.js';
import { type ApiTarget } from '../apis/api-scopes.js';
import { invalidTarget, RequestedResource } from './requested-resource.js';
import { credentialsOf } from './client-authenticator.js';
import { OAuthError } from './oauth-error.js';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
/** Types of tokens that can be exchanged: of other issuers, and keys. */
const SUBJECT_TYPES = [
  ACCESS_TOKEN,
  ...['jwt', 'id_token'].map((type) => `urn:ietf:params:oauth:token-type:${type}`),
];

/** Types of tokens that an exchange issues: each access token is a JWT. */
const ISSUED_TYPES = [ACCESS_TOKEN, 'urn:ietf:params:oauth:token-type:jwt'];

/** Who sends a token request. */
interface Sender {
  /** Address of the client: a key can be limited to networks. */
  readonly ipAddress: string;
  /** Thumbprint of the key that the client has proved (DPoP); null without a proof. */
  readonly jkt: string | null;
}

/** Parameters of a token request. */
type TokenRequest = Readonly<Record<string, string>>;

interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly scope: string;
  /** With a token exchange. */
  readonly issued_token_type?: string;
}

/** Issues access tokens to service accounts and other clients (RFC 6749 section 4.4). */
@Injectable()
export class TokenService implements OnModuleInit {
  private others: readonly IssueClientToken[] = [];
  /** Scopes that a token can name, and the state of the registry that they are of. */
  private nameable: { readonly of: object; readonly scopes: readonly string[] } | undefined;

  constructor(
    private readonly methods: MarkedMethods,
    private readonly clients: ClientAuthentication,
    private readonly machines: MachineAuthenticator,
    private readonly federation: Federation,
    private readonly tokens: MachineTokens,
    private readonly callers: CallerScopes,
    private readonly registry: AbilityRegistry,
    private readonly resources: RequestedResource,
    private readonly apiTokens: ApiTokens,
  ) {}

  onModuleInit(): void {
    const marked = this.methods.find<true, IssueClientToken>(IssuesClientTokens);
    this.others = marked.map(({ method }) => method);
  }

  /**
   * @param authorization header of the request; undefined without one
   * @throws {OAuthError} as RFC 6749 section 5.2 says
   */
  async issue(
    request: TokenRequest,
    authorization: string | undefined,
    sender: Sender,
  ): Promise<IssuedToken> {
    const { grant_type: grantType } = request;
    if (grantType === undefined)
      throw new OAuthError('invalid_request', 'grant_type is missing or repeated.');
    if (grantType === TOKEN_EXCHANGE) return this.exchange(this.resources.ofExchange(request), sender);
    if (grantType !== 'client_credentials')
      throw new OAuthError('unsupported_grant_type', 'This service does not know the grant type.');
    return this.issueToClient(request, authorization, sender.jkt);
  }

  /**
   * Exchanges a token of a trusted issuer, or a key of a service account (RFC 8693 section 2.1).
   * Nothing else authenticates the client: the subject token is its proof.
   */
  private async exchange(request: TokenRequest, { ipAddress, jkt }: Sender): Promise<IssuedToken> {
    const { subject_token: token, subject_token_type: type, client_id: clientId = null } = request;
    if (token === undefined || type === undefined || !SUBJECT_TYPES.includes(type))
      throw new OAuthError('invalid_request', 'subject_token or its type is missing, or not supported.');
    if (!ISSUED_TYPES.includes(request['requested_token_type'] ?? ACCESS_TOKEN))
      throw new OAuthError('invalid_request', 'requested_token_type must be that of an access token.');
    if (request['actor_token'] !== undefined)
      throw new OAuthError('invalid_request', 'actor_token is not supported.');
    if (resemblesApiKey(token)) {
      const client = await this.machines.authenticateForToken(token, ipAddress).catch(toInvalidGrant);
      if (clientId !== null && clientId !== client.clientId) throw invalidGrant();
      return { ...(await this.sign(client, request, jkt)), issued_token_type: ACCESS_TOKEN };
    }
    const found = await this.federation.find(token, clientId);
    if (found === 'account-required')
      throw new OAuthError('invalid_request', 'client_id is missing: send the id of the service account.');
    if (!found) throw invalidGrant();
    const seconds = Math.floor(found.expiresAt - Date.now() / 1_000);
    if (seconds <= 0) throw invalidGrant();
    const issued = await this.sign(found.principal, request, jkt, found.actor);
    return { ...issued, issued_token_type: ACCESS_TOKEN };
  }

  private async sign(
    client: MachinePrincipal,
    request: TokenRequest,
    jkt: string | null,
    act: Actor | null = null,
  ): Promise<IssuedToken> {
    const target = await this.resources.find(client, request);
    if (target) return this.signForApi(client, target, request['scope'], { act, jkt });
    const scopes = await this.selectScopes(client, request['scope']);
    const isWhole = request['scope'] === undefined && client.scopes === null;
    return {
      access_token: this.tokens.sign(client, scopes, { isWhole, act, jkt }),
      token_type: jkt === null ? 'Bearer' : 'DPoP',
      expires_in: MACHINE_TOKEN_SECONDS,
      scope: scopes.join(' '),
    };
  }

  /**
   * Issues a token for an API. A credential that is limited to scopes of this service has none; a
   * scope that asks for roles or a sign-in is for people.
   */
  private async signForApi(
    client: MachinePrincipal,
    { api, reach }: ApiTarget,
    requested: string | undefined,
    traits: { readonly act: Actor | null; readonly jkt: string | null },
  ): Promise<IssuedToken> {
    if (client.scopes !== null) throw invalidTarget();
    const held = api.scopes.flatMap(({ name, roles, acr, maxAge }) =>
      reach.has(name) && [roles, acr, maxAge].every((need) => need === undefined) ? [name] : [],
    );
    const scopes = requested === undefined ? held : requested.split(' ').filter((scope) => scope !== '');
    if (!scopes.every((scope) => held.includes(scope)))
      throw new OAuthError('invalid_scope', 'The client does not hold one of these scopes.');
    const issued = await this.apiTokens.issueToMachine(client, api, [...new Set(scopes)], traits);
    return {
      access_token: issued.accessToken,
      token_type: traits.jkt === null ? 'Bearer' : 'DPoP',
      expires_in: issued.expiresIn,
      scope: issued.scopes.join(' '),
    };
  }

  /** Issues a token to a service account, or to a client of another module. */
  private async issueToClient(
    request: TokenRequest,
    authorization: string | undefined,
    jkt: string | null,
  ): Promise<IssuedToken> {
    const credentials = credentialsOf(request, authorization);
    const machine =
      'secret' in credentials
        ? await this.clients.bySecret(credentials.clientId, credentials.secret)
        : await this.clients.byAssertion(credentials.assertion);
    if (machine && machine.clientId === (request['client_id'] ?? machine.clientId))
      return this.sign(machine, request, jkt);
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

  /** Finds the scopes that tokens of programs can name, once for each state of the registry. */
  private findNameable(): readonly string[] {
    const { all } = this.registry;
    if (this.nameable?.of === all) return this.nameable.scopes;
    const scopes = [...all.values()]
      .filter((scope) => isForMachines(scope) && !scope.peopleOnly)
      .map(({ scope }) => scope);
    this.nameable = { of: all, scopes };
    return scopes;
  }

  private async askOthers(client: ClientSecret): Promise<ClientToken | null> {
    for (const issue of this.others) {
      const token = await issue(client).catch(toInvalidClient);
      if (token) return token;
    }
    return null;
  }

  /** @returns the requested scopes, or all that the account holds */
  private async selectScopes(client: MachinePrincipal, requested: string | undefined): Promise<string[]> {
    const holds = await this.callers.findCallerScopes(client, false);
    const held = holds ? this.findNameable().filter(holds) : [];
    if (requested === undefined) return held;
    const scopes = [...new Set(requested.split(' ').filter((scope) => scope !== ''))];
    if (scopes.length === 0 || !scopes.every((scope) => held.includes(scope)))
      throw new OAuthError('invalid_scope', 'The client does not hold one of these scopes.');
    return scopes;
  }
}

const noServiceAccount = (): OAuthError =>
  new OAuthError(
    'invalid_client',
    'No service account has these credentials. Clients of people have no client_credentials.',
  );

const invalidGrant = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The subject token is not valid, has been used, or no rule of the service account trusts it.',
  );

/** Keeps why a client with the right secret is refused. */
function toInvalidClient(error: unknown): never {
  throw error instanceof AppError && error.code === 'unauthenticated'
    ? new OAuthError('invalid_client', error.detail)
    : error;
}

/** An unavailable database is not a refusal. */
function toInvalidGrant(error: unknown): never {
  throw error instanceof AppError && error.code === 'unauthenticated' ? invalidGrant() : error;
}
