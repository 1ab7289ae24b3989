import { Injectable } from '@nestjs/common';
import { AbilityRegistry, isForPlatformAccounts } from '../../ability/index.js';
import { AuditTrail } from '../../iam/index.js';
import { type LifecycleEvents, newId, type OperatorRole, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  createApiKey,
  hashApiKey,
  isApiKeyOf,
  KeyDerivation,
  parseApiKey,
} from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { ServiceAccountStatus } from '../accounts/service-account.entity.js';
import {
  DAY_MS,
  DEFAULT_LIFETIME_DAYS,
  requireRoomForKey,
  violationsOfRestrictions,
  warningOf,
} from '../keys/key-rules.js';
import type { NewPlatformKeyDto } from './platform-account.dto.js';
import {
  type PlatformAccount,
  PlatformAccountRepository,
  type PlatformKey,
} from './platform-account.repository.js';
import { PlatformDirectory } from './platform-directory.js';

/**
 * Manages the service accounts of the platform, for the command line. In the audit trail the
 * account itself is the actor, as with everything that the command line does.
 */
@Injectable()
export class PlatformAccountService {
  constructor(
    private readonly database: Database,
    private readonly accounts: PlatformAccountRepository,
    private readonly directory: PlatformDirectory,
    private readonly derivation: KeyDerivation,
    private readonly registry: AbilityRegistry,
    private readonly audit: AuditTrail,
  ) {}

  list(page: Page): Promise<PlatformAccount[]> {
    return this.accounts.list(page);
  }

  /** @returns the id of the account, which has no key yet */
  create(name: string, role: OperatorRole): Promise<UserId> {
    return this.database.transaction(async () => {
      const id = newId() as UserId;
      await this.accounts.insert(id, name, role);
      await this.audit.record({ ...ofAccount(id), action: 'platform-account.created' });
      return id;
    });
  }

  /**
   * Disables or enables an account. Does nothing if it is so already.
   * @throws {AppError} not-found
   */
  setStatus(accountId: string, status: ServiceAccountStatus): Promise<void> {
    return this.database.transaction(async () => {
      const account = await this.getForUpdate(accountId);
      if (account.status === status) return;
      await this.accounts.setStatus(account.id, status);
      await this.directory.announceAccount(account.id);
      const action = status === 'active' ? 'platform-account.enabled' : 'platform-account.disabled';
      await this.audit.record({ ...ofAccount(account.id), action });
    });
  }

  /** Deletes an account with its keys. @throws {AppError} not-found */
  delete(accountId: string): Promise<void> {
    return this.database.transaction(async () => {
      const { id } = await this.getForUpdate(accountId);
      await this.directory.announceKeys(await this.accounts.delete(id));
      await this.directory.announceAccount(id);
      await this.audit.record({ ...ofAccount(id), action: 'platform-account.deleted' });
    });
  }

  listKeys(accountId: string, page: Page): Promise<PlatformKey[]> {
    return this.accounts.listKeys(accountId, page);
  }

  /**
   * Creates a key. Only its hash is stored.
   * @returns the key's plain text, which cannot be read again
   * @throws {AppError} validation-error on `scopes[n]` or `networks[n]`; not-found; conflict beyond
   *   the maximum of keys
   */
  createKey(
    accountId: string,
    { name, days = DEFAULT_LIFETIME_DAYS, scopes, networks = [] }: NewPlatformKeyDto,
  ): Promise<{ readonly id: string; readonly expiresAt: Date; readonly plainKey: string }> {
    return this.database.transaction(async () => {
      const account = await this.getForUpdate(accountId);
      const violations = violationsOfRestrictions({ scopes, networks }, this.scopesOf(account.role));
      if (violations.length > 0) throw new AppError('validation-error', { violations });
      requireRoomForKey(await this.accounts.countLiveKeys(account.id));
      const { id: lookup, plainKey } = createApiKey('sa');
      const id = newId();
      const expiresAt = new Date(Date.now() + days * DAY_MS);
      await this.accounts.insertKey({
        id,
        accountId: account.id,
        lookup,
        name,
        secretHash: hashApiKey(this.derivation, 'api-key', plainKey),
        scopes: scopes ? [...new Set(scopes)] : null,
        networks: [...networks],
        expiresAt,
        warnAt: warningOf(expiresAt),
      });
      await this.audit.record({ ...ofKey(account.id, id), action: 'platform-key.created' });
      return { id, expiresAt, plainKey };
    });
  }

  /** @throws {AppError} not-found for a key of another account */
  revokeKey(accountId: string, keyId: string): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.endKey(accountId as UserId, keyId))) throw new AppError('not-found');
      await this.audit.record({
        ...ofKey(accountId as UserId, keyId),
        action: 'platform-key.revoked',
      });
    });
  }

  /** Ends a key that was found in public. */
  @OnLifecycle('key.leaked')
  async endLeaked({ plainKey, ended }: LifecycleEvents['key.leaked']): Promise<void> {
    const parsed = parseApiKey(plainKey);
    const [key] = parsed ? await this.accounts.findKeysByLookup([parsed.id]) : [];
    if (!key || !isApiKeyOf(this.derivation, 'api-key', plainKey, key.secretHash)) return;
    const { accountId, id, name } = key;
    if (!(await this.endKey(accountId, id))) return;
    await this.audit.record({ ...ofKey(accountId, id), action: 'platform-key.leaked' });
    await ended({ tenantId: null, name });
  }

  private async endKey(accountId: UserId, id: string): Promise<boolean> {
    const ended = await this.accounts.endKey(accountId, id);
    if (ended) await this.directory.announceKeys([ended.lookup]);
    return ended !== null;
  }

  private async getForUpdate(id: string): Promise<PlatformAccount> {
    return (await this.accounts.findForUpdate(id)) ?? AppError.notFound();
  }

  private scopesOf(role: OperatorRole) {
    return {
      isForPrograms: (scope: string) => isForPlatformAccounts(this.registry.find(scope)),
      isHeld: (scope: string) => role === 'admin' || this.registry.find(scope)?.operators === role,
    };
  }
}

const ofAccount = (actorId: UserId) => ({ actorId, subject: `platform/service-accounts/${actorId}` });
const ofKey = (actorId: UserId, id: string) => ({ actorId, subject: `platform/api-keys/${id}` });
