import { Injectable } from '@nestjs/common';
import { type Client, isClientUrl } from '../../client/index.js';
import { AppError } from '../../platform/errors/index.js';
import { GrantRevocation, RefreshService, TenantAdmission } from '../../session/index.js';
import { type ClientTokenResponse, GrantTokens } from './grant-tokens.js';
import { invalidGrant, notAdmitted, OAuthError } from './oauth-error.js';
import { RequestedResource } from './requested-resource.js';
import type { Parameters } from './oauth-request.js';

/** Refreshes the tokens of a client (RFC 6749 section 6). */
@Injectable()
export class RefreshGrant {
  constructor(
    private readonly refreshes: RefreshService,
    private readonly revocation: GrantRevocation,
    private readonly admission: TenantAdmission,
    private readonly resources: RequestedResource,
    private readonly grantTokens: GrantTokens,
  ) {}

  /** @throws {OAuthError} invalid_grant; invalid_target; invalid_scope */
  async issue(client: Client, parameters: Parameters, jkt: string | null): Promise<ClientTokenResponse> {
    const { refresh_token: refreshToken, scope, resource } = parameters;
    if (refreshToken === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing.');
    const isNamed = scope !== undefined || resource !== undefined;
    if (isNamed || client.type === 'public' || isClientUrl(client.clientId))
      await this.requireChoice(refreshToken, client, parameters);
    const grant = await this.refreshes
      .refreshOfClient(refreshToken, {
        clientId: client.clientId,
        isConfidential: client.type === 'confidential',
        tenantId: client.tenantId,
        jkt,
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'invalid-refresh-token')
          throw invalidGrant('refresh token');
        throw error instanceof AppError && error.code === 'not-a-member' ? notAdmitted() : error;
      });
    // Of a grant that is not bound, only this access token is.
    const proven = { ...grant, dpopJkt: grant.dpopJkt ?? jkt };
    const choice = await this.resources.choose(client, proven, parameters, true);
    return this.grantTokens.respond(client, proven, null, choice);
  }

  /**
   * Requires resource and scopes of a refresh before the token is rotated: the client would lose
   * the new one with the answer, and end the session by the old one later. Also where it names
   * neither: it may not reach the API of its grant any more.
   * @throws {OAuthError} invalid_target; invalid_scope
   */
  private async requireChoice(refreshToken: string, client: Client, parameters: Parameters): Promise<void> {
    const grant = await this.revocation.findGrantOfRefreshToken(refreshToken, client.clientId);
    if (!grant) return;
    const { target } = await this.resources.choose(client, grant, parameters, true);
    const tenantId = target?.api.tenantId ?? null;
    if (tenantId !== null && !(await this.admission.admits(grant, tenantId))) throw notAdmitted();
  }
}
