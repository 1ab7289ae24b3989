import { Injectable } from '@nestjs/common';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import { DomainEntity } from './domain.entity.js';

export type Domain = DomainEntity;

/** Days for which the record of a verified domain may be missing before the domain lapses. */
const MISSING_DAYS = 7;

const COLUMNS = columnsOf(DomainEntity);

/** Domain, as a decision needs to know it. */
export interface JudgedDomain {
  readonly id: string;
  readonly inUse: boolean;
}

/** Domains of organizations, verified or not. */
@Injectable()
export class DomainRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(ids: readonly string[], context: RowContext): Promise<ReadonlyMap<string, JudgedDomain>> {
    const sql = `SELECT id, EXISTS (SELECT FROM connection_domains c
        WHERE c.tenant_id = tenant_domains.tenant_id AND c.domain_id = tenant_domains.id) AS "inUse"
      FROM tenant_domains WHERE tenant_id = $1 AND id = ANY($2)`;
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<Domain[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM tenant_domains WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  find(tenantId: TenantId, id: string): Promise<Domain | null> {
    return this.tenants.of(DomainEntity).findOne(tenantId, { where: { id } });
  }

  count(tenantId: TenantId): Promise<number> {
    return this.tenants.of(DomainEntity).count(tenantId);
  }

  /** @returns false if the organization has the domain already */
  async insert(
    tenantId: TenantId,
    { id, domain, token }: Pick<Domain, 'id' | 'domain' | 'token'>,
  ): Promise<boolean> {
    const row = await this.tenants.row(
      tenantId,
      `INSERT INTO tenant_domains (tenant_id, id, domain, token) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT tenant_domains_domain_unique DO NOTHING RETURNING 1`,
      [id, domain, token],
    );
    return row !== null;
  }

  /**
   * @param token that the record had
   * @returns false if the domain needs another one since
   * @throws a unique violation if another organization has verified the domain
   */
  async markVerified(tenantId: TenantId, id: string, token: string): Promise<boolean> {
    const row = await this.tenants.row(
      tenantId,
      `UPDATE tenant_domains SET status = 'verified', checked_at = now(), missing_since = NULL,
         verified_at = CASE WHEN status = 'verified' THEN verified_at ELSE now() END
       WHERE tenant_id = $1 AND id = $2 AND token = $3 RETURNING 1`,
      [id, token],
    );
    return row !== null;
  }

  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(DomainEntity).delete(tenantId, { id });
  }

  /** Returns the connections to which a domain is assigned. */
  findConnectionIds(tenantId: TenantId, id: string): Promise<string[]> {
    const sql = 'SELECT connection_id AS id FROM connection_domains WHERE tenant_id = $1 AND domain_id = $2';
    return this.tenants.values<string>(tenantId, sql, [id]);
  }

  /** Claims verified domains that were not checked for a day: no other replica checks them. */
  claimDue(limit: number): Promise<Domain[]> {
    return this.database.rows(
      prepared(`UPDATE tenant_domains SET checked_at = now() WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM tenant_domains WHERE status = 'verified' AND checked_at < now() - interval '1 day'
         ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING ${COLUMNS}`),
      [limit],
    );
  }

  /**
   * Lets a verified domain lapse at once.
   * @param token that the record must have from now on
   * @returns null if no organization has verified it
   */
  withdraw(domain: string, token: string): Promise<Domain | null> {
    return this.database.row(
      `UPDATE tenant_domains SET status = 'lapsed', missing_since = coalesce(missing_since, now()), token = $2
       WHERE domain = $1 AND status = 'verified' RETURNING ${COLUMNS}`,
      [domain, token],
    );
  }

  /** Records that the record of a verified domain is there. */
  async noteFound(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'UPDATE tenant_domains SET missing_since = NULL WHERE tenant_id = $1 AND id = $2 AND missing_since IS NOT NULL',
      [id],
    );
  }

  /**
   * Records that the record of a verified domain is missing. After {@link MISSING_DAYS} the domain
   * lapses.
   * @returns whether it has lapsed now
   */
  async noteMissing(tenantId: TenantId, id: string): Promise<boolean> {
    const row = await this.tenants.row<{ status: Domain['status'] }>(
      tenantId,
      `UPDATE tenant_domains SET missing_since = coalesce(missing_since, now()),
         status = CASE WHEN missing_since < now() - interval '${MISSING_DAYS} days' THEN 'lapsed' ELSE status END
       WHERE tenant_id = $1 AND id = $2 AND status = 'verified' RETURNING status`,
      [id],
    );
    return row?.status === 'lapsed';
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/domains', scope: 'iam:domain:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('tenant_domains', tenantIds, ids, 'a.domain');
  }
}
