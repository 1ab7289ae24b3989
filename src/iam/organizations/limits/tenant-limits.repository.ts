import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../../platform/database/index.js';
import type { TenantLimitsEntity } from '../tenants/tenant.entity.js';

/** Limits of an organization; null for the default of the service. */
export type SetLimits = Pick<TenantLimitsEntity, 'mailsPerDay' | 'openInvitations'>;

const NONE: SetLimits = { mailsPerDay: null, openInvitations: null };
const COLUMNS = 'mails_per_day AS "mailsPerDay", open_invitations AS "openInvitations"';
const IS_VERIFIED = prepared(
  "SELECT 1 FROM tenant_domains WHERE tenant_id = $1 AND domain = $2 AND status = 'verified'",
);

/** Limits that operators have set, and the domains to which mails are not limited. */
@Injectable()
export class TenantLimitsRepository {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly database: Database,
  ) {}

  async find(tenantId: TenantId): Promise<SetLimits> {
    const sql = `SELECT ${COLUMNS} FROM tenant_limits WHERE tenant_id = $1`;
    return (await this.tenants.row<SetLimits>(tenantId, sql)) ?? NONE;
  }

  async set(tenantId: TenantId, { mailsPerDay, openInvitations }: SetLimits): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO tenant_limits (tenant_id, mails_per_day, open_invitations) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id) DO UPDATE SET mails_per_day = $2, open_invitations = $3`,
      [mailsPerDay, openInvitations],
    );
  }

  /** Returns whether the organization has verified the domain of an address. */
  async isInside(tenantId: TenantId, emailKey: string): Promise<boolean> {
    const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1);
    return (await this.tenants.row(tenantId, IS_VERIFIED, [domain])) !== null;
  }

  /**
   * Counts the open invitations, up to `max` and one more, under a lock until the transaction ends:
   * of two that invite at once, the second counts the first.
   */
  async countInvitations(tenantId: TenantId, max: number): Promise<number> {
    await this.database.lockNameForUpdate(`invitations ${tenantId}`);
    const open = 'accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()';
    return this.tenants.countUpTo(max + 1, tenantId, 'invitations', open);
  }
}
