import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../platform/database/index.js';
import type { Page } from '../../../platform/api/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { ROLE_KEYS } from '../members/member.repository.js';
import type { Tenant, TenantState } from './tenant.js';

/** An organization of a person, with the keys of the roles they have in it. */
export interface MyTenant extends Tenant {
  readonly roles: string[];
}

const COLUMNS = 't.id, t.name, t.created_at AS "createdAt", t.archived_at AS "archivedAt"';

@Injectable()
export class TenantRepository {
  constructor(private readonly database: Database) {}

  insert(id: TenantId, name: string): Promise<Tenant> {
    return this.database.getRow<Tenant>(
      `INSERT INTO tenants AS t (id, name) VALUES ($1, $2) RETURNING ${COLUMNS}`,
      [id, name],
    );
  }

  find(id: TenantId): Promise<Tenant | null> {
    return this.database.row<Tenant>(`SELECT ${COLUMNS} FROM tenants t WHERE t.id = $1`, [id]);
  }

  /** The state of one, which cannot be archived or restored before the open transaction ends. */
  holdState(id: TenantId): Promise<TenantState | null> {
    return this.database.row<TenantState>(
      'SELECT archived_at IS NOT NULL AS archived FROM tenants WHERE id = $1 FOR SHARE',
      [id],
    );
  }

  /** The states of several; who does not exist is left out. */
  async findStates(ids: readonly string[]): Promise<ReadonlyMap<string, TenantState>> {
    const states = await this.database.rows<TenantState & { id: string }>(
      prepared('SELECT id, archived_at IS NOT NULL AS archived FROM tenants WHERE id = ANY($1)'),
      [ids],
    );
    return new Map(states.map(({ id, archived }) => [id, { archived }]));
  }

  rename(id: TenantId, name: string): Promise<Tenant | null> {
    return this.database.row<Tenant>(`UPDATE tenants t SET name = $2 WHERE t.id = $1 RETURNING ${COLUMNS}`, [
      id,
      name,
    ]);
  }

  setArchived(id: TenantId, archived: boolean): Promise<Tenant | null> {
    return this.database.row<Tenant>(
      `UPDATE tenants t SET archived_at = CASE WHEN $2 THEN now() END WHERE t.id = $1 RETURNING ${COLUMNS}`,
      [id, archived],
    );
  }

  async archiveAll(ids: readonly TenantId[]): Promise<void> {
    await this.database.rows('UPDATE tenants SET archived_at = now() WHERE id = ANY($1)', [ids]);
  }

  /** Leaves the id in place of the name where nobody is left: it may be the name of a person's own company. */
  async forgetNamesOfDeserted(ids: readonly TenantId[]): Promise<void> {
    await this.database.rows(
      'UPDATE tenants t SET name = id WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = t.id)',
      [ids],
    );
  }

  /** In order of id; one more than the limit, if there are that many. */
  listOf(userId: UserId, { limit, after }: Page): Promise<MyTenant[]> {
    return this.database.rows<MyTenant>(
      `SELECT ${COLUMNS}, ${ROLE_KEYS} AS roles
       FROM members m JOIN tenants t ON t.id = m.tenant_id
       WHERE m.user_id = $1 AND ($2::text IS NULL OR m.tenant_id > $2) ORDER BY m.tenant_id LIMIT $3`,
      [userId, after, limit + 1],
    );
  }

  async countOf(userId: UserId): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM members WHERE user_id = $1';
    return (await this.database.getRow<{ count: number }>(sql, [userId])).count;
  }

  /** Every tenant of a person, in the order in which they are to be locked. */
  async findIdsOf(userId: UserId): Promise<TenantId[]> {
    const rows = await this.database.rows<{ tenantId: TenantId }>(
      'SELECT tenant_id AS "tenantId" FROM members WHERE user_id = $1 ORDER BY tenant_id',
      [userId],
    );
    return rows.map(({ tenantId }) => tenantId);
  }
}
