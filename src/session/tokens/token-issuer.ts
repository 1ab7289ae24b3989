import { Inject, Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { TenantId } from '../../kernel/index.js';
import { AccessTokenService } from './access-token.service.js';
import type { GrantView } from '../grants/grant.repository.js';
import { RefreshTokenCodec } from './refresh-token.js';
import type { TokenResponse } from './token.response.js';

/** Issues the tokens of a grant. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Issues an access token, and the refresh token of the grant's generation.
   * @param grant as rotated or created
   * @param requestedTenantId tenant of the access token; omitted from the token if the membership
   *   has ended
   */
  async issue(grant: GrantView, requestedTenantId: TenantId | null = grant.tenantId): Promise<TokenResponse> {
    const { grantId, generation, sessionId, userId, clientId, refreshExpiresIn } = grant;
    const held =
      requestedTenantId === null ? null : await this.directory.findScopes(userId, requestedTenantId);
    const tenantId = held === null ? null : requestedTenantId;
    const scopes = held === null ? [] : held.filter(await this.callers.getClientScopes(clientId, false));
    return {
      tokenType: 'Bearer',
      accessToken: this.accessTokens.sign({ ...grant, tenantId, scopes }),
      expiresIn: this.settings.ACCESS_TOKEN_TTL,
      refreshToken: this.refreshTokens.encode({ grantId, generation }),
      refreshExpiresIn,
      sessionId,
      tenantId,
    };
  }
}
