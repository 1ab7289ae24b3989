import { Inject, Injectable } from '@nestjs/common';
import { type Api, type Client, isClientUrl, LiveApis } from '../../client/index.js';
import type { GrantView } from '../../session/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { apiIdOf, type ApiTarget, namesOfApi, plainScopesOf } from '../apis/api-scopes.js';
import { ConsentRepository } from '../consents/consent.repository.js';
import { coversForMembers } from '../consents/member-consents.js';
import { invalidGrant, OAuthError } from './oauth-error.js';
import type { Parameters } from './oauth-request.js';

/** Parameters that name the service for which a token is (RFC 8707, RFC 8693 section 2.1). */
/** A client that asks for an API, or a service account, which has no profile. */
type Asking = Pick<Client, 'clientId' | 'tenantId'> & Partial<Pick<Client, 'security'>>;

/** Grant that a client asks by: the organization of it decides about a client by metadata. */
type AskingGrant = Pick<GrantView, 'grantId' | 'tenantId' | 'grantedScopes'> | null;

/** What a token is for: scopes of this service, or names of scopes of an API. */
export interface Choice {
  /** Null for this service. */
  readonly target: ApiTarget | null;
  readonly scopes: readonly string[];
}

/** Scheme and host of an address, with the slash that URL parsers add to one without a path. */
const ORIGIN = /^(https?:\/\/[^/?#]+)(?:\/$)?/i;

/** Finds what a client asks tokens for: this service, or a registered API, and which scopes. */
@Injectable()
export class RequestedResource {
  private readonly own: ReadonlySet<string>;

  constructor(
    private readonly apis: LiveApis,
    private readonly consents: ConsentRepository,
    @Inject(SETTINGS) { PUBLIC_URL: api, TOKEN_AUDIENCE: audience }: Settings,
  ) {
    this.own = new Set([api, `${api}/`, audience]);
  }

  /** Returns whether a request names this service, or nothing, as its resource. */
  isOwn({ resource }: Parameters): boolean {
    return resource === undefined || this.own.has(resource);
  }

  /**
   * Finds the API that `resource` names (RFC 8707 section 2). Not before the client has
   * authenticated: an unknown API must be refused as one that the client does not reach.
   * @param grant null before there is one
   * @returns null for this service, also if there is no resource
   * @throws {OAuthError} invalid_target for an API that is unknown, or not reached by the client,
   *   and for this service if the client is one by metadata document
   */
  async find(client: Asking, parameters: Parameters, grant: AskingGrant = null): Promise<ApiTarget | null> {
    const { resource = '' } = parameters;
    // A refresh names none: its grant does.
    if (isClientUrl(client.clientId) && resource !== '' && this.own.has(resource)) throw invalidTarget();
    if (this.isOwn(parameters)) return null;
    // As identifiers are spelled: hosts have no case (RFC 3986 section 6.2.2.1).
    const api = await this.apis.find(resource.replace(ORIGIN, (_, origin: string) => origin.toLowerCase()));
    if (api?.identifier === undefined || api.id === resource) throw invalidTarget();
    return this.requireReach(client, api, grant);
  }

  /**
   * Chooses the audience of a token, and its scopes. Without a resource, the grant decides.
   * @param isRefresh whether the client may choose another API to which the person has consented,
   *   and fewer scopes for this access token; the grant keeps its own (RFC 6749 section 6)
   * @throws {OAuthError} invalid_target; invalid_scope
   */
  async choose(
    client: Client,
    grant: GrantView,
    parameters: Parameters,
    isRefresh: boolean,
  ): Promise<Choice> {
    const granted = grant.grantedScopes;
    if (granted === null) throw invalidGrant('refresh token');
    const target = await this.findTarget(client, grant, parameters);
    if (target === null && isClientUrl(client.clientId)) throw invalidTarget();
    const { scope } = parameters;
    const isNarrowed = isRefresh && scope !== undefined;
    if (target) {
      const names =
        namesOfApi(granted, target.api.id) ??
        (isRefresh ? await this.findConsented(client, grant, target) : null);
      if (names === null) throw invalidTarget();
      return { target, scopes: isNarrowed ? selectNames(scope, names, granted) : names };
    }
    const scopes = plainScopesOf(granted);
    // Without it, the token would not be limited to the scopes of the grant.
    if (!scopes.includes('openid')) throw invalidTarget();
    return { target, scopes: isNarrowed ? selectScopes(scope, scopes) : scopes };
  }

  /** Returns whether the person or the organization consents to the scopes of a grant. */
  async isConsented(client: Client, { userId, grantedScopes }: GrantView): Promise<boolean> {
    const scopes = grantedScopes ?? [];
    if (client.firstParty || coversForMembers(client, scopes)) return true;
    return this.consents.covers(userId, client.clientId, scopes);
  }

  /** @returns null for this service */
  private async findTarget(
    client: Client,
    grant: GrantView,
    parameters: Parameters,
  ): Promise<ApiTarget | null> {
    if (parameters['resource'] !== undefined) return this.find(client, parameters, grant);
    const apiId = apiIdOf(grant.grantedScopes ?? []);
    if (apiId === null) return null;
    const api = await this.apis.find(apiId);
    if (!api) throw invalidTarget();
    return this.requireReach(client, api, grant);
  }

  /** Returns the scopes of an API that person or organization have allowed; null for none. */
  private async findConsented(
    { clientId, firstParty, consentedScopes }: Client,
    { userId }: GrantView,
    { api, reach }: ApiTarget,
  ): Promise<string[] | null> {
    if (firstParty) return [...reach];
    const own = await this.consents.findScopes(userId, clientId);
    return namesOfApi([...consentedScopes, ...own], api.id);
  }

  /**
   * Requires that a client reaches an API.
   * @param grant null before there is one
   * @throws {OAuthError} invalid_target, also if they belong to different organizations;
   *   invalid_grant for an agent that has lost it, so that it asks the person again
   */
  private async requireReach(
    { clientId, tenantId, security }: Asking,
    api: Api,
    grant: AskingGrant,
  ): Promise<ApiTarget> {
    const reach = await this.apis.findReach(clientId, api, grant);
    const isElsewhere = tenantId !== null && api.tenantId !== null && tenantId !== api.tenantId;
    // RS256 is no algorithm of the FAPI 2.0 Security Profile (section 5.4.1).
    const isWeak = security === 'fapi2' && api.accessTokenAlg === 'RS256';
    if (!reach && isClientUrl(clientId) && namesOfApi(grant?.grantedScopes ?? [], api.id)) throw notAllowed();
    if (!reach || isElsewhere || isWeak) throw invalidTarget();
    return { api, reach };
  }

  /**
   * Returns the parameters of a token exchange with `audience` as the resource (RFC 8693 section
   * 2.1).
   * @throws {OAuthError} invalid_target for two that differ: a token has one audience
   */
  ofExchange(parameters: Parameters): Parameters {
    const { audience, resource = audience } = parameters;
    if (
      audience !== undefined &&
      resource !== audience &&
      !(this.own.has(audience) && this.isOwn(parameters))
    )
      throw invalidTarget();
    return resource === undefined ? parameters : { ...parameters, resource };
  }
}

/** @throws {OAuthError} invalid_scope */
function selectScopes(requested: string, given: readonly string[]): string[] {
  const asked = requested.split(' ').filter((one) => one !== '');
  if (!asked.includes('openid') || !asked.every((one) => given.includes(one)))
    throw new OAuthError('invalid_scope', 'scope must contain openid, and only scopes of the grant.');
  return asked;
}

/** @throws {OAuthError} invalid_scope */
function selectNames(requested: string, names: readonly string[], given: readonly string[]): string[] {
  const asked = requested.split(' ').filter((one) => one !== '');
  if (!asked.every((one) => names.includes(one) || given.includes(one)))
    throw new OAuthError('invalid_scope', 'scope must contain only scopes of the API that were granted.');
  return names.filter((name) => asked.includes(name));
}

const notAllowed = (): OAuthError =>
  new OAuthError('invalid_grant', 'The organization does not allow the client any more.');

export const invalidTarget = (): OAuthError =>
  new OAuthError(
    'invalid_target',
    'resource must be this service, or an API that is registered, and that the client reaches.',
  );
