import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  FIRST_PARTY_CLIENT,
  type LifecycleEvents,
  LOCK,
  type PersonPrincipal,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { TenantAdmission } from './tenant-admission.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TenantTokenResponse } from '../tokens/token.dto.js';

/** Selects the tenant of a grant. */
@Injectable()
export class TenantSelectionService {
  constructor(
    private readonly database: Database,
    private readonly directory: MembershipDirectory,
    private readonly signIns: SignInCheck,
    private readonly admission: TenantAdmission,
    private readonly grants: GrantRepository,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * Selects the tenant in the grant, for this access token and those of later refreshes. A
   * satellite's grant keeps the tenant that it was issued for.
   * @throws {AppError} not-a-member, also for an unknown tenant; insufficient-user-authentication
   *   if the tenant refuses the sign-in; unauthenticated if the session has ended
   */
  async selectTenant(caller: PersonPrincipal, tenantId: TenantId): Promise<TenantTokenResponse> {
    const isJudged = caller.ownProofMissing || (await this.signIns.hasPolicy(tenantId));
    const grant = isJudged
      ? await this.database.transaction(() => this.selectIfAccepted(caller, tenantId))
      : await this.select(caller, tenantId);
    return this.tokens.issueAccess(grant);
  }

  /**
   * Judges the session after the selection, by the evidence that it has by now: the token may be
   * older than a step-up. The transaction takes the selection back if the sign-in is refused.
   */
  private async selectIfAccepted(caller: PersonPrincipal, tenantId: TenantId): Promise<GrantView> {
    const grant = await this.select(caller, tenantId);
    await this.admission.enter(grant, tenantId);
    return grant;
  }

  private async select(
    { userId, grantId, clientId, stationId }: PersonPrincipal,
    tenantId: TenantId,
  ): Promise<GrantView> {
    const mayMove = clientId === FIRST_PARTY_CLIENT && stationId === undefined;
    const select = () => this.grants.selectTenant({ grantId, userId, tenantId, mayMove });
    let grant = await select();
    if (!grant && !mayMove) throw new AppError('not-a-member');
    if (!grant && !(await this.directory.isMemberUncached(userId, tenantId)))
      return this.selectOfPartner(grantId, userId, tenantId);
    grant ??= await select(); // the membership may have begun after the first statement
    if (!grant) throw new AppError('unauthenticated');
    return grant;
  }

  /**
   * Selects a tenant in which the person is by a partnership. Each token and request asks whether
   * it lasts, so that the selection gives nothing after its end.
   */
  private async selectOfPartner(grantId: string, userId: UserId, tenantId: TenantId): Promise<GrantView> {
    if (!(await this.directory.hasAccessUncached(userId, tenantId))) throw new AppError('not-a-member');
    const grant = await this.grants.setTenant(grantId, tenantId);
    if (!grant) throw new AppError('unauthenticated');
    return grant;
  }

  /**
   * Clears tenants from the user's grants, in the transaction that ends or suspends memberships.
   */
  @OnLifecycle('memberships.ended', 'memberships.suspended', { order: LOCK.sessions })
  async clearEndedTenants({
    userId,
    tenantIds,
  }: {
    userId: UserId;
    tenantIds: readonly TenantId[];
  }): Promise<void> {
    await this.grants.clearTenantsForUpdate(userId, tenantIds);
  }

  /** Clears a deleted tenant from ended grants as well, which the end of a membership leaves. */
  @OnLifecycle('tenant.deleting', { order: LOCK.sessions })
  async clearDeletedTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if ((await this.grants.clearTenantOfAnyForUpdate(tenantId, batch)) === batch) repeat();
  }
}
