import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import { FIRST_PARTY_CLIENT, type Principal, type TenantId, type UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { GrantRepository } from './grant.repository.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TenantTokenResponse } from '../tokens/token.response.js';

/** Which tenant a grant works in. */
@Injectable()
export class TenantSelection {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly grants: GrantRepository,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * Gives an access token for the tenant, in which later refreshes of this grant stay.
   * A satellite's grant stays in the tenant that was handed over.
   * @throws {AppError} not-a-member, also for a tenant that does not exist; unauthenticated when the session has ended meanwhile
   */
  async select({ userId, grantId, clientId }: Principal, tenantId: TenantId): Promise<TenantTokenResponse> {
    const mayMove = clientId === FIRST_PARTY_CLIENT;
    const note = () => this.grants.selectTenant(grantId, userId, tenantId, mayMove);
    let grant = await note();
    if (!grant && !mayMove) throw new AppError('not-a-member');
    if (!grant && !(await this.directory.isMemberNow(userId, tenantId))) throw new AppError('not-a-member');
    grant ??= await note(); // the membership may have begun meanwhile
    if (!grant) throw new AppError('unauthenticated');
    const { refreshToken: _, ...tokens } = await this.tokens.issue(grant);
    return tokens;
  }

  @OnLifecycle('memberships.ended')
  async leave({ userId, tenantIds }: { userId: UserId; tenantIds: readonly TenantId[] }): Promise<void> {
    await this.grants.leaveTenants(userId, tenantIds);
  }
}
