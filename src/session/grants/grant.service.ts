import { Inject, Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { newId, type SessionId, type TenantId } from '../../kernel/index.js';
import {
  type FurtherGrant,
  type FurtherStatement,
  GrantRepository,
  type GrantView,
} from './grant.repository.js';
import { SessionRepository } from '../sessions/session.repository.js';

/** What a grant of OpenID Connect has besides. */
interface NewGrant extends Pick<FurtherGrant, 'grantedScopes' | 'dpopJkt'> {
  /** Id of the grant, if the caller has chosen it. */
  readonly id?: string;
}

/** Gives a further client a grant in a session. The grant ends with the session. */
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
   * @returns false if the session has ended
   */
  lockSessionForShare(sessionId: SessionId): Promise<boolean> {
    return this.sessions.lockAliveForShare(sessionId);
  }

  /**
   * Creates a grant for the client. Requires the lock of {@link lockSessionForShare}.
   * @param tenantId selected in the grant if the person is a member; otherwise the grant has no
   *   tenant
   * @param more of a grant of OpenID Connect
   * @returns null if the session no longer exists
   */
  async createGrant(
    sessionId: SessionId,
    clientId: string,
    tenantId: TenantId | null,
    { id = newId(), ...more }: NewGrant = {},
  ): Promise<GrantView | null> {
    const grant = await this.grants.insertFurther(
      id,
      sessionId,
      { clientId, tenantId, ...more },
      this.settings.REFRESH_IDLE_TTL,
    );
    return grant && this.settleTenant(grant);
  }

  /**
   * Returns {@link GrantRepository.furtherStatement}, for a statement of one grant.
   * @param first number of its first parameter
   */
  createStatement(first: number): FurtherStatement & { readonly parameters: readonly unknown[] } {
    return { ...this.grants.furtherStatement(`$${first}`), parameters: [this.settings.REFRESH_IDLE_TTL] };
  }

  /**
   * Returns {@link GrantRepository.furtherFreeStatement}, for a statement of several grants.
   * @param first number of its first parameter
   */
  createFreeStatement(
    first: number,
  ): ReturnType<GrantRepository['furtherFreeStatement']> & { readonly parameters: readonly unknown[] } {
    return { ...this.grants.furtherFreeStatement(`$${first}`), parameters: [this.settings.REFRESH_IDLE_TTL] };
  }

  /** Takes the tenant from a new grant whose person is no member, in the transaction of both. */
  async settleTenant(grant: GrantView): Promise<GrantView> {
    const { grantId, userId, tenantId } = grant;
    if (tenantId === null || (await this.directory.isMemberUncached(userId, tenantId))) return grant;
    await this.grants.clearTenant(grantId);
    return { ...grant, tenantId: null };
  }
}
