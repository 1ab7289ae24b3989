import { Inject, Injectable } from '@nestjs/common';
import { AgentPolicies, type Api, type Client, isClientUrl, LiveApis } from '../../client/index.js';
import type { GrantView } from '../../session/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { type ApiTarget, namesOfApi } from '../apis/api-scopes.js';
import { OAuthError } from './oauth-error.js';

/** Parameters that name the service for which a token is (RFC 8707, RFC 8693 section 2.1). */
type Parameters = Readonly<Record<string, string>>;

/** A client that asks for an API, or a service account, which has no profile. */
type Asking = Pick<Client, 'clientId' | 'tenantId'> & Partial<Pick<Client, 'security'>>;

/** Grant that a client asks by: the organization of it decides about a client by metadata. */
type AskingGrant = Pick<GrantView, 'grantId' | 'tenantId' | 'grantedScopes'> | null;

/** An address without a path, with the slash that URL parsers add. */
const ORIGIN_WITH_SLASH = /^(https?:\/\/[^/]+)\/$/;

/** Finds the API for which a client asks: this service, or a registered one. */
@Injectable()
export class RequestedResource {
  private readonly own: ReadonlySet<string>;

  constructor(
    private readonly apis: LiveApis,
    private readonly agents: AgentPolicies,
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
    const api = await this.apis.find(ORIGIN_WITH_SLASH.exec(resource)?.[1] ?? resource);
    if (api?.identifier === undefined || api.id === resource) throw invalidTarget();
    return this.requireReach(client, api, grant);
  }

  /**
   * Requires that a client reaches an API.
   * @param grant null before there is one
   * @throws {OAuthError} invalid_target, also if they belong to different organizations;
   *   invalid_grant for an agent that has lost it, so that it asks the person again
   */
  async requireReach(
    { clientId, tenantId, security }: Asking,
    api: Api,
    grant: AskingGrant,
  ): Promise<ApiTarget> {
    const reach = isClientUrl(clientId)
      ? await this.agents.findReach(clientId, api, grant)
      : await this.apis.findReach(clientId, api.id);
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

const notAllowed = (): OAuthError =>
  new OAuthError('invalid_grant', 'The organization does not allow the client any more.');

export const invalidTarget = (): OAuthError =>
  new OAuthError(
    'invalid_target',
    'resource must be this service, or an API that is registered, and that the client reaches.',
  );
