import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../platform/database/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';

/** Reads the last activity of members from their refresh grants, which note each refresh anyway. */
@Injectable()
export class MemberActivityRepository {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * Returns when sessions of these members last renewed a token for the tenant. Members without
   * such a session are left out.
   */
  async findLastActive(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Date>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.database.rows<{ userId: UserId; lastUsedAt: Date | null }>(
      tenantId,
      `SELECT asked.id AS "userId", active.last_used_at AS "lastUsedAt" FROM unnest($2::text[]) asked (id)
       CROSS JOIN LATERAL (SELECT max(g.last_used_at) AS last_used_at FROM grants g
         WHERE g.account_id = asked.id AND g.tenant_id = $1 AND g.ended_at IS NULL) active`,
      [userIds],
    );
    return new Map(rows.flatMap(({ userId, lastUsedAt }) => (lastUsedAt ? [[userId, lastUsedAt]] : [])));
  }
}
