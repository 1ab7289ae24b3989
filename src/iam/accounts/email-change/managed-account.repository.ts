import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { notEnded } from '../../organizations/members/member-sql.js';

/** Whether the account $1 has a membership of a tenant other than this one, or is an operator's. */
const isUsedBeyond = (tenant: string): string =>
  `(EXISTS (SELECT 1 FROM members m WHERE m.user_id = $1 AND m.tenant_id <> ${tenant} AND ${notEnded('m')})
    OR EXISTS (SELECT 1 FROM operators o WHERE o.account_id = $1))`;

const MANAGED = `SELECT 1 FROM directory_users u JOIN accounts a ON a.id = u.account_id
    JOIN tenant_domains d ON d.tenant_id = u.tenant_id AND d.domain = split_part(a.email_key, '@', -1)
  WHERE u.account_id = $1 AND u.made_account AND d.status = 'verified'
    AND NOT ${isUsedBeyond('u.tenant_id')} LIMIT 1`;

const OF_TENANT_ALONE = `SELECT 1 FROM accounts a
  WHERE a.id = $1 AND NOT ${isUsedBeyond('$2')} AND (a.email_key IS NULL OR EXISTS (
    SELECT 1 FROM tenant_domains d
    WHERE d.tenant_id = $2 AND d.domain = split_part(a.email_key, '@', -1) AND d.status = 'verified'))`;

/**
 * Knows the accounts that directories manage: made by the directory, with an address in a verified
 * domain of its organization, of a person who is a member of no other one, and no operator: else
 * an organization could take over the account of an operator.
 */
@Injectable()
export class ManagedAccountRepository {
  constructor(private readonly database: Database) {}

  /** Returns whether only the directory may change the address of the account. */
  async isManaged(userId: UserId): Promise<boolean> {
    return (await this.database.row(MANAGED, [userId])) !== null;
  }

  /**
   * Returns whether an account has no address, or one in a verified domain of the tenant, and no
   * other use than its membership there.
   * @param userId account that a directory of the tenant made
   */
  async isOfTenantAlone(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.database.row(OF_TENANT_ALONE, [userId, tenantId])) !== null;
  }
}
