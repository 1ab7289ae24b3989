import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { InvitationService } from '../organizations/invitations/invitation.service.js';
import { OWNER } from '../organizations/roles/role-scopes.js';
import { TenantLock } from '../organizations/tenants/tenant-lock.js';
import { type Candidate, RefusedLine } from './import-batch.js';
import { ImportNotices } from './import-notices.js';
import { ImportRoles, requireEachOnce } from './import-roles.js';
import { inTransaction, type Run } from './import-run.js';
import type { ImportedPerson } from './imported-person.js';

/** Invites people of another system whose addresses are not verified: they get no account. */
@Injectable()
export class ImportInvitations {
  constructor(
    private readonly database: Database,
    private readonly tenantLock: TenantLock,
    private readonly roles: ImportRoles,
    private readonly invitations: InvitationService,
    private readonly notices: ImportNotices,
  ) {}

  /**
   * Invites a person to each organization of the line, all of them or none, and counts it; owners
   * are told. Who is a member or invited already is unchanged.
   * @throws {RefusedLine} for what an import refuses of memberships, for an owner or an end, and if
   *   the address or an organization was sent enough invitations
   */
  async invite(run: Run, { email, memberships }: ImportedPerson): Promise<void> {
    const { refusal } = run.joining;
    if (refusal !== null) throw new RefusedLine(refusal);
    const organizations = memberships ?? [];
    if (organizations.length === 0)
      throw new RefusedLine('memberships is missing: the person is invited to an organization');
    requireEachOnce(organizations);
    const { operatorId, told } = run.joining;
    const invitedTo: TenantId[] = [];
    await inTransaction(this.database, run.isDryRun, async () => {
      await this.tenantLock.lockAllForUpdate(organizations.map(({ tenantId }) => tenantId as TenantId));
      for (const membership of organizations) {
        const tenantId = membership.tenantId as TenantId;
        if (!(await this.inviteTo(membership, email, operatorId))) continue;
        if (!told.has(tenantId)) await this.notices.queue(tenantId);
        invitedTo.push(tenantId);
      }
    });
    for (const tenantId of invitedTo) told.add(tenantId);
    if (invitedTo.length > 0) run.report.invited = (run.report.invited ?? 0) + 1;
    else run.report.unchanged += 1;
  }

  private async inviteTo(
    membership: Candidate['memberships'][number],
    email: string,
    operatorId: UserId | null,
  ): Promise<boolean> {
    const { tenantId: id, roles, until, roleEnds } = membership;
    const tenantId = this.tenantLock.requireLocked(id as TenantId);
    await this.roles.find(tenantId, membership);
    if (roles.includes(OWNER)) throw new RefusedLine('memberships makes an owner, who cannot be invited');
    if (until || roleEnds?.length)
      throw new RefusedLine('memberships has an end, which an invitation cannot have');
    await this.roles.requireConsent(tenantId);
    const actorId = operatorId ?? (id as UserId);
    const outcome = await this.invitations.inviteForOwner(tenantId, actorId, email, roles, true);
    if (outcome === 'limited')
      throw new RefusedLine('the address or the organization was sent enough invitations: import it later');
    if (outcome === 'ownerless')
      throw new RefusedLine(
        'memberships names an organization without an owner, who answers for an invitation',
      );
    return outcome === 'sent';
  }
}
