import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { type ClientSecret, type ClientToken, IssuesClientTokens, TokenSigner } from '../../session/index.js';
import { DirectoryTokenCheck } from './directory-token-check.js';
import type { VerifiedToken } from './directory-token.repository.js';

/**
 * Lifetime of an access token, which ends with the token of the directory that it was issued for.
 * Microsoft lists applications whose tokens last one to six hours.
 */
const TOKEN_SECONDS = 3_600;
const SCOPE = 'scim';

/**
 * Directories as OAuth clients, for identity providers that call SCIM by client credentials
 * (RFC 6749 section 4.4): the id of the directory is the client id, one of its tokens the secret.
 */
@Injectable()
export class DirectoryClients {
  constructor(
    private readonly tokens: DirectoryTokenCheck,
    private readonly signer: TokenSigner,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Issues an access token for SCIM only.
   * @returns null for other clients and wrong secrets
   * @throws {AppError} unauthenticated for a token whose creator could not create it now
   */
  @IssuesClientTokens(true)
  async issue({ clientId, secret }: ClientSecret): Promise<ClientToken | null> {
    const found = await this.tokens.verify(secret);
    if (found?.directoryId !== clientId) return null;
    await this.tokens.requireWorking(found);
    const { directoryId, tenantId, tokenId } = found;
    const claims = { client_id: directoryId, tid: tenantId, cid: tokenId, scope: SCOPE };
    const frame = { audience: this.audience, subject: directoryId, seconds: TOKEN_SECONDS };
    return { accessToken: this.signer.sign(claims, frame), expiresIn: TOKEN_SECONDS, scope: SCOPE };
  }

  /**
   * Verifies an access token. Its directory is read at each call, so that a revoked token is
   * refused at once.
   * @returns null for a token that is not valid, or no longer
   */
  async verify(token: string): Promise<VerifiedToken | null> {
    const claims = await this.signer.verify(token, this.audience);
    return claims && this.tokens.findVerified(String(claims['cid']));
  }

  private get audience(): string {
    return `${this.settings.PUBLIC_URL}/api/scim/v2`;
  }
}
