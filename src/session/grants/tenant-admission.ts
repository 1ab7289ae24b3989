import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import type { GrantView } from './grant.repository.js';

/** Decides whether an organization accepts a grant. */
@Injectable()
export class TenantAdmission {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly signIns: SignInCheck,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Requires that the policy of the organization accepts the sign-in. Notes the entry of an owner
   * without the connection that it requires. Joins the open transaction.
   * @throws {AppError} insufficient-user-authentication
   */
  async enter(grant: GrantView, tenantId: TenantId): Promise<void> {
    await this.signIns.require(grant, tenantId);
    if (!(await this.signIns.isEmergency(grant, tenantId))) return;
    const { userId, sessionId } = grant;
    await this.lifecycle.emit('tenant.entered-in-emergency', { userId, tenantId, sessionId });
  }

  /**
   * Returns whether an organization accepts a grant at its own client: the person is still a
   * member, the organization is neither archived nor being deleted, and its policy accepts the
   * sign-in. No tokens of the client are issued otherwise.
   * @param tenantId organization that the client belongs to
   */
  async admits(grant: GrantView, tenantId: TenantId): Promise<boolean> {
    // A grant loses its organization with the membership, and keeps none after the next one.
    if (grant.tenantId !== tenantId || !(await this.isOpen(tenantId))) return false;
    return this.accepts(grant, tenantId);
  }

  /** Returns whether the person is still a member, and the policy accepts the sign-in. */
  async accepts(grant: GrantView, tenantId: TenantId): Promise<boolean> {
    if (!(await this.directory.isMember(grant.userId, tenantId))) return false;
    return (await this.signIns.judge(grant, tenantId)).accepted;
  }

  private async isOpen(tenantId: TenantId): Promise<boolean> {
    const state = await this.directory.findState(tenantId, false);
    return state !== null && !state.archived && !state.deletionStarted;
  }
}
