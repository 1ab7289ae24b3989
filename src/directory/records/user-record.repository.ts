import { Injectable } from '@nestjs/common';
import type { RolesOfMember, RuledAssignment } from '../../iam/index.js';
import { canonicalEmail, newId, type TenantId, type UserId } from '../../kernel/index.js';
import {
  columnsOf,
  Database,
  isUniqueViolation,
  prepared,
  TenantDatabase,
} from '../../platform/database/index.js';
import { addressOf, type Attributes, foldName } from '../scim/attributes.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectorySpace, type DirectoryScope, requireVersion, throwNotFound } from './record-rules.js';
import { DirectoryUserEntity } from './record.entity.js';

const COLUMNS = columnsOf(DirectoryUserEntity);
/** Inserts a record of a directory that still exists and has space. */
const INSERT =
  prepared(`INSERT INTO directory_users (tenant_id, directory_id, id, attributes, user_name_key, external_id, active, email_key, display_name_key, account_id, state, made_account)
  SELECT d.tenant_id, d.id, $3, $4::jsonb, $5, $6, $7::boolean, $8, $9, $10::text,
    CASE WHEN $10::text IS NULL THEN 'pending' ELSE 'linked' END, $10::text IS NOT NULL
  FROM directories d WHERE d.tenant_id = $1 AND d.id = $2 AND d.records < $11 AND d.bytes + $12 <= $13
  FOR NO KEY UPDATE RETURNING ${COLUMNS}`);

const UPDATE =
  prepared(`UPDATE directory_users SET attributes = $4, user_name_key = $5, external_id = $6, active = $7, email_key = $8,
    display_name_key = $9, version = version + 1, updated_at = date_trunc('milliseconds', now())
  WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 AND version = $12 AND ($10 <= 0 OR EXISTS (
    SELECT 1 FROM directories d WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $10 <= $11))
  RETURNING ${COLUMNS}`);

/** Raises the version of the groups of a user: they are shown with their members. */
const TOUCH_GROUPS =
  prepared(`UPDATE directory_groups g SET version = g.version + 1, updated_at = date_trunc('milliseconds', now())
  WHERE g.tenant_id = $1 AND g.directory_id = $2 AND g.id IN (
    SELECT gm.group_id FROM directory_group_members gm
    WHERE gm.tenant_id = $1 AND gm.directory_id = $2 AND gm.user_id = $3)`);

/** Raises the version of groups, which are shown with their members. */
const TOUCH_GROUPS_OF_ACCOUNT = `UPDATE directory_groups g SET version = g.version + 1, updated_at = date_trunc('milliseconds', now())
  FROM directory_users u JOIN directory_group_members gm
    ON gm.tenant_id = u.tenant_id AND gm.directory_id = u.directory_id AND gm.user_id = u.id
  WHERE u.account_id = $1 AND g.tenant_id = gm.tenant_id AND g.directory_id = gm.directory_id AND g.id = gm.group_id`;

const ROLES_BY_RULES = prepared(`WITH person AS (
    SELECT u.account_id, u.directory_id, u.id FROM directory_users u
    WHERE u.tenant_id = $1 AND u.account_id = ANY($2) AND u.active),
  given AS (
    SELECT DISTINCT p.account_id, o.id AS role_id, r.things FROM person p
      JOIN directory_group_members gm ON gm.tenant_id = $1 AND gm.directory_id = p.directory_id AND gm.user_id = p.id
      JOIN directory_rules r ON r.tenant_id = $1 AND r.directory_id = gm.directory_id AND r.group_id = gm.group_id
      JOIN roles o ON o.tenant_id = $1 AND o.id = ANY(r.role_ids))
  SELECT p.account_id AS "userId", COALESCE(
      (SELECT array_agg(g.role_id ORDER BY g.role_id) FROM given g WHERE g.account_id = p.account_id AND g.things IS NULL),
      ARRAY(SELECT o.id FROM roles o WHERE o.tenant_id = $1 AND o.key = 'member')) AS "roleIds",
    (SELECT json_agg(DISTINCT jsonb_build_object('userId', g.account_id, 'roleId', g.role_id, 'thing', t.thing))
     FROM given g CROSS JOIN unnest(g.things) t (thing) WHERE g.account_id = p.account_id) AS "onThings",
    EXISTS (SELECT 1 FROM role_assignments a
      WHERE a.tenant_id = $1 AND a.user_id = p.account_id AND a.source = 'directory') AS "isAssigned"
  FROM (SELECT DISTINCT account_id FROM person) p`);

/** What rules give a member now, and whether they have given roles on things before. */
interface RuledRoles extends RolesOfMember {
  /** Roles on things; null for none. */
  readonly onThings: readonly RuledAssignment[] | null;
  readonly isAssigned: boolean;
}

const REMOVED = 'tenant_id AS "tenantId", directory_id AS "directoryId", id, account_id AS "accountId"';

/** What an event says of a record. */
export type RemovedRecord = Pick<DirectoryUserEntity, 'tenantId' | 'directoryId' | 'id' | 'accountId'>;

/** The account of a record, and how it came to it. */
type Link = Pick<DirectoryUserEntity, 'accountId' | 'state' | 'reason' | 'madeAccount'>;

/** Stores people as directories sent them. Each change has a version, the text of the ETag. */
@Injectable()
export class UserRecordRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly space: DirectorySpace,
  ) {}

  /**
   * @param attributes as {@link userAttributesOf} returns them
   * @param made account that was created for the record in the open transaction; null without
   * @throws {ScimError} 404 without the directory; 409 for a taken userName or externalId; 413 for
   *   a record that is too large, or a directory that is full
   */
  async create(
    scope: DirectoryScope,
    attributes: Attributes,
    made: UserId | null = null,
  ): Promise<DirectoryUserEntity> {
    const bytes = this.space.growthOf(attributes, null);
    const { maxRecords, maxBytes } = this.space;
    const row = await this.write(scope, INSERT, newId(), attributes, made, maxRecords, bytes, maxBytes);
    if (row) return row;
    await this.space.requireSpace(scope, { records: 1, bytes });
    throwNotFound();
  }

  find({ tenantId, directoryId }: DirectoryScope, id: string): Promise<DirectoryUserEntity | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND id = $3`,
      [directoryId, id],
    );
  }

  /**
   * Lists organizations of which records wait for their invitation, after the given one, in order.
   * Reads one entry of the index for each.
   */
  async listTenantsWaiting(after: string, limit: number): Promise<TenantId[]> {
    const next = (than: string) =>
      `SELECT tenant_id FROM directory_users WHERE reason = 'invitation-waits' AND tenant_id > ${than} ORDER BY tenant_id LIMIT 1`;
    return this.database.values<TenantId>(
      `WITH RECURSIVE waiting AS (
         (${next('$1')}) UNION ALL SELECT (${next('w.tenant_id')}) FROM waiting w WHERE w.tenant_id IS NOT NULL)
       SELECT w.tenant_id AS "tenantId" FROM waiting w JOIN tenants t ON t.id = w.tenant_id
       WHERE t.archived_at IS NULL LIMIT $2`,
      [after, limit],
    );
  }

  /** Lists records of an organization that wait for their invitation, oldest first. */
  listWaiting(
    tenantId: TenantId,
    limit: number,
  ): Promise<Pick<DirectoryUserEntity, 'tenantId' | 'directoryId' | 'id'>[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT tenant_id AS "tenantId", directory_id AS "directoryId", id FROM directory_users
       WHERE tenant_id = $1 AND reason = 'invitation-waits' ORDER BY id LIMIT $2`,
      [limit],
    );
  }

  /** Lists ids of records that wait for an address, after the given one, in order. */
  listWithoutAddress(
    { tenantId, directoryId }: DirectoryScope,
    after: string,
    limit: number,
  ): Promise<string[]> {
    return this.tenants.values<string>(
      tenantId,
      `SELECT id FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND state = 'pending' AND id > $3
         AND reason = 'no-address' ORDER BY id LIMIT $4`,
      [directoryId, after, limit],
    );
  }

  /**
   * Stores the attributes of a record, if it has not changed since it was read.
   * @param attributes as {@link userAttributesOf} returns them
   * @returns null for a record that has changed, or is gone
   * @throws {ScimError} 409, 413 as {@link create}
   */
  async update(before: DirectoryUserEntity, attributes: Attributes): Promise<DirectoryUserEntity | null> {
    const bytes = this.space.growthOf(attributes, before.attributes);
    const more = [bytes, this.space.maxBytes, before.version];
    const row = await this.write(before, UPDATE, before.id, attributes, ...more);
    if (!row) await this.space.requireSpace(before, { records: 0, bytes });
    return row;
  }

  /** Removes a record from its groups, too, whose version rises. @throws {ScimError} 404, 412 */
  remove(
    { tenantId, directoryId }: DirectoryScope,
    id: string,
    version: number | null = null,
  ): Promise<DirectoryUserEntity> {
    return this.database.transaction(async () => {
      await this.tenants.rows(tenantId, TOUCH_GROUPS, [directoryId, id]);
      const sql = `DELETE FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 RETURNING ${COLUMNS}`;
      const removed =
        (await this.tenants.row<DirectoryUserEntity>(tenantId, sql, [directoryId, id])) ?? throwNotFound();
      requireVersion(version, removed.version);
      return removed;
    });
  }

  /** @returns the record with its link */
  async setLink(record: DirectoryUserEntity, link: Link): Promise<DirectoryUserEntity> {
    const { tenantId, directoryId, id } = record;
    await this.tenants.rows(
      tenantId,
      `UPDATE directory_users SET account_id = $4, state = $5, reason = $6, made_account = $7
       WHERE tenant_id = $1 AND directory_id = $2 AND id = $3`,
      [directoryId, id, link.accountId, link.state, link.reason, link.madeAccount],
    );
    return { ...record, ...link };
  }

  /** Returns whether a record of the directory is linked to an account. */
  async isLinked({ tenantId, directoryId }: DirectoryScope, userId: UserId): Promise<boolean> {
    const sql =
      'SELECT 1 FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND account_id = $3';
    return (await this.tenants.row(tenantId, sql, [directoryId, userId])) !== null;
  }

  /** Returns the accounts of records, without records that have none. */
  findAccounts({ tenantId, directoryId }: DirectoryScope, ids: readonly string[]): Promise<UserId[]> {
    return this.tenants.values<UserId>(
      tenantId,
      `SELECT account_id AS "userId" FROM directory_users
       WHERE tenant_id = $1 AND directory_id = $2 AND id = ANY($3) AND account_id IS NOT NULL`,
      [directoryId, ids],
    );
  }

  /** Returns the accounts of a directory's records that no other directory of the tenant has. */
  findAccountsOfOnly({ tenantId, directoryId }: DirectoryScope): Promise<UserId[]> {
    return this.tenants.values<UserId>(
      tenantId,
      `SELECT u.account_id AS "userId" FROM directory_users u
       WHERE u.tenant_id = $1 AND u.directory_id = $2 AND u.account_id IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM directory_users o WHERE o.tenant_id = $1 AND o.account_id = u.account_id AND o.directory_id <> $2)`,
      [directoryId],
    );
  }

  /** Returns the roles that rules give to members; `member` for those to whom none does. */
  findRolesByRules(tenantId: TenantId, userIds: readonly UserId[]): Promise<RuledRoles[]> {
    return this.tenants.rows(tenantId, ROLES_BY_RULES, [userIds]);
  }

  /**
   * Deletes the records of a person, and those with the address that no account is linked to. The
   * version of the person's groups rises.
   */
  async deleteOfPerson(userId: UserId, emailKey: string | null): Promise<RemovedRecord[]> {
    await this.database.rows(TOUCH_GROUPS_OF_ACCOUNT, [userId]);
    const linked = `DELETE FROM directory_users WHERE account_id = $1 RETURNING ${REMOVED}`;
    const removed = await this.database.rows<RemovedRecord>(linked, [userId]);
    if (emailKey === null) return removed;
    const waiting = `DELETE FROM directory_users WHERE account_id IS NULL AND email_key = $1 RETURNING ${REMOVED}`;
    return [...removed, ...(await this.database.rows<RemovedRecord>(waiting, [emailKey]))];
  }

  private async write(
    { tenantId, directoryId }: DirectoryScope,
    sql: string,
    id: string,
    attributes: Attributes,
    ...more: unknown[]
  ): Promise<DirectoryUserEntity | null> {
    const { userName, externalId = null, active, displayName } = attributes;
    const email = addressOf(attributes);
    const values = [
      directoryId,
      id,
      JSON.stringify(attributes),
      foldName(String(userName)),
      externalId,
      active,
      email === null ? null : canonicalEmail(email),
      typeof displayName === 'string' ? foldName(displayName) : null,
      ...more,
    ];
    try {
      return await this.tenants.row<DirectoryUserEntity>(tenantId, sql, values);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new ScimError(
        409,
        'uniqueness',
        'Another user has this userName, or an active one this externalId.',
      );
    }
  }
}
