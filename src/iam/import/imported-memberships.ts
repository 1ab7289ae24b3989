import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { MemberService } from '../organizations/members/member.service.js';
import { OWNER } from '../organizations/roles/role-scopes.js';
import { TenantLock } from '../organizations/tenants/tenant-lock.js';
import { type Candidate, RefusedLine } from './import-batch.js';
import { ImportNotices } from './import-notices.js';
import { endOf, ImportRoles, requireEachOnce } from './import-roles.js';
import type { Joining } from './import-run.js';

/** Makes the people of an import members, in the open transaction. */
@Injectable()
export class ImportedMemberships {
  constructor(
    private readonly members: MemberService,
    private readonly roles: ImportRoles,
    private readonly tenantLock: TenantLock,
    private readonly notices: ImportNotices,
  ) {}

  /**
   * Makes a person a member, except where that has ended.
   * @returns the organizations of which they are a member now
   * @throws {RefusedLine}
   */
  async join(
    userId: UserId,
    memberships: Candidate['memberships'],
    joining: Joining | null,
  ): Promise<readonly TenantId[]> {
    requireEachOnce(memberships);
    await this.tenantLock.lockAllForUpdate(memberships.map(({ tenantId }) => tenantId as TenantId));
    const joined: TenantId[] = [];
    for (const membership of memberships) {
      const { tenantId: id, roles } = membership;
      const tenantId = this.tenantLock.requireLocked(id as TenantId);
      const given = await this.roles.find(tenantId, membership);
      if (roles.includes(OWNER) && (await this.members.hasAnyOwner(tenantId)))
        throw new RefusedLine('memberships makes an owner of an organization that has one');
      if (joining) await this.roles.requireConsent(tenantId);
      // The command line has no account: the organization itself is the actor then.
      const actorId = joining ? (joining.operatorId ?? (id as UserId)) : userId;
      const until = endOf(membership.until);
      if (isPast(until)) continue;
      const lasting = given.filter((role) => !isPast(role.until));
      const roleIds = lasting.map((role) => role.id);
      await this.members.add(tenantId, userId, roleIds, { actorId });
      await this.members.setEnds(tenantId, userId, until, lasting);
      if (joining && !joining.told.has(tenantId)) await this.notices.queue(tenantId);
      joined.push(tenantId);
    }
    return joined;
  }
}

/** What has ended before the import is not given. */
const isPast = (until: Date | null | undefined): boolean =>
  until instanceof Date && until.getTime() <= Date.now();
