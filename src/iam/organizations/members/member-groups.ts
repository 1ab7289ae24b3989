import type { TenantId, UserId } from '../../../kernel/index.js';

/** Source of the groups of members. Implemented by the module that has directories. */
export abstract class MemberGroups {
  /** Returns the names of a member's groups in order, without repetition; the first hundred. */
  abstract findNames(tenantId: TenantId, userId: UserId): Promise<string[]>;
}
