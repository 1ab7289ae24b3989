import type { TenantId, UserId } from '../../../kernel/index.js';

/** Source of the last activity of members. Implemented by the module that has their sessions. */
export abstract class MemberActivity {
  /**
   * Returns when sessions of these members last renewed a token for the tenant. Members without
   * such a session are left out.
   */
  abstract findLastActive(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Date>>;
}
