import { Inject, Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../iam/index.js';
import { SETTINGS, type Settings } from '../platform/config/index.js';
import type { TenantId } from '../platform/http/index.js';
import { AccessTokenService } from './access-token.service.js';
import type { GrantView } from './grant.repository.js';
import { RefreshTokenCodec } from './refresh-token.js';
import type { TokenResponse } from './token.response.js';

/** From a grant to the tokens that a client gets. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly directory: MembershipDirectory,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @param wanted the tenant to work in; the token comes without one where the membership has ended */
  async issue(grant: GrantView, wanted: TenantId | null = grant.tenantId): Promise<TokenResponse> {
    const { grantId, generation, sessionId, userId, refreshExpiresIn } = grant;
    const scopes = wanted === null ? null : await this.directory.findScopes(userId, wanted);
    const tenantId = scopes === null ? null : wanted;
    return {
      tokenType: 'Bearer',
      accessToken: this.accessTokens.sign({ ...grant, tenantId, scopes: scopes ?? [] }),
      expiresIn: this.settings.ACCESS_TOKEN_TTL,
      refreshToken: this.refreshTokens.encode({ grantId, generation }),
      refreshExpiresIn,
      sessionId,
      tenantId,
    };
  }
}
