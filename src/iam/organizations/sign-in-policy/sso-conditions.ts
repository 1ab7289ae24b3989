import type { TenantId, UserId } from '../../../kernel/index.js';

/** Why an organization cannot require its connection: members would be locked out. */
export type SsoObstacle = 'sso-not-tested' | 'sso-no-emergency-owner';

/** Conditions of enforced single sign-on. Implemented by the module that has connections. */
export abstract class SsoConditions {
  /**
   * @param actorId person who sets the policy
   * @returns null if the organization can require its connection
   */
  abstract findObstacle(tenantId: TenantId, actorId: UserId): Promise<SsoObstacle | null>;

  /** Returns those of these members who have never signed in by an active connection. */
  abstract findUnlinked(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
}
