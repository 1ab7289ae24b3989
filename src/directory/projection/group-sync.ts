import { Injectable } from '@nestjs/common';
import { TenantLock } from '../../iam/index.js';
import { DirectoryRuleRepository } from '../directories/directory-rule.repository.js';
import { GroupRecords, type GroupWithMembers, type WrittenGroup } from '../records/group-records.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { DirectoryMembers } from './directory-members.js';
import { SyncRefusals } from './sync-refusals.js';

/** Writes groups and derives roles of members from them, in one transaction. */
@Injectable()
export class GroupSync {
  constructor(
    private readonly groups: GroupRecords,
    private readonly rules: DirectoryRuleRepository,
    private readonly users: UserRecordRepository,
    private readonly members: DirectoryMembers,
    private readonly tenantLock: TenantLock,
    private readonly refusals: SyncRefusals,
  ) {}

  /** @throws {ScimError} as {@link GroupRecords.create}; 409 mutability for the last owner */
  create(scope: DirectoryScope, body: unknown): Promise<GroupWithMembers> {
    return this.sync(scope, () => this.groups.create(scope, body));
  }

  /** @throws {ScimError} as {@link GroupRecords.replace}; 409 mutability for the last owner */
  replace(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    body: unknown,
  ): Promise<GroupWithMembers> {
    return this.sync(scope, () => this.groups.replace(scope, id, version, body));
  }

  /** @throws {ScimError} as {@link GroupRecords.patch}; 409 mutability for the last owner */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<GroupWithMembers> {
    return this.sync(scope, () => this.groups.patch(scope, id, version, operations));
  }

  /**
   * Removes a group. Its rules wait for a group of its name.
   * @throws {ScimError} 404; 409 mutability for the last owner
   */
  remove(scope: DirectoryScope, id: string, version: number | null): Promise<void> {
    return this.refusals.transaction(scope, () =>
      this.tenantLock.underLock(scope.tenantId, async () => {
        const { group, memberIds } = await this.groups.remove(scope, id, version);
        if (!(await this.rules.detach(scope, group))) return;
        await this.members.syncRoles(scope, await this.users.findAccounts(scope, memberIds));
      }),
    );
  }

  private sync(scope: DirectoryScope, write: () => Promise<WrittenGroup>): Promise<GroupWithMembers> {
    return this.refusals.transaction(scope, () =>
      this.tenantLock.underLock(scope.tenantId, async () => {
        const written = await write();
        const rules = await this.rules.attach(scope, written.group.id);
        if (!rules.areAny) return written;
        const [old, now] = [new Set(written.formerMemberIds), new Set(written.memberIds)];
        const all = [...new Set([...old, ...now])];
        const changed = rules.areNew ? all : all.filter((one) => !old.has(one) || !now.has(one));
        await this.members.syncRoles(scope, await this.users.findAccounts(scope, changed));
        return written;
      }),
    );
  }
}
