import { Injectable } from '@nestjs/common';
import { ConnectionTestRepository } from '../../connection/index.js';
import { MemberService } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { SessionService } from '../../session/index.js';
import { IdentityRepository } from '../linking/identity.repository.js';

const DAY_MS = 86_400_000;
/** Age of the emergency owner's last sign-in of their own. */
const MAX_EMERGENCY_AGE_MS = 90 * DAY_MS;
const MAX_OWNERS = 100;

/** Why an organization cannot require its connection: members would be locked out. */
type SsoObstacle = 'sso-not-tested' | 'sso-no-emergency-owner';

/**
 * Allows an organization to require its connection once it works for the person who sets it, and an
 * owner can enter without it: else a broken provider would lock all of them out.
 */
@Injectable()
export class EnforcementConditions {
  constructor(
    private readonly tests: ConnectionTestRepository,
    private readonly members: MemberService,
    private readonly sessions: SessionService,
    private readonly identities: IdentityRepository,
  ) {}

  /**
   * @param actorId person who sets the policy
   * @returns null if the organization can require its connection
   */
  async findObstacle(tenantId: TenantId, actorId: UserId): Promise<SsoObstacle | null> {
    if (!(await this.tests.hasTestedActive(tenantId, actorId, new Date(Date.now() - DAY_MS))))
      return 'sso-not-tested';
    const owners = (await this.members.listOwners(tenantId, MAX_OWNERS)).map(({ userId }) => userId);
    const since = new Date(Date.now() - MAX_EMERGENCY_AGE_MS);
    return (await this.sessions.hasStrongSession(owners, since)) ? null : 'sso-no-emergency-owner';
  }

  /** Returns which members have never signed in by an active connection. */
  findUnlinked(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    return this.identities.findUnlinked(tenantId, userIds);
  }
}
