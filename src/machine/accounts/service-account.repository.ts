import { Injectable } from '@nestjs/common';
import { ActsInTrail, NamedInTrail, type NamedThing, namesOfGiven } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { columnsOf, Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import { ServiceAccountEntity, type ServiceAccountStatus } from './service-account.entity.js';

/** Service account with the keys of its roles. */
export interface ServiceAccount extends ServiceAccountEntity {
  readonly roles: string[];
}

/** What its policy, and every request by one of its credentials, depends on. */
export interface LiveServiceAccount extends Pick<ServiceAccountEntity, 'id' | 'tenantId' | 'status'> {
  readonly roleIds: readonly string[];
}

interface ServiceAccountFilter {
  /** Beginning of the name; null for any. */
  readonly query: string | null;
  readonly status: ServiceAccountStatus | null;
}

type Fields = Pick<ServiceAccountEntity, 'name' | 'description' | 'contact'>;

const ROLE_KEYS = `ARRAY(SELECT r.key FROM service_account_roles sr JOIN roles r ON r.tenant_id = sr.tenant_id AND r.id = sr.role_id
  WHERE sr.tenant_id = s.tenant_id AND sr.account_id = s.id ORDER BY r.key)`;
const COLUMNS = `${columnsOf(ServiceAccountEntity, 's')}, ${ROLE_KEYS} AS roles`;
const LIVE = `s.id, s.tenant_id AS "tenantId", s.status,
  ARRAY(SELECT sr.role_id FROM service_account_roles sr WHERE sr.tenant_id = s.tenant_id AND sr.account_id = s.id) AS "roleIds"`;

/** Service accounts of organizations, with their roles. */
@Injectable()
export class ServiceAccountRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(
    tenantId: TenantId,
    { limit, after }: Page,
    { query, status }: ServiceAccountFilter,
  ): Promise<ServiceAccount[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM service_accounts s WHERE s.tenant_id = $1 AND s.id > $2
         AND ($3::text IS NULL OR search_key(s.name) LIKE search_pattern($3))
         AND ($4::text IS NULL OR s.status = $4) ORDER BY s.id LIMIT $5`,
      [after ?? '', query, status, limit + 1],
    );
  }

  find(tenantId: TenantId, id: string): Promise<ServiceAccount | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM service_accounts s WHERE s.tenant_id = $1 AND s.id = $2`,
      [id],
    );
  }

  count(tenantId: TenantId): Promise<number> {
    return this.tenants.of(ServiceAccountEntity).count(tenantId);
  }

  /** Returns accounts by id, in the form that the policy judges; locks them if asked to. */
  findJudged(tenantId: TenantId, ids: readonly string[], lock: boolean): Promise<LiveServiceAccount[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${LIVE} FROM service_accounts s
       WHERE s.tenant_id = $1 AND s.id = ANY($2) ORDER BY s.id ${lock ? 'FOR UPDATE OF s' : ''}`,
      [ids],
    );
  }

  /** Locks an account until the transaction ends. @returns null for an unknown one */
  findLiveForShare(tenantId: TenantId, id: string): Promise<LiveServiceAccount | null> {
    return this.tenants.row(
      tenantId,
      prepared(`SELECT ${LIVE} FROM service_accounts s WHERE s.tenant_id = $1 AND s.id = $2 FOR SHARE OF s`),
      [id],
    );
  }

  /** Returns accounts of any tenant: a credential names only the account. */
  listLive(ids: readonly string[]): Promise<LiveServiceAccount[]> {
    return this.database.rows(
      prepared(
        `SELECT ${LIVE} FROM unnest($1::text[]) asked (id) JOIN service_accounts s ON s.id = asked.id`,
      ),
      [ids],
    );
  }

  async insert(
    tenantId: TenantId,
    { roleIds, ...account }: Fields & Pick<ServiceAccountEntity, 'id' | 'createdBy'> & { roleIds: string[] },
  ): Promise<void> {
    await this.tenants.of(ServiceAccountEntity).insert(tenantId, account);
    await this.addRoles(tenantId, account.id, roleIds);
  }

  async update(tenantId: TenantId, id: string, changes: Partial<Fields>): Promise<void> {
    if (namesOfGiven(changes).length > 0)
      await this.tenants.of(ServiceAccountEntity).update(tenantId, { id }, changes);
  }

  async replaceRoles(tenantId: TenantId, id: string, roleIds: readonly string[]): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'DELETE FROM service_account_roles WHERE tenant_id = $1 AND account_id = $2 AND role_id <> ALL($3)',
      [id, roleIds],
    );
    await this.addRoles(tenantId, id, roleIds);
  }

  async setStatus(tenantId: TenantId, id: string, status: ServiceAccountStatus): Promise<void> {
    await this.tenants.of(ServiceAccountEntity).update(tenantId, { id }, { status });
  }

  /** @returns false if there is no such account */
  async delete(tenantId: TenantId, id: string): Promise<boolean> {
    return (await this.tenants.of(ServiceAccountEntity).delete(tenantId, { id })) > 0;
  }

  private async addRoles(tenantId: TenantId, id: string, roleIds: readonly string[]): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO service_account_roles (tenant_id, account_id, role_id) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`,
      [id, roleIds],
    );
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/service-accounts', scope: 'iam:service-account:read' })
  @ActsInTrail('service-account')
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('service_accounts', tenantIds, ids);
  }
}
