import { Injectable } from '@nestjs/common';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import { AccessTokenService } from '../tokens/access-token.service.js';
import { RefreshTokenCodec } from '../tokens/refresh-token.js';
import { GrantRepository, type GrantView } from './grant.repository.js';

/**
 * Ends grants of OpenID Connect before their session. Their access tokens are refused as those of
 * an ended session are (API-5).
 */
@Injectable()
export class GrantRevocation {
  constructor(
    private readonly database: Database,
    private readonly grants: GrantRepository,
    private readonly liveness: SessionLiveness,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly accessTokens: AccessTokenService,
  ) {}

  endGrant(grantId: string): Promise<void> {
    return this.endGrants(async () => {
      await this.grants.end([grantId]);
      return [grantId];
    });
  }

  /**
   * Ends the grant of a client's token, access or refresh token (RFC 7009). Does nothing for a
   * token that is unknown, or another client's.
   */
  async endGrantOfToken(token: string, clientId: string): Promise<void> {
    const grantId = this.refreshTokens.decode(token)?.grantId ?? (await this.findGrantOfAccessToken(token));
    if (grantId !== null) await this.endGrantOfClient(grantId, clientId);
  }

  /** Ends a grant of OpenID Connect, unless it is another client's. */
  async endGrantOfClient(grantId: string, clientId: string): Promise<void> {
    if (await this.grants.isOfClient(grantId, clientId)) await this.endGrant(grantId);
  }

  /**
   * Finds the grant of a refresh token that the client could use now.
   * @returns null for another token, another client's, and one that has been rotated or revoked
   */
  async findGrantOfRefreshToken(token: string, clientId: string): Promise<GrantView | null> {
    const presented = this.refreshTokens.decode(token);
    const grant = presented && (await this.grants.findAlive(presented.grantId));
    return grant?.clientId === clientId && grant.generation === presented?.generation ? grant : null;
  }

  /** Finds the newest grant of a client in a session. @returns null if all have ended */
  findGrantOfSession(sessionId: SessionId, clientId: string): Promise<GrantView | null> {
    return this.grants.findOfSession(sessionId, clientId);
  }

  private async findGrantOfAccessToken(token: string): Promise<string | null> {
    try {
      const principal = await this.accessTokens.verify(token);
      return principal.kind === 'person' ? principal.grantId : null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return null;
      throw error;
    }
  }

  /** Ends the grants that a person has given a client. */
  endGrantsOfClient(userId: UserId, clientId: string): Promise<void> {
    return this.endGrants(() => this.grants.endOfClient(userId, clientId));
  }

  /** Ends the grants that a client by metadata document has for a tenant, or for none. */
  endGrantsOfAgent(tenantId: TenantId | null, clientId: string): Promise<void> {
    return this.endGrants(() => this.grants.endOfAgent(tenantId, clientId));
  }

  /** Returns the clients by metadata document that have grants for a tenant, or for none. */
  listAgents(tenantId: TenantId | null): Promise<string[]> {
    return this.grants.listAgents(tenantId);
  }

  private endGrants(end: () => Promise<string[]>): Promise<void> {
    return this.database.transaction(async () => {
      const ended = await end();
      this.database.afterCommit(() => ended.forEach((id) => this.liveness.forgetGrant(id)));
    });
  }
}
