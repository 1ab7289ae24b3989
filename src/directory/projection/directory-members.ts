import { Injectable } from '@nestjs/common';
import { MemberService, type RolesOfMember, TenantLock } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { prepared, TenantDatabase } from '../../platform/database/index.js';
import type { DirectoryGroupEntity } from '../records/group.entity.js';
import type { DirectoryScope } from '../records/record-lists.js';

/** Roles that rules give to members; `member` for those to whom none does. */
const DESIRED = prepared(`WITH person AS (
    SELECT u.account_id, u.directory_id, u.id FROM directory_users u
    WHERE u.tenant_id = $1 AND u.account_id = ANY($2) AND u.active),
  given AS (
    SELECT DISTINCT p.account_id, o.id AS role_id FROM person p
      JOIN directory_group_members gm ON gm.tenant_id = $1 AND gm.directory_id = p.directory_id AND gm.user_id = p.id
      JOIN directory_rules r ON r.tenant_id = $1 AND r.directory_id = gm.directory_id AND r.group_id = gm.group_id
      JOIN roles o ON o.tenant_id = $1 AND o.id = ANY(r.role_ids))
  SELECT p.account_id AS "userId", COALESCE(
      (SELECT array_agg(g.role_id ORDER BY g.role_id) FROM given g WHERE g.account_id = p.account_id),
      ARRAY(SELECT o.id FROM roles o WHERE o.tenant_id = $1 AND o.key = 'member')) AS "roleIds"
  FROM (SELECT DISTINCT account_id FROM person) p`);

/** Each part of the statement reads rules as they were before it. */
const ATTACH =
  prepared(`WITH attached AS (UPDATE directory_rules r SET group_id = g.id FROM directory_groups g
    WHERE r.tenant_id = $1 AND r.directory_id = $2 AND r.group_id IS NULL AND g.tenant_id = r.tenant_id
      AND g.directory_id = r.directory_id AND g.id = $3 AND g.display_name_key = r.group_name_key RETURNING 1)
  SELECT a.found AS "areNew", a.found OR EXISTS (SELECT 1 FROM directory_rules r
      WHERE r.tenant_id = $1 AND r.directory_id = $2 AND r.group_id = $3) AS "areAny"
  FROM (SELECT EXISTS (SELECT 1 FROM attached) AS found) a`);

/** Rules of a removed group wait for one of its last name. */
const DETACH = prepared(`UPDATE directory_rules SET group_id = NULL, group_name = $4, group_name_key = $5
  WHERE tenant_id = $1 AND directory_id = $2 AND group_id = $3 RETURNING 1`);

/** Rules that give roles to the members of a group. */
interface RulesOfGroup {
  readonly areAny: boolean;
  readonly areNew: boolean;
}

/** Derives the roles of members from the groups of directories and their rules. */
@Injectable()
export class DirectoryMembers {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly members: MemberService,
    private readonly tenantLock: TenantLock,
  ) {}

  /**
   * Gives members the roles of their groups. Roles of other sources stay.
   */
  async syncRoles({ tenantId, directoryId }: DirectoryScope, userIds: readonly UserId[]): Promise<void> {
    if (userIds.length === 0) return;
    const desired = await this.tenants.rows<RolesOfMember>(tenantId, DESIRED, [userIds]);
    const locked = this.tenantLock.requireLocked(tenantId);
    await this.members.replaceRolesOfSource(locked, directoryId as UserId, desired, 'directory');
  }

  /**
   * Leaves the roles of a directory that is being deleted to administrators, except those of people
   * whom another directory of the organization has sent as well.
   */
  async release({ tenantId, directoryId }: DirectoryScope): Promise<void> {
    const rows = await this.tenants.rows<{ userId: UserId }>(
      tenantId,
      `SELECT u.account_id AS "userId" FROM directory_users u
       WHERE u.tenant_id = $1 AND u.directory_id = $2 AND u.account_id IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM directory_users o WHERE o.tenant_id = $1 AND o.account_id = u.account_id AND o.directory_id <> $2)`,
      [directoryId],
    );
    const userIds = rows.map(({ userId }) => userId);
    await this.members.adoptRoles(tenantId, userIds, 'directory');
  }

  /** Returns the accounts of records, without records that have none. */
  async accountsOf({ tenantId, directoryId }: DirectoryScope, ids: readonly string[]): Promise<UserId[]> {
    const rows = await this.tenants.rows<{ userId: UserId }>(
      tenantId,
      `SELECT account_id AS "userId" FROM directory_users
       WHERE tenant_id = $1 AND directory_id = $2 AND id = ANY($3) AND account_id IS NOT NULL`,
      [directoryId, ids],
    );
    return rows.map(({ userId }) => userId);
  }

  /** Returns the accounts of the members of groups that rules name. */
  async accountsOfRules(tenantId: TenantId, directoryId: string): Promise<UserId[]> {
    const rows = await this.tenants.rows<{ userId: UserId }>(
      tenantId,
      `SELECT DISTINCT u.account_id AS "userId" FROM directory_rules r
         JOIN directory_group_members gm ON gm.tenant_id = r.tenant_id AND gm.directory_id = r.directory_id AND gm.group_id = r.group_id
         JOIN directory_users u ON u.tenant_id = gm.tenant_id AND u.directory_id = gm.directory_id AND u.id = gm.user_id
       WHERE r.tenant_id = $1 AND r.directory_id = $2 AND u.account_id IS NOT NULL`,
      [directoryId],
    );
    return rows.map(({ userId }) => userId);
  }

  /**
   * Attaches rules that name a group to it, so that a later name keeps them.
   * @returns whether rules give roles to its members, and whether some of them do since now
   */
  async attachRules({ tenantId, directoryId }: DirectoryScope, groupId: string): Promise<RulesOfGroup> {
    const found = await this.tenants.row<RulesOfGroup>(tenantId, ATTACH, [directoryId, groupId]);
    if (!found) throw new Error('The statement returned no row.');
    return found;
  }

  /**
   * Lets rules wait for the name of a group that was removed: a directory that sends it again gives
   * it another id.
   * @returns whether rules gave roles to its members
   */
  async detachRules(
    { tenantId, directoryId }: DirectoryScope,
    { id, attributes, displayNameKey }: DirectoryGroupEntity,
  ): Promise<boolean> {
    const parameters = [directoryId, id, attributes['displayName'], displayNameKey];
    return (await this.tenants.rows(tenantId, DETACH, parameters)).length > 0;
  }
}
