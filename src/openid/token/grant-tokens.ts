import { Injectable } from '@nestjs/common';
import type { Client } from '../../client/index.js';
import type { TenantId } from '../../kernel/index.js';
import {
  GrantRevocation,
  type GrantView,
  type ReusedCode,
  TenantAdmission,
  TokenIssuer,
} from '../../session/index.js';
import { type ApiTarget, plainScopesOf } from '../apis/api-scopes.js';
import { ApiTokens, type IssuedApiToken } from '../apis/api-tokens.js';
import { type ClientNames, IdTokens } from './id-tokens.js';
import { notAdmitted, OAuthError } from './oauth-error.js';
import { type Choice, RequestedResource } from './requested-resource.js';
import type { Parameters } from './oauth-request.js';

/** Token response of a client (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3). */
export interface ClientTokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly refresh_token?: string;
  /** With the scope `openid`. */
  readonly id_token?: string;
  readonly scope: string;
}

/** Issues the tokens of a client's grant, and ends a grant that must not have any. */
@Injectable()
export class GrantTokens {
  constructor(
    private readonly revocation: GrantRevocation,
    private readonly admission: TenantAdmission,
    private readonly resources: RequestedResource,
    private readonly tokens: TokenIssuer,
    private readonly apiTokens: ApiTokens,
    private readonly idTokens: IdTokens,
  ) {}

  /**
   * Responds with the first tokens of a grant, and ends one that is not admitted: its code is used.
   * A refresh judges it before the token is rotated.
   * @param nonce of the authorization request; null without one
   */
  async respondFirst(
    client: Client,
    grant: GrantView,
    nonce: string | null,
    parameters: Parameters,
  ): Promise<ClientTokenResponse> {
    const { tenantId } = client;
    if (tenantId !== null && !(await this.admission.admits(grant, tenantId)))
      return this.endAndThrow(grant, notAdmitted());
    const choice = await this.resources
      .choose(client, grant, parameters, false)
      .catch((error: unknown) => this.endAndThrow(grant, error));
    return this.respond(client, grant, nonce, choice);
  }

  /**
   * Responds with tokens, unless neither the person nor the organization consents to the grant: its
   * client was first-party when it was made, or the organization has withdrawn its consent.
   * @throws {OAuthError} invalid_grant
   */
  async respond(
    client: Client,
    grant: GrantView,
    nonce: string | null,
    choice: Choice,
  ): Promise<ClientTokenResponse> {
    if (!(await this.resources.isConsented(client, grant))) return this.endAndThrow(grant, notConsented());
    const ofApi = choice.target && (await this.issueForApi(client, grant, choice.target, choice.scopes));
    // Not before the API accepts the grant: the name may be a new row.
    const names = await this.idTokens.namesOf(client, grant);
    const { accessToken, expiresIn, scopes, tenantId } =
      ofApi ?? (await this.issueForClient(client, grant, choice.scopes, names));
    // The ID token is for the client, whatever the access token is for.
    const grantedScopes = choice.target ? plainScopesOf(grant.grantedScopes ?? []) : [...scopes];
    const more = { ...names, nonce, accessToken, tenantId };
    return {
      access_token: accessToken,
      token_type: grant.dpopJkt === null ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      ...(client.grantTypes.includes('refresh_token') && {
        refresh_token: this.tokens.refreshTokenOf(grant),
      }),
      ...(grantedScopes.includes('openid') && {
        id_token: await this.idTokens.sign({ ...grant, grantedScopes }, client, more),
      }),
      scope: scopes.join(' '),
    };
  }

  private async issueForApi(
    client: Client,
    grant: GrantView,
    target: ApiTarget,
    scopes: readonly string[],
  ): Promise<IssuedApiToken> {
    const issued = await this.apiTokens.issue(client, grant, target, scopes);
    // Its token may have been rotated: the client would end the session by the old one later.
    return issued ?? this.endAndThrow(grant, notAdmitted());
  }

  private async issueForClient(
    client: Client,
    grant: GrantView,
    scopes: readonly string[],
    names: ClientNames,
  ): Promise<IssuedApiToken> {
    const view = { ...names, accessTokenAlg: client.accessTokenAlg };
    const limited = { ...grant, grantedScopes: [...scopes] };
    const issued = await this.tokens.issueAccess(limited, grant.tenantId, view);
    // The membership has ended at this moment.
    if (client.tenantId !== null && issued.tenantId !== client.tenantId) throw notAdmitted();
    return { ...issued, scopes, tenantId: issued.tenantId as TenantId | null };
  }

  /**
   * Ends the grant of a code that is used again. After its minute the verifier must be right: a
   * code that was found in a log must not sign people out.
   */
  async endReused({ grantId, isProven, isRecent }: ReusedCode): Promise<void> {
    if (isProven || isRecent) await this.revocation.endGrant(grantId);
  }

  private async endAndThrow({ grantId }: GrantView, error: unknown): Promise<never> {
    await this.revocation.endGrant(grantId);
    throw error;
  }
}

const notConsented = (): OAuthError =>
  new OAuthError('invalid_grant', 'The person has to sign in again, and to consent to the client.');
