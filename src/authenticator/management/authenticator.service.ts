import { Injectable } from '@nestjs/common';
import { forbid } from '../../ability/index.js';
import { AccountService, SignInPolicies } from '../../iam/index.js';
import {
  factorScopeOf,
  type LifecycleEvents,
  LOCK,
  type PersonPrincipal,
  type UserId,
} from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import type { OwnFactors } from '../own-methods.js';
import { TrustedDeviceService } from '../trusted-devices/trusted-device.service.js';
import { Authenticators, type OwnAuthenticator, type Removed } from './authenticators.js';

/** Checks a precondition of a change, for which it may read the authenticator. */
type Check = (read: () => Promise<OwnAuthenticator>) => Promise<void>;

/** Renames and removes second factors, and tells their owners. */
@Injectable()
export class AuthenticatorService {
  constructor(
    private readonly accounts: AccountService,
    private readonly authenticators: Authenticators,
    private readonly policies: SignInPolicies,
    private readonly trust: TrustedDeviceService,
    private readonly notices: AuthenticatorNotices,
  ) {}

  /**
   * Renames an authenticator.
   * @param check throws if the change must not be made
   * @throws {AppError} not-found; forbidden as {@link requireInReach}
   */
  rename(caller: PersonPrincipal, id: string, name: string, check: Check): Promise<OwnAuthenticator> {
    const { userId } = caller;
    return this.accounts.underLock(userId, async () => {
      await this.require(caller, id, check);
      const kind = await this.authenticators.rename(userId, id, name);
      const renamed = await this.authenticators.get(userId, id);
      await this.notices.tell(userId, `${kind}-renamed`, id);
      return renamed;
    });
  }

  /**
   * Removes an authenticator; with the last one the recovery codes go.
   * @param check throws if the change must not be made
   * @throws {AppError} not-found; conflict if an organization of theirs requires it; forbidden as
   *   {@link requireInReach}
   */
  async remove(caller: PersonPrincipal, id: string, check: Check): Promise<void> {
    const { userId } = caller;
    await this.accounts.underLock(userId, async () => {
      await this.require(caller, id, check);
      const { kind, left } = await this.authenticators.delete(userId, id);
      const isLastPasskey = kind === 'passkey' && !left.methods.includes('passkey');
      if (!left.secondFactor || isLastPasskey) await this.requireDispensable(userId, left);
      await this.trust.forgetAll({ userId });
      await this.notices.tell(userId, `${kind}-removed`, id);
    });
  }

  /**
   * Removes what was added around a change of address that the owner has undone: it may be a
   * thief's, who would keep the account by it, and lock the owner out.
   */
  @OnLifecycle('account.email-restored', { order: LOCK.rows })
  async removeRecent({ userId, suspectSince }: LifecycleEvents['account.email-restored']): Promise<void> {
    await this.tellRemoved(userId, await this.authenticators.deleteAddedSince(userId, suspectSince));
  }

  /** Removes what a session added. */
  @OnLifecycle('session.traces-ended', { order: LOCK.rows })
  async removeOfSession({ userId, sessionId }: LifecycleEvents['session.traces-ended']): Promise<void> {
    await this.tellRemoved(userId, await this.authenticators.deleteOfSession(userId, sessionId));
  }

  private async tellRemoved(userId: UserId, { apps, passkeys }: Removed): Promise<void> {
    for (const id of apps) await this.notices.tell(userId, 'totp-removed', id);
    for (const id of passkeys) await this.notices.tell(userId, 'passkey-removed', id);
  }

  private async require(caller: PersonPrincipal, id: string, check: Check): Promise<void> {
    const read = () => this.authenticators.get(caller.userId, id);
    await check(read);
    requireInReach(caller, await read());
  }

  /** @throws {AppError} conflict if an organization of the person requires what has been removed */
  private async requireDispensable(userId: UserId, { secondFactor }: OwnFactors): Promise<void> {
    const required = await this.policies.findRequiredFactors(userId);
    if (secondFactor ? required.includes('phishing_resistant') : required.length > 0)
      throw new AppError('conflict', { reason: forbid('authenticator.required-by-organization') });
  }
}

/**
 * Requires that an authenticator counts in no other organization than those that have vouched, in a
 * session without a proof of the person's own: the administrator of one organization's provider
 * would take away what another one asks for (ADR 49).
 * @throws {AppError} forbidden
 */
function requireInReach(caller: PersonPrincipal, { assuredBy }: OwnAuthenticator): void {
  if (caller.ownProofMissing && (assuredBy === null || !factorScopeOf(caller).includes(assuredBy)))
    throw new AppError('forbidden', { reason: forbid('authenticator.of-other-organization') });
}
