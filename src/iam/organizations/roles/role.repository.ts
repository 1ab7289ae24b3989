import { Injectable } from '@nestjs/common';
import { prepared, TenantDatabase } from '../../../platform/database/index.js';
import { newId, type TenantId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { BUILT_IN_ROLES } from './role-scopes.js';

export interface Role {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** Empty for a built-in role, whose scopes are in the code. */
  readonly scopes: readonly string[];
  readonly builtIn: boolean;
}

/** A role as its policy judges it. */
export interface JudgedRole extends Role {
  readonly inUse: boolean;
}

const COLUMNS = 'r.id, r.key, r.name, r.scopes, r.built_in AS "builtIn"';

@Injectable()
export class RoleRepository {
  constructor(private readonly database: TenantDatabase) {}

  async insertBuiltIn(tenantId: TenantId): Promise<void> {
    for (const { key, name } of BUILT_IN_ROLES) await this.insert(tenantId, { key, name, scopes: [] }, true);
  }

  async insert(
    tenantId: TenantId,
    { key, name, scopes }: Pick<Role, 'key' | 'name' | 'scopes'>,
    builtIn = false,
  ): Promise<Role> {
    const id = newId();
    await this.database.rows(
      tenantId,
      'INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) VALUES ($1, $2, $3, $4, $5, $6)',
      [id, key, name, scopes, builtIn],
    );
    return { id, key, name, scopes, builtIn };
  }

  list(tenantId: TenantId, { limit, after }: Page): Promise<Role[]> {
    return this.database.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM roles r WHERE tenant_id = $1 AND ($2::text IS NULL OR r.id > $2) ORDER BY r.id LIMIT $3`,
      [after, limit + 1],
    );
  }

  /** Every role of these tenants, each with its tenant: there are few, and held scopes need them all. The offset keeps the planner to looking each tenant up. */
  findAllOf(tenantIds: readonly string[]): Promise<(Role & { readonly tenantId: string })[]> {
    return this.database.rowsOfEach(
      tenantIds,
      prepared(`SELECT r.* FROM unnest($1::text[]) asked (tenant_id) CROSS JOIN LATERAL (
         SELECT ${COLUMNS}, r.tenant_id AS "tenantId" FROM roles r WHERE r.tenant_id = asked.tenant_id OFFSET 0) r`),
    );
  }

  async countOwn(tenantId: TenantId): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM roles WHERE tenant_id = $1 AND NOT built_in';
    return (await this.database.row<{ count: number }>(tenantId, sql))?.count ?? 0;
  }

  findByKeys(tenantId: TenantId, keys: readonly string[]): Promise<Role[]> {
    return this.database.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM roles r WHERE tenant_id = $1 AND r.key = ANY($2)`,
      [keys],
    );
  }

  /** A role that an open invitation promises is in use as well. */
  findJudged(tenantId: TenantId, ids: readonly string[], lock: boolean): Promise<JudgedRole[]> {
    return this.database.rows(
      tenantId,
      `SELECT ${COLUMNS},
         EXISTS (SELECT 1 FROM member_roles m WHERE m.tenant_id = r.tenant_id AND m.role_id = r.id) OR EXISTS (
           SELECT 1 FROM invitations i WHERE i.tenant_id = r.tenant_id AND r.id = ANY(i.role_ids)
             AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()) AS "inUse"
       FROM roles r WHERE tenant_id = $1 AND r.id = ANY($2) ${lock ? 'FOR UPDATE OF r' : ''}`,
      [ids],
    );
  }

  async update(
    tenantId: TenantId,
    id: string,
    { name, scopes }: { name?: string | undefined; scopes?: readonly string[] | undefined },
  ): Promise<Role | null> {
    return this.database.row(
      tenantId,
      `UPDATE roles r SET name = coalesce($3, name), scopes = coalesce($4::text[], scopes) WHERE tenant_id = $1 AND r.id = $2 RETURNING ${COLUMNS}`,
      [id, name ?? null, scopes ?? null],
    );
  }

  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.database.rows(tenantId, 'DELETE FROM roles WHERE tenant_id = $1 AND id = $2', [id]);
  }
}
