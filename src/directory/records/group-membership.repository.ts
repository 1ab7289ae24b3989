import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { ScimError } from '../scim/scim-error.js';
import type { DirectoryScope } from './record-rules.js';

/** Memberships of a page of groups or users: a replica has all of them in memory at once. */
const MAX_SHOWN = 200_000;
/** Maximum number of groups that a token names: it is a header of each request. */
const MAX_NAMED = 100;

/** A group of a user. */
export interface GroupOfUser {
  readonly userId: string;
  readonly id: string;
  readonly displayName: string;
}

/** Reads who is in which group, for pages of users and of groups, and for tokens. */
@Injectable()
export class GroupMembershipRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Returns the names of a member's groups in order, without repetition; the first hundred. */
  findNames(tenantId: TenantId, userId: UserId): Promise<string[]> {
    return this.tenants.values<string>(
      tenantId,
      `SELECT DISTINCT g.attributes ->> 'displayName' AS name FROM directory_users u
       JOIN directory_group_members gm
         ON gm.tenant_id = u.tenant_id AND gm.directory_id = u.directory_id AND gm.user_id = u.id
       JOIN directory_groups g
         ON g.tenant_id = gm.tenant_id AND g.directory_id = gm.directory_id AND g.id = gm.group_id
       WHERE u.tenant_id = $1 AND u.account_id = $2 ORDER BY name LIMIT ${MAX_NAMED}`,
      [userId],
    );
  }

  /** Returns the groups of users, by user. @throws {ScimError} tooMany */
  async groupsOf(
    { tenantId, directoryId }: DirectoryScope,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, GroupOfUser[]>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.tenants.rows<GroupOfUser>(
      tenantId,
      `SELECT gm.user_id AS "userId", g.id, g.attributes ->> 'displayName' AS "displayName"
       FROM (SELECT * FROM directory_group_members
         WHERE tenant_id = $1 AND directory_id = $2 AND user_id = ANY($3) LIMIT ${MAX_SHOWN + 1}) gm
       JOIN directory_groups g
         ON g.tenant_id = gm.tenant_id AND g.directory_id = gm.directory_id AND g.id = gm.group_id
       ORDER BY g.id`,
      [directoryId, userIds],
    );
    requireShown(rows.length);
    return Map.groupBy(rows, ({ userId }) => userId);
  }

  /** Returns the ids of members, by group. @throws {ScimError} tooMany */
  async membersOf(
    { tenantId, directoryId }: DirectoryScope,
    groupIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>> {
    if (groupIds.length === 0) return new Map();
    const rows = await this.tenants.rows<{ groupId: string; userIds: string[] }>(
      tenantId,
      `SELECT group_id AS "groupId", array_agg(user_id ORDER BY user_id) AS "userIds" FROM (SELECT group_id, user_id FROM directory_group_members
         WHERE tenant_id = $1 AND directory_id = $2 AND group_id = ANY($3) LIMIT ${MAX_SHOWN + 1}) gm GROUP BY group_id`,
      [directoryId, groupIds],
    );
    requireShown(rows.reduce((sum, { userIds }) => sum + userIds.length, 0));
    return new Map(rows.map(({ groupId, userIds }) => [groupId, userIds]));
  }
}

function requireShown(memberships: number): void {
  if (memberships > MAX_SHOWN)
    throw new ScimError(400, 'tooMany', 'The page has too many members. Ask for fewer groups by count.');
}
