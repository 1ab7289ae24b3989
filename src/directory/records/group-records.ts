import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { columnsOf, Database, isUniqueViolation, TenantDatabase } from '../../platform/database/index.js';
import { type Attributes, foldName, isComplex, normalizeResource } from '../scim/attributes.js';
import { applyPatch } from '../scim/patch.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectorySpace } from './directory-space.js';
import { DirectoryGroupEntity } from './group.entity.js';
import {
  type DirectoryScope,
  RecordLists,
  type RecordPage,
  requireName,
  requireStorable,
  requireVersion,
  type Selection,
  throwNotFound,
} from './record-lists.js';

/** A group, and the ids of the records that are its members. */
export interface GroupWithMembers {
  readonly group: DirectoryGroupEntity;
  readonly memberIds: readonly string[];
}

/** A group that was written, and who was a member before. */
export interface WrittenGroup extends GroupWithMembers {
  readonly formerMemberIds: readonly string[];
}

const COLUMNS = columnsOf(DirectoryGroupEntity);
const OF_ONE = 'tenant_id = $1 AND directory_id = $2 AND id = $3';
const MEMBERS_OF_ONE = 'tenant_id = $1 AND directory_id = $2 AND group_id = $3';

/** Stores groups as directories sent them. Members are rows, and not part of the attributes. */
@Injectable()
export class GroupRecords {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly lists: RecordLists,
    private readonly space: DirectorySpace,
  ) {}

  /**
   * @throws {ScimError} 400 for a body or member that is not valid; 409 for a taken externalId; 413
   *   for a group that is too large, or a directory that is full
   */
  create(scope: DirectoryScope, body: unknown): Promise<WrittenGroup> {
    return this.database.transaction(async () => {
      const sql = `INSERT INTO directory_groups (tenant_id, directory_id, id, attributes, display_name_key, external_id)
        SELECT d.tenant_id, d.id, $3, $4::jsonb, $5, $6 FROM directories d
        WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $7 <= $8 AND d.records < $9
        FOR NO KEY UPDATE RETURNING ${COLUMNS}`;
      return this.written(scope, sql, newId(), body, null);
    });
  }

  async find(scope: DirectoryScope, id: string): Promise<GroupWithMembers | null> {
    const sql = `SELECT ${COLUMNS} FROM directory_groups WHERE ${OF_ONE}`;
    const group = await this.tenants.row<DirectoryGroupEntity>(scope.tenantId, sql, [scope.directoryId, id]);
    return group && { group, memberIds: await this.memberIds(scope, id) };
  }

  /** Lists groups without their members. @throws {ScimError} invalidFilter */
  list(scope: DirectoryScope, selection: Selection): Promise<RecordPage<DirectoryGroupEntity>> {
    return this.lists.list(scope, DirectoryGroupEntity, selection);
  }

  /**
   * Replaces a group and its members (PUT).
   * @param version of the caller's If-Match; null without
   * @throws {ScimError} 404, 412, and as {@link create}
   */
  replace(scope: DirectoryScope, id: string, version: number | null, body: unknown): Promise<WrittenGroup> {
    return this.change(scope, id, version, () => body);
  }

  /** Applies operations of PATCH. Parameters and errors as for {@link replace}. */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<WrittenGroup> {
    return this.change(scope, id, version, (stored) => applyPatch(stored, operations));
  }

  /**
   * Removes a group and its memberships.
   * @returns the group with its members of before
   * @throws {ScimError} 404, 412
   */
  remove(scope: DirectoryScope, id: string, version: number | null = null): Promise<GroupWithMembers> {
    return this.database.transaction(async () => {
      const memberIds = await this.memberIds(scope, id);
      const sql = `DELETE FROM directory_groups WHERE ${OF_ONE} RETURNING ${COLUMNS}`;
      const parameters = [scope.directoryId, id];
      const removed = await this.tenants.row<DirectoryGroupEntity>(scope.tenantId, sql, parameters);
      const group = removed ?? throwNotFound();
      requireVersion(version, group.version);
      await this.touchUsers(scope, memberIds);
      return { group, memberIds };
    });
  }

  private change(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    derive: (stored: Attributes) => unknown,
  ): Promise<WrittenGroup> {
    return this.database.transaction(async () => {
      const locked = `SELECT ${COLUMNS} FROM directory_groups WHERE ${OF_ONE} FOR UPDATE`;
      const group = await this.tenants.row<DirectoryGroupEntity>(scope.tenantId, locked, [
        scope.directoryId,
        id,
      ]);
      if (!group) throwNotFound();
      requireVersion(version, group.version);
      const memberIds = await this.memberIds(scope, id);
      const members = memberIds.map((value) => ({ value }));
      const sql = `UPDATE directory_groups SET attributes = $4, display_name_key = $5, external_id = $6,
          version = version + 1, updated_at = date_trunc('milliseconds', now())
        WHERE ${OF_ONE} AND ($7 <= 0 OR EXISTS (
          SELECT 1 FROM directories d WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $7 <= $8))
        RETURNING ${COLUMNS}`;
      const stored = { attributes: group.attributes, memberIds };
      return this.written(scope, sql, id, derive({ ...group.attributes, members }), stored);
    });
  }

  private async written(
    scope: DirectoryScope,
    sql: string,
    id: string,
    body: unknown,
    stored: { readonly attributes: Attributes; readonly memberIds: readonly string[] } | null,
  ): Promise<WrittenGroup> {
    const { attributes, memberIds } = partsOf(body, stored?.attributes);
    const bytes = this.space.growthOf(attributes, stored?.attributes ?? null);
    const growth = { records: stored === null ? 1 : 0, bytes };
    const current = stored?.memberIds ?? [];
    const values = [
      scope.directoryId,
      id,
      JSON.stringify(attributes),
      foldName(String(attributes['displayName'])),
      attributes['externalId'] ?? null,
      bytes,
      this.space.maxBytes,
      ...(stored === null ? [this.space.maxRecords] : []),
    ];
    try {
      const group = await this.tenants.row<DirectoryGroupEntity>(scope.tenantId, sql, values);
      if (!group) {
        await this.space.requireSpace(scope, growth);
        throwNotFound();
      }
      const changed = await this.changeMembers(scope, id, current, memberIds);
      const isRenamed = stored !== null && stored.attributes['displayName'] !== attributes['displayName'];
      await this.touchUsers(scope, isRenamed ? [...new Set([...current, ...memberIds])] : changed);
      return { group, memberIds: memberIds.toSorted(), formerMemberIds: current };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new ScimError(409, 'uniqueness', 'Another group has this externalId.');
    }
  }

  /**
   * Writes the difference. A member must be a user of the same directory.
   * @returns the ids that were removed or added
   */
  private async changeMembers(
    scope: DirectoryScope,
    id: string,
    current: readonly string[],
    wanted: readonly string[],
  ): Promise<string[]> {
    const { tenantId, directoryId } = scope;
    const [before, after] = [new Set(current), new Set(wanted)];
    const removed = current.filter((one) => !after.has(one));
    const added = wanted.filter((one) => !before.has(one));
    const changed = [...removed, ...added];
    if (removed.length > 0)
      await this.tenants.rows(
        tenantId,
        `DELETE FROM directory_group_members WHERE ${MEMBERS_OF_ONE} AND user_id = ANY($4)`,
        [directoryId, id, removed],
      );
    if (added.length === 0) return changed;
    const bytes = this.space.growthOfMembers(added.length);
    const inserted = await this.tenants.rows(
      tenantId,
      `INSERT INTO directory_group_members (tenant_id, directory_id, group_id, user_id)
       SELECT u.tenant_id, u.directory_id, $3, u.id FROM directory_users u
       WHERE u.tenant_id = $1 AND u.directory_id = $2 AND u.id = ANY($4) AND EXISTS (
         SELECT 1 FROM directories d WHERE d.tenant_id = $1 AND d.id = $2 AND d.bytes + $5 <= $6)
       ORDER BY u.id FOR KEY SHARE OF u RETURNING 1`,
      [directoryId, id, added, bytes, this.space.maxBytes],
    );
    if (inserted.length === added.length) return changed;
    await this.space.requireSpace(scope, { records: 0, bytes });
    throw new ScimError(400, 'invalidValue', 'A member is not a user of this directory.');
  }

  /** Raises the version of users: they are shown with the groups that they are in. */
  private async touchUsers({ tenantId, directoryId }: DirectoryScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.tenants.rows(
      tenantId,
      `UPDATE directory_users SET version = version + 1, updated_at = date_trunc('milliseconds', now())
       WHERE tenant_id = $1 AND directory_id = $2 AND id = ANY($3)`,
      [directoryId, ids],
    );
  }

  private async memberIds({ tenantId, directoryId }: DirectoryScope, id: string): Promise<string[]> {
    const rows = await this.tenants.rows<{ userId: string }>(
      tenantId,
      `SELECT user_id AS "userId" FROM directory_group_members WHERE ${MEMBERS_OF_ONE} ORDER BY user_id`,
      [directoryId, id],
    );
    return rows.map(({ userId }) => userId);
  }
}

/** Splits a body into the attributes that are stored and the ids of members, each once. */
function partsOf(
  body: unknown,
  stored?: Attributes,
): { readonly attributes: Attributes; readonly memberIds: string[] } {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  const { members = [], ...attributes } = normalizeResource(body, stored);
  requireName('displayName', attributes['displayName']);
  requireStorable(attributes);
  if (!Array.isArray(members)) throw new ScimError(400, 'invalidValue', 'members must be a list.');
  const ids = members.map((member: unknown) => (isComplex(member) ? member['value'] : undefined));
  if (!ids.every((id) => typeof id === 'string' && !id.includes('\u0000')))
    throw new ScimError(400, 'invalidValue', 'Each member needs a value, the id of a user.');
  return { attributes, memberIds: [...new Set(ids as string[])] };
}
