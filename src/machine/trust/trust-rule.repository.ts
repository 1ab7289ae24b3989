import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import { TrustRuleEntity } from './trust-rule.entity.js';

export type TrustRule = TrustRuleEntity;

/** What names a rule. */
export type RuleKey = Pick<TrustRule, 'tenantId' | 'accountId' | 'id'>;

/** @returns the key of a rule in caches */
export const ruleKey = ({ tenantId, accountId, id }: RuleKey): string => `${tenantId}:${accountId}:${id}`;

const COLUMNS = columnsOf(TrustRuleEntity);

/** Rules by which a service account is trusted with tokens of an issuer. */
@Injectable()
export class TrustRuleRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(
    ids: readonly string[],
    context: RowContext,
  ): Promise<ReadonlyMap<string, { readonly id: string }>> {
    const sql = 'SELECT id FROM trust_rules WHERE tenant_id = $1 AND id = ANY($2)';
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, accountId: string, { limit, after }: Page): Promise<TrustRule[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM trust_rules WHERE tenant_id = $1 AND account_id = $2 AND id > $3 ORDER BY id LIMIT $4`,
      [accountId, after ?? '', limit + 1],
    );
  }

  count(tenantId: TenantId, accountId: string): Promise<number> {
    return this.tenants.of(TrustRuleEntity).count(tenantId, { accountId });
  }

  /** Returns the rules of an account for an issuer, however many other accounts have. */
  findOfAccount(issuer: string, accountId: string): Promise<TrustRule[]> {
    return this.database.rows(
      prepared(`SELECT ${COLUMNS} FROM trust_rules WHERE account_id = $1 AND issuer = $2 ORDER BY id`),
      [accountId, issuer],
    );
  }

  /** Returns those of the keys, as {@link ruleKey} spells them, whose rules exist. */
  async findExisting(keys: readonly string[]): Promise<string[]> {
    const parts = keys.map((key) => key.split(':'));
    const of = (n: number) => parts.map((part) => part[n] ?? '');
    const rows = await this.tenants.rowsOfEach<RuleKey>(
      of(0),
      prepared(`SELECT r.tenant_id AS "tenantId", r.account_id AS "accountId", r.id
       FROM unnest($1::text[], $2::text[], $3::text[]) asked (tenant_id, account_id, id)
         JOIN trust_rules r ON r.tenant_id = asked.tenant_id AND r.account_id = asked.account_id AND r.id = asked.id`),
      [of(1), of(2)],
    );
    return rows.map(ruleKey);
  }

  async insert(tenantId: TenantId, rule: Omit<TrustRule, 'tenantId' | 'createdAt'>): Promise<TrustRule> {
    await this.tenants.of(TrustRuleEntity).insert(tenantId, rule as never);
    const made = await this.tenants.of(TrustRuleEntity).findOne(tenantId, { where: { id: rule.id } });
    if (!made) throw new Error('The rule was not created.');
    return made;
  }

  /** @returns false if there is no such rule */
  async delete(tenantId: TenantId, accountId: string, id: string): Promise<boolean> {
    return (await this.tenants.of(TrustRuleEntity).delete(tenantId, { accountId, id })) > 0;
  }
}
