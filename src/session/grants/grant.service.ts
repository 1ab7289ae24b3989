import { Inject, Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { Locked, SessionId, TenantId } from '../../kernel/index.js';
import { type AskedAssertion, GrantRepository, type GrantView, type NewGrant } from './grant.repository.js';
import { SessionRepository } from '../sessions/session.repository.js';

/** Gives further clients grants in sessions. A grant ends with its session. */
@Injectable()
export class GrantService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly directory: MembershipDirectory,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Locks the session in the open transaction, so that it cannot end before the transaction does.
   * @returns null if the session has ended
   */
  lockSessionForShare(sessionId: SessionId): Promise<Locked<SessionId> | null> {
    return this.sessions.lockAliveForShare(sessionId);
  }

  /**
   * Creates grants. A transaction that ends a membership waits for the locks of the sessions, and
   * takes the tenant from the grants then.
   * @param wanted each with the tenant to select; a person who is no member gets none
   * @returns the grants by id, except those of sessions that no longer exist
   */
  async createGrants(wanted: readonly NewGrant[]): Promise<ReadonlyMap<string, GrantView>> {
    if (wanted.length === 0) return new Map();
    const grants: NewGrant[] = [];
    for (const grant of wanted) grants.push({ ...grant, tenantId: await this.findTenant(grant) });
    const created = await this.grants.insertFurther(grants, this.settings.REFRESH_IDLE_TTL);
    return new Map(created.map((grant) => [grant.grantId, grant]));
  }

  /** Finds the grant that an identity assertion continues. Not for a transaction. */
  findAsserted(asked: AskedAssertion): Promise<GrantView | null> {
    return this.grants.findAsserted(asked);
  }

  private async findTenant({ userId, tenantId }: NewGrant): Promise<TenantId | null> {
    return tenantId !== null && (await this.directory.isMemberUncached(userId, tenantId)) ? tenantId : null;
  }
}
