import { Injectable } from '@nestjs/common';
import { Any, MoreThan } from 'typeorm';
import {
  columnsOf,
  prepared,
  type Selected,
  TenantDatabase,
  type TenantRows,
} from '../../../platform/database/index.js';
import { NamedInTrail, type NamedThing } from '../../audit/named-in-trail.decorator.js';
import { newId, type TenantId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { RoleEntity } from './role.entity.js';
import { BUILT_IN_ROLES } from './role-scopes.js';

const ROLE = { id: true, key: true, name: true, scopes: true, builtIn: true } as const;

export type Role = Selected<RoleEntity, typeof ROLE>;

/** A role as its policy judges it. */
export interface JudgedRole extends Role {
  /** Held by a member, or promised by an open invitation. */
  readonly inUse: boolean;
}

const COLUMNS = columnsOf(RoleEntity, 'r', ROLE);

/** Roles of organizations. */
@Injectable()
export class RoleRepository {
  private readonly rows: TenantRows<RoleEntity>;

  constructor(private readonly database: TenantDatabase) {
    this.rows = database.of(RoleEntity);
  }

  async insertBuiltIn(tenantId: TenantId): Promise<void> {
    for (const { key, name } of BUILT_IN_ROLES) await this.insert(tenantId, { key, name, scopes: [] }, true);
  }

  async insert(
    tenantId: TenantId,
    { key, name, scopes }: Pick<Role, 'key' | 'name' | 'scopes'>,
    builtIn = false,
  ): Promise<Role> {
    const role = { id: newId(), key, name, scopes, builtIn };
    await this.rows.insert(tenantId, { ...role });
    return role;
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<Role[]> {
    const where = after === null ? {} : { id: MoreThan(after) };
    return this.rows.find(tenantId, { where, select: ROLE, order: { id: 'ASC' }, take: limit + 1 });
  }

  /**
   * Returns every role of these tenants, each with its tenant: held scopes need them all. OFFSET 0
   * prevents flattening, so that each tenant is looked up by index.
   */
  findAllOf(tenantIds: readonly string[]): Promise<(Role & { readonly tenantId: string })[]> {
    return this.database.rowsOfEach(
      tenantIds,
      prepared(`SELECT r.* FROM unnest($1::text[]) asked (tenant_id) CROSS JOIN LATERAL (
         SELECT ${COLUMNS}, r.tenant_id AS "tenantId" FROM roles r WHERE r.tenant_id = asked.tenant_id OFFSET 0) r`),
    );
  }

  countOwn(tenantId: TenantId): Promise<number> {
    return this.rows.count(tenantId, { builtIn: false });
  }

  findByKeys(tenantId: TenantId, keys: readonly string[]): Promise<Role[]> {
    return this.rows.find(tenantId, { where: { key: Any(keys) }, select: ROLE });
  }

  async find(tenantId: TenantId, id: string): Promise<Role | null> {
    const [role] = await this.rows.find(tenantId, { where: { id }, select: ROLE });
    return role ?? null;
  }

  /** Returns roles by id, in the form that the policy judges; locks them if asked to. */
  findJudged(tenantId: TenantId, ids: readonly string[], lock: boolean): Promise<JudgedRole[]> {
    return this.database.rows(
      tenantId,
      `SELECT ${COLUMNS},
         EXISTS (SELECT 1 FROM member_roles m WHERE m.tenant_id = r.tenant_id AND m.role_id = r.id) OR EXISTS (
           SELECT 1 FROM role_assignments a WHERE a.tenant_id = r.tenant_id AND a.role_id = r.id) OR EXISTS (
           SELECT 1 FROM service_account_roles s WHERE s.tenant_id = r.tenant_id AND s.role_id = r.id) OR EXISTS (
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
    await this.rows.delete(tenantId, { id });
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/roles', scope: 'iam:role:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.database.listNames('roles', tenantIds, ids);
  }
}
