import { Injectable } from '@nestjs/common';
import { forbid } from '../../ability/index.js';
import { AccountService, MembershipDirectory, SignInPolicies, TenantService } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import {
  factorScopeOf,
  type LifecycleEvents,
  LOCK,
  type PersonPrincipal,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { type OwnFactors, OwnMethods } from '../own-methods.js';
import { type Passkey, PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RecoveryCodeRepository } from '../recovery-codes/recovery-code.repository.js';
import { FactorResetRepository, type PendingReset } from '../reset/factor-reset.repository.js';
import { type TotpApp, TotpRepository } from '../totp/totp.repository.js';
import { TrustedDeviceRepository } from '../trusted-devices/trusted-device.repository.js';
import { TrustedDeviceService } from '../trusted-devices/trusted-device.service.js';

/** Organization in which a factor counts only (ADR 49). */
interface Place {
  readonly tenantId: TenantId;
  /** Null for an organization that was deleted. */
  readonly name: string | null;
}

/** An authenticator, and where it counts: null for everywhere. */
type Placed<T> = T & { readonly countsOnlyIn: Place | null };
export type OwnAuthenticator = Placed<TotpApp | Passkey>;

/** Checks a precondition of a change, for which it may read the authenticator. */
type Check = (read: () => Promise<OwnAuthenticator>) => Promise<void>;

/** Second factors of a person, as they see them. */
export interface OwnAuthenticators {
  readonly apps: readonly Placed<TotpApp>[];
  readonly passkeys: readonly Placed<Passkey>[];
  /** Those that count in the session. */
  readonly recoveryCodesLeft: number;
  readonly trustedDevices: number;
  readonly userHandle: Buffer | null;
  readonly reset: PendingReset | null;
  /** Whether the person should add a second factor: an operator or owner who has none. */
  readonly shouldEnrol: boolean;
}

/** Lists, renames and removes second factors. */
@Injectable()
export class AuthenticatorService {
  constructor(
    private readonly accounts: AccountService,
    private readonly apps: TotpRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly devices: TrustedDeviceRepository,
    private readonly trust: TrustedDeviceService,
    private readonly ownMethods: OwnMethods,
    private readonly policies: SignInPolicies,
    private readonly notices: AuthenticatorNotices,
    private readonly resets: FactorResetRepository,
    private readonly directory: MembershipDirectory,
    private readonly tenants: TenantService,
  ) {}

  async list(caller: PersonPrincipal): Promise<OwnAuthenticators> {
    const { userId } = caller;
    const apps = await this.apps.listConfirmed(userId);
    const passkeys = await this.passkeys.list(userId);
    const hasFactor = apps.length + passkeys.length > 0;
    return {
      apps: await this.place(apps),
      passkeys: await this.place(passkeys),
      recoveryCodesLeft: await this.recoveryCodes.count(userId, factorScopeOf(caller)),
      trustedDevices: await this.devices.count(userId),
      userHandle: await this.passkeys.findHandle(userId),
      reset: await this.resets.findPending(userId),
      shouldEnrol: !hasFactor && (await this.directory.isInPower(userId)),
    };
  }

  /** @throws {AppError} not-found */
  async get(userId: UserId, id: string): Promise<OwnAuthenticator> {
    const found = (await this.apps.find(userId, id)) ?? (await this.passkeys.find(userId, id));
    const [placed] = await this.place(found ? [found] : []);
    if (!placed) throw new AppError('not-found');
    return placed;
  }

  /** Names the organizations in which authenticators count only. */
  private async place<T extends TotpApp | Passkey>(authenticators: readonly T[]): Promise<Placed<T>[]> {
    const names = await this.tenants.findNames(authenticators.flatMap(({ assuredBy }) => assuredBy ?? []));
    return authenticators.map((authenticator) => {
      const { assuredBy: tenantId } = authenticator;
      const countsOnlyIn = tenantId && { tenantId, name: names.get(tenantId) ?? null };
      return { ...authenticator, countsOnlyIn };
    });
  }

  /**
   * Renames an authenticator.
   * @param check throws if the change must not be made
   * @throws {AppError} not-found; forbidden as {@link requireInReach}
   */
  rename(caller: PersonPrincipal, id: string, name: string, check: Check): Promise<OwnAuthenticator> {
    const { userId } = caller;
    return this.accounts.underLock(userId, async () => {
      await check(() => this.get(userId, id));
      requireInReach(caller, await this.get(userId, id));
      const isApp = await this.apps.rename(userId, id, name);
      if (!isApp) await this.passkeys.rename(userId, id, name);
      const renamed = await this.get(userId, id);
      await this.notices.tell(userId, isApp ? 'totp-renamed' : 'passkey-renamed', id);
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
      await check(() => this.get(userId, id));
      requireInReach(caller, await this.get(userId, id));
      const isApp = await this.apps.delete(userId, id);
      if (!isApp && !(await this.passkeys.delete(userId, id))) throw new AppError('not-found');
      await this.ownMethods.announceChange(userId);
      const left = await this.ownMethods.findFactors(userId, 'all');
      const isLastPasskey = !isApp && !left.methods.includes('passkey');
      if (!left.secondFactor || isLastPasskey) await this.requireDispensable(userId, left);
      await this.trust.forgetAll({ userId });
      if (!left.secondFactor) await this.recoveryCodes.deleteAllOf(userId);
      await this.notices.tell(userId, isApp ? 'totp-removed' : 'passkey-removed', id);
    });
  }

  /**
   * Removes what was added around a change of address that the owner has undone: it may be a
   * thief's, who would keep the account by it, and lock the owner out.
   */
  @OnLifecycle('account.email-restored', { order: LOCK.rows })
  async removeRecent({ userId, suspectSince }: LifecycleEvents['account.email-restored']): Promise<void> {
    const apps = await this.apps.deleteConfirmedSince(userId, suspectSince);
    const passkeys = await this.passkeys.deleteAddedSince(userId, suspectSince);
    await this.recoveryCodes.deleteCreatedSince(userId, suspectSince);
    await this.tellRemoved(userId, apps, passkeys);
  }

  /** Removes what a session added, and the trust in devices that it gave. */
  @OnLifecycle('session.traces-ended', { order: LOCK.rows })
  async removeOfSession({ userId, sessionId }: LifecycleEvents['session.traces-ended']): Promise<void> {
    await this.devices.deleteOfSession(userId, sessionId);
    const apps = await this.apps.deleteOfSession(userId, sessionId);
    const passkeys = await this.passkeys.deleteOfSession(userId, sessionId);
    await this.tellRemoved(userId, apps, passkeys);
  }

  private async tellRemoved(
    userId: UserId,
    apps: readonly string[],
    passkeys: readonly string[],
  ): Promise<void> {
    if (apps.length + passkeys.length === 0) return;
    await this.ownMethods.announceChange(userId);
    if (!(await this.ownMethods.findFactors(userId, 'all')).secondFactor)
      await this.recoveryCodes.deleteAllOf(userId);
    for (const id of apps) await this.notices.tell(userId, 'totp-removed', id);
    for (const id of passkeys) await this.notices.tell(userId, 'passkey-removed', id);
  }

  /** @throws {AppError} conflict if an organization of the person requires what has been removed */
  private async requireDispensable(userId: UserId, { secondFactor }: OwnFactors): Promise<void> {
    const required = await this.policies.findRequiredFactors(userId);
    if (secondFactor ? required.includes('phishing_resistant') : required.length > 0)
      throw new AppError('conflict', { reason: forbid('authenticator.required-by-organization') });
  }

  /** Removes everything in the transaction that erases the account, or resets its factors. */
  @OnLifecycle('account.erased', 'account.factors-reset', { order: LOCK.rows })
  async deleteAll({ userId }: { userId: UserId }): Promise<void> {
    await this.apps.deleteAllOf(userId);
    await this.passkeys.deleteAllOf(userId);
    await this.recoveryCodes.deleteAllOf(userId);
    await this.ownMethods.announceChange(userId);
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
