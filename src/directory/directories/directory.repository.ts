import { Injectable } from '@nestjs/common';
import { ActsInTrail, NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { columnsOf, prepared, type RowContext, TenantDatabase } from '../../platform/database/index.js';
import { DirectoryEntity } from './directory.entity.js';

/** What a caller can set. */
type DirectoryFields = Pick<
  DirectoryEntity,
  'name' | 'connectionId' | 'onDelete' | 'withoutAddress' | 'matchAttribute' | 'status'
>;
export type DirectoryInput = { readonly [K in keyof DirectoryFields]?: DirectoryFields[K] | undefined };

const COLUMNS = columnsOf(DirectoryEntity);
const OF_ONE = 'tenant_id = $1 AND id = $2';
const FIND = prepared(`SELECT ${COLUMNS} FROM directories WHERE ${OF_ONE}`);

/** Returns the ids of the roles that the rules of a directory give, each once. */
export const rolesOfRules = (directory: string): string =>
  `ARRAY(SELECT DISTINCT role_id FROM directory_rules r CROSS JOIN unnest(r.role_ids) AS given (role_id)
    WHERE r.tenant_id = ${directory}.tenant_id AND r.directory_id = ${directory}.id)`;

/** Directory, as a decision needs to know it. */
export interface FoundDirectory {
  readonly id: string;
  /** Roles that its rules give. */
  readonly roleIds: readonly string[];
}

/** Directories of organizations, without the records that they have sent. */
@Injectable()
export class DirectoryRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(ids: readonly string[], context: RowContext): Promise<ReadonlyMap<string, FoundDirectory>> {
    const sql = `SELECT id, ${rolesOfRules('directories')} AS "roleIds"
      FROM directories WHERE tenant_id = $1 AND id = ANY($2)`;
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<DirectoryEntity[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM directories WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  find(tenantId: TenantId, id: string): Promise<DirectoryEntity | null> {
    return this.tenants.row(tenantId, FIND, [id]);
  }

  /** Locks a directory until the transaction ends. @returns false if it does not exist */
  async lockForUpdate(tenantId: TenantId, id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM directories WHERE ${OF_ONE} FOR UPDATE`;
    return (await this.tenants.row(tenantId, sql, [id])) !== null;
  }

  /** Returns what triggers have counted of a directory: its records, and their bytes. */
  findUsage(
    tenantId: TenantId,
    id: string,
  ): Promise<{ readonly records: number; readonly bytes: number } | null> {
    const sql = `SELECT records, bytes::float8 AS bytes FROM directories WHERE ${OF_ONE}`;
    return this.tenants.row(tenantId, sql, [id]);
  }

  async insert(tenantId: TenantId, id: string, fields: DirectoryInput): Promise<void> {
    await this.tenants.of(DirectoryEntity).insert(tenantId, { ...fields, id });
  }

  /** Changes those that are given. */
  async update(tenantId: TenantId, id: string, fields: DirectoryInput): Promise<void> {
    await this.tenants.of(DirectoryEntity).update(tenantId, { id }, fields);
  }

  /** Deletes a directory with its tokens, records and rules. Its log expires. */
  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(DirectoryEntity).delete(tenantId, { id });
  }

  count(tenantId: TenantId): Promise<number> {
    return this.tenants.of(DirectoryEntity).count(tenantId);
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/directories', scope: 'iam:directory:read' })
  @ActsInTrail('directory')
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('directories', tenantIds, ids);
  }
}
