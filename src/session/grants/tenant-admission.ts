import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { GrantView } from './grant.repository.js';

/** Decides whether an organization accepts a grant at its own client. */
@Injectable()
export class TenantAdmission {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly signIns: SignInCheck,
  ) {}

  /**
   * Returns whether the person is still a member, the organization is neither archived nor being
   * deleted, and its policy accepts the sign-in. No tokens of the client are issued otherwise.
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
