import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { Database } from '../../../platform/database/index.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { MemberService } from '../members/member.service.js';
import { RoleExpired } from '../organization.events.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { EndsRepository } from './ends.repository.js';

/** Memberships of one call, each in its own transaction. */
const MEMBERSHIPS = 50;
/** Roles of one transaction. */
const ROLES = 200;

/**
 * Removes memberships and roles whose end has passed, and tells subscribers. They give nothing by
 * then: each decision compares the end.
 */
@Injectable()
export class AccessExpiry {
  private readonly expired: Emitter<RoleExpired>;

  constructor(
    private readonly database: Database,
    private readonly ends: EndsRepository,
    private readonly members: MemberService,
    private readonly tenantLock: TenantLock,
    events: Events,
  ) {
    this.expired = events.emitter(RoleExpired);
  }

  /** @returns whether some may be left */
  @Cleanup()
  async removeEndedMemberships(): Promise<boolean> {
    const ended = await this.ends.listEndedMemberships(MEMBERSHIPS);
    for (const { tenantId, userId } of ended)
      await this.tenantLock.underLock(tenantId, (locked) => this.members.removeIfEnded(locked, userId));
    return ended.length === MEMBERSHIPS;
  }

  /** @returns whether some may be left */
  @Cleanup()
  removeEndedRoles(): Promise<boolean> {
    return this.remove('roles');
  }

  /** @returns whether some may be left */
  @Cleanup()
  removeEndedAssignments(): Promise<boolean> {
    return this.remove('assignments');
  }

  private remove(kind: 'roles' | 'assignments'): Promise<boolean> {
    return this.database.transaction(async () => {
      const ended = await this.ends.removeEnded(kind, ROLES);
      await this.expired.emit(
        ...ended.map(({ tenantId, assignmentId, userId, roleId }) => ({
          tenantIds: [tenantId],
          subject: assignmentId === null ? `iam/members/${userId}` : `iam/assignments/${assignmentId}`,
          actorId: null,
          data: { assignmentId, userId, roleId },
        })),
      );
      return ended.length === ROLES;
    });
  }
}
