import { Injectable } from '@nestjs/common';
import { TenantService } from '../../iam/index.js';
import { LOCK, type SessionId, type TenantId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { type OwnFactors, OwnMethods } from '../own-methods.js';
import { type Passkey, PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RecoveryCodeRepository } from '../recovery-codes/recovery-code.repository.js';
import { type TotpApp, TotpRepository } from '../totp/totp.repository.js';

/** Organization in which a factor counts only (ADR 49). */
interface Place {
  readonly tenantId: TenantId;
  /** Null for an organization that was deleted. */
  readonly name: string | null;
}

/** An authenticator, and where it counts: null for everywhere. */
type Placed<T> = T & { readonly countsOnlyIn: Place | null };
export type OwnAuthenticator = Placed<TotpApp | Passkey>;
type Kind = 'totp' | 'passkey';

/** Apps and passkeys of a person. */
export interface AppsAndPasskeys {
  readonly apps: readonly Placed<TotpApp>[];
  readonly passkeys: readonly Placed<Passkey>[];
}

/** Ids of authenticators that were removed. */
export interface Removed {
  readonly apps: readonly string[];
  readonly passkeys: readonly string[];
}

/**
 * Apps and passkeys of people, as one list. Announces each removal; with the last authenticator the
 * recovery codes go. Joins the open transaction.
 */
@Injectable()
export class Authenticators {
  constructor(
    private readonly apps: TotpRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly ownMethods: OwnMethods,
    private readonly tenants: TenantService,
  ) {}

  async list(userId: UserId): Promise<AppsAndPasskeys> {
    const apps = await this.place(await this.apps.listConfirmed(userId));
    return { apps, passkeys: await this.place(await this.passkeys.list(userId)) };
  }

  /** @throws {AppError} not-found */
  async get(userId: UserId, id: string): Promise<OwnAuthenticator> {
    const found = (await this.apps.find(userId, id)) ?? (await this.passkeys.find(userId, id));
    const [placed] = await this.place(found ? [found] : []);
    if (!placed) throw new AppError('not-found');
    return placed;
  }

  async rename(userId: UserId, id: string, name: string): Promise<Kind> {
    if (await this.apps.rename(userId, id, name)) return 'totp';
    await this.passkeys.rename(userId, id, name);
    return 'passkey';
  }

  /**
   * @returns what was removed, and the factors that are left
   * @throws {AppError} not-found
   */
  async delete(userId: UserId, id: string): Promise<{ readonly kind: Kind; readonly left: OwnFactors }> {
    const isApp = await this.apps.delete(userId, id);
    if (!isApp && !(await this.passkeys.delete(userId, id))) throw new AppError('not-found');
    return { kind: isApp ? 'totp' : 'passkey', left: await this.announceRemoval(userId) };
  }

  /** Removes what was added since a time, also recovery codes. */
  async deleteAddedSince(userId: UserId, since: Date): Promise<Removed> {
    const apps = await this.apps.deleteConfirmedSince(userId, since);
    const passkeys = await this.passkeys.deleteAddedSince(userId, since);
    await this.recoveryCodes.deleteCreatedSince(userId, since);
    if (apps.length + passkeys.length > 0) await this.announceRemoval(userId);
    return { apps, passkeys };
  }

  /** Removes what a session added. */
  async deleteOfSession(userId: UserId, sessionId: SessionId): Promise<Removed> {
    const apps = await this.apps.deleteOfSession(userId, sessionId);
    const passkeys = await this.passkeys.deleteOfSession(userId, sessionId);
    if (apps.length + passkeys.length > 0) await this.announceRemoval(userId);
    return { apps, passkeys };
  }

  /** Removes everything in the transaction that erases the account, or resets its factors. */
  @OnLifecycle('account.erased', 'account.factors-reset', { order: LOCK.rows })
  async deleteAll({ userId }: { userId: UserId }): Promise<void> {
    await this.apps.deleteAllOf(userId);
    await this.passkeys.deleteAllOf(userId);
    await this.recoveryCodes.deleteAllOf(userId);
    await this.ownMethods.announceChange(userId);
  }

  private async announceRemoval(userId: UserId): Promise<OwnFactors> {
    await this.ownMethods.announceChange(userId);
    const left = await this.ownMethods.findFactors(userId, 'all');
    if (!left.secondFactor) await this.recoveryCodes.deleteAllOf(userId);
    return left;
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
}
