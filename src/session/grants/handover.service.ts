import { Inject, Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { newId, type SessionId, type TenantId } from '../../kernel/index.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { SessionRepository } from '../sessions/session.repository.js';

/** Lets another property take part in a session that goes on: it gets a grant of its own, which ends with the session. */
@Injectable()
export class Handover {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly directory: MembershipDirectory,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Inside a transaction: the session cannot end before it. False where it has ended. */
  hold(sessionId: SessionId): Promise<boolean> {
    return this.sessions.holdAlive(sessionId);
  }

  /** A grant for the client, in the tenant while the membership lasts. The session is held. */
  async grant(sessionId: SessionId, clientId: string, tenantId: TenantId | null): Promise<GrantView | null> {
    const grant = await this.grants.insertFurther(
      newId(),
      sessionId,
      { clientId, tenantId },
      this.settings.REFRESH_IDLE_TTL,
    );
    if (!grant?.tenantId || (await this.directory.isMemberNow(grant.userId, grant.tenantId))) return grant;
    await this.grants.clearTenant(grant.grantId);
    return { ...grant, tenantId: null };
  }
}
