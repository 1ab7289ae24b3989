import { Injectable } from '@nestjs/common';
import { columnsOf, TenantDatabase } from '../../platform/database/index.js';
import { type Attributes, foldName } from '../scim/attributes.js';
import { DirectoryGroupEntity } from './record.entity.js';
import type { DirectoryScope } from './record-rules.js';

/** By how many bytes a directory grows, and how many it may have. */
interface Growth {
  readonly bytes: number;
  readonly maxBytes: number;
}

/** What is stored of a group. */
export interface GroupValues extends Growth {
  readonly attributes: Attributes;
}

const COLUMNS = columnsOf(DirectoryGroupEntity);
const OF_ONE = 'tenant_id = $1 AND directory_id = $2 AND id = $3';
const FIND = `SELECT ${COLUMNS} FROM directory_groups WHERE ${OF_ONE}`;
const MEMBERS_OF_ONE = 'tenant_id = $1 AND directory_id = $2 AND group_id = $3';

/** Groups as directories sent them, and their members. */
@Injectable()
export class GroupRecordRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  find({ tenantId, directoryId }: DirectoryScope, id: string): Promise<DirectoryGroupEntity | null> {
    return this.tenants.row(tenantId, FIND, [directoryId, id]);
  }

  findForUpdate({ tenantId, directoryId }: DirectoryScope, id: string): Promise<DirectoryGroupEntity | null> {
    return this.tenants.row(tenantId, `${FIND} FOR UPDATE`, [directoryId, id]);
  }

  /** @returns null if the directory does not exist, or has no space */
  insert(
    { tenantId, directoryId }: DirectoryScope,
    id: string,
    values: GroupValues,
    maxRecords: number,
  ): Promise<DirectoryGroupEntity | null> {
    return this.tenants.row(
      tenantId,
      `INSERT INTO directory_groups (tenant_id, directory_id, id, attributes, display_name_key, external_id)
       SELECT d.tenant_id, d.id, $3, $4::jsonb, $5, $6 FROM directories d
       WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $7 <= $8 AND d.records < $9
       FOR NO KEY UPDATE RETURNING ${COLUMNS}`,
      [directoryId, id, ...parametersOf(values), maxRecords],
    );
  }

  /** @returns null if the group does not exist, or the directory has no space */
  update(
    { tenantId, directoryId }: DirectoryScope,
    id: string,
    values: GroupValues,
  ): Promise<DirectoryGroupEntity | null> {
    return this.tenants.row(
      tenantId,
      `UPDATE directory_groups SET attributes = $4, display_name_key = $5, external_id = $6,
         version = version + 1, updated_at = date_trunc('milliseconds', now())
       WHERE ${OF_ONE} AND ($7 <= 0 OR EXISTS (
         SELECT 1 FROM directories d WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $7 <= $8))
       RETURNING ${COLUMNS}`,
      [directoryId, id, ...parametersOf(values)],
    );
  }

  delete({ tenantId, directoryId }: DirectoryScope, id: string): Promise<DirectoryGroupEntity | null> {
    const sql = `DELETE FROM directory_groups WHERE ${OF_ONE} RETURNING ${COLUMNS}`;
    return this.tenants.row(tenantId, sql, [directoryId, id]);
  }

  listMemberIds({ tenantId, directoryId }: DirectoryScope, id: string): Promise<string[]> {
    return this.tenants.values<string>(
      tenantId,
      `SELECT user_id AS "userId" FROM directory_group_members WHERE ${MEMBERS_OF_ONE} ORDER BY user_id`,
      [directoryId, id],
    );
  }

  async deleteMembers(
    { tenantId, directoryId }: DirectoryScope,
    id: string,
    userIds: readonly string[],
  ): Promise<void> {
    const sql = `DELETE FROM directory_group_members WHERE ${MEMBERS_OF_ONE} AND user_id = ANY($4)`;
    await this.tenants.rows(tenantId, sql, [directoryId, id, userIds]);
  }

  /**
   * Adds the users that are of the same directory, if it has space.
   * @returns how many were added
   */
  async insertMembers(
    { tenantId, directoryId }: DirectoryScope,
    id: string,
    userIds: readonly string[],
    { bytes, maxBytes }: Growth,
  ): Promise<number> {
    const inserted = await this.tenants.rows(
      tenantId,
      `INSERT INTO directory_group_members (tenant_id, directory_id, group_id, user_id)
       SELECT u.tenant_id, u.directory_id, $3, u.id FROM directory_users u
       WHERE u.tenant_id = $1 AND u.directory_id = $2 AND u.id = ANY($4) AND EXISTS (
         SELECT 1 FROM directories d WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $5 <= $6)
       ORDER BY u.id FOR KEY SHARE OF u RETURNING 1`,
      [directoryId, id, userIds, bytes, maxBytes],
    );
    return inserted.length;
  }

  /** Raises the version of users: they are shown with the groups that they are in. */
  async touchUsers({ tenantId, directoryId }: DirectoryScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.tenants.rows(
      tenantId,
      `UPDATE directory_users SET version = version + 1, updated_at = date_trunc('milliseconds', now())
       WHERE tenant_id = $1 AND directory_id = $2 AND id = ANY($3)`,
      [directoryId, ids],
    );
  }
}

const parametersOf = ({ attributes, bytes, maxBytes }: GroupValues): readonly unknown[] => [
  JSON.stringify(attributes),
  foldName(String(attributes['displayName'])),
  attributes['externalId'] ?? null,
  bytes,
  maxBytes,
];
