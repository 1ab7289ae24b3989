import { Injectable } from '@nestjs/common';
import type { SignInPolicy, TenantId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';

/** What an organization allows support to do in it. */
export interface SupportAccess {
  readonly id: TenantId;
  readonly supportAccess: SignInPolicy['supportAccess'];
  /** Time until which an owner has let support in; null if none has, or the time is over. */
  readonly until: Date | null;
}

const ACCESS = `id, coalesce(sign_in_policy->>'supportAccess', 'never') AS "supportAccess",
  CASE WHEN support_until > now() THEN support_until END AS until`;

/** Support access of organizations, kept with them. */
@Injectable()
export class SupportAccessRepository {
  constructor(private readonly database: Database) {}

  /** Returns null for an unknown organization, and one that is being deleted. */
  find(id: TenantId, lock: '' | 'FOR SHARE' = ''): Promise<SupportAccess | null> {
    const sql = `SELECT ${ACCESS} FROM tenants WHERE id = $1 AND deletion_started_at IS NULL ${lock}`;
    return this.database.row(sql, [id]);
  }

  /** Locks the organization, so that it cannot end the access before the transaction does. */
  findForShare(id: TenantId): Promise<SupportAccess | null> {
    return this.find(id, 'FOR SHARE');
  }

  /** Lets support in for this number of hours. @returns until when */
  async grant(id: TenantId, hours: number): Promise<Date> {
    const { until } = await this.database.getRow<{ until: Date }>(
      'UPDATE tenants SET support_until = now() + make_interval(hours => $2) WHERE id = $1 RETURNING support_until AS until',
      [id, hours],
    );
    return until;
  }

  async end(id: TenantId): Promise<void> {
    await this.database.rows('UPDATE tenants SET support_until = NULL WHERE id = $1', [id]);
  }
}
