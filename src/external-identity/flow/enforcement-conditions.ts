import { Injectable } from '@nestjs/common';
import { ConnectionTestRepository } from '../../connection/index.js';
import { MemberService, SsoConditions, type SsoObstacle } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { SessionService } from '../../session/index.js';

const DAY_MS = 86_400_000;
/** Age of the emergency owner's last sign-in of their own. */
const MAX_EMERGENCY_AGE_MS = 90 * DAY_MS;
const MAX_OWNERS = 100;

/** Whether the person m has an identity at an active connection of the tenant $1. */
const IS_LINKED = `EXISTS (
  SELECT FROM external_identities i JOIN connections c ON c.tenant_id = $1 AND c.id = i.connection_id
  WHERE i.account_id = m.user_id AND c.status = 'active')`;

/**
 * Allows an organization to require its connection once it works for the person who sets it, and an
 * owner can enter without it: else a broken provider would lock all of them out.
 */
@Injectable()
export class EnforcementConditions extends SsoConditions {
  constructor(
    private readonly tests: ConnectionTestRepository,
    private readonly members: MemberService,
    private readonly sessions: SessionService,
    private readonly database: TenantDatabase,
  ) {
    super();
  }

  async findObstacle(tenantId: TenantId, actorId: UserId): Promise<SsoObstacle | null> {
    if (!(await this.tests.hasTestedActive(tenantId, actorId, new Date(Date.now() - DAY_MS))))
      return 'sso-not-tested';
    const owners = (await this.members.listOwners(tenantId, MAX_OWNERS)).map(({ userId }) => userId);
    const since = new Date(Date.now() - MAX_EMERGENCY_AGE_MS);
    return (await this.sessions.hasStrongSession(owners, since)) ? null : 'sso-no-emergency-owner';
  }

  async findUnlinked(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    const rows = await this.database.rows<{ userId: UserId }>(
      tenantId,
      `SELECT m.user_id AS "userId" FROM unnest($2::text[]) AS m (user_id) WHERE NOT (${IS_LINKED})`,
      [userIds],
    );
    return new Set(rows.map(({ userId }) => userId));
  }
}
