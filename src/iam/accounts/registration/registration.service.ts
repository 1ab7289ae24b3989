import { Injectable } from '@nestjs/common';
import { createOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { canonicalEmail, LOCK } from '../../../kernel/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { VERIFICATION_LIFETIME_SECONDS } from '../account-mails.js';
import { AccountRepository } from '../account.repository.js';
import type { RegisterDto, ResendVerificationDto } from '../auth.dto.js';
import { PasswordBlocklist } from '../credentials/password-blocklist.js';
import { PasswordHasher } from '../credentials/password-hasher.js';
import { PendingRegistrationRepository } from './pending-registration.repository.js';
import { RegistrationMailing } from './registration-mailing.js';

/**
 * Registers addresses (ADR 2). A request does the same work for a
 * known and an unknown address; its job then reads whether there is an account (API-13, ADR 23).
 */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly hasher: PasswordHasher,
    private readonly blocklist: PasswordBlocklist,
    private readonly mailing: RegistrationMailing,
  ) {}

  /**
   * Stores a registration. The account is created when the address is verified.
   * @throws {AppError} validation-error on `password` if it is refused by the blocklist;
   *   unavailable if too many passwords wait to be hashed
   */
  async register(registration: RegisterDto, { ipAddress, locale }: Client): Promise<void> {
    const { email, firstName, invitation } = registration;
    const { lastName = null, displayName = null } = registration;
    const { company = null, country = null, marketingOptIn = false } = registration;
    // By what the request says alone, so that the answer says nothing about an account.
    const name = { firstName, lastName, displayName };
    this.blocklist.requireAllowed(registration.password, 'password', { email, ...name, company });
    const emailKey = canonicalEmail(email);
    const account = await this.accounts.findByEmailKey(emailKey);
    const earlier = await this.pending.findNewestByEmailKey(emailKey);
    // All passwords of an address share a salt, so that a login compares with account and
    // registrations by one hash.
    const like = account?.passwordHash ?? earlier?.passwordHash ?? null;
    const network = networkOf(ipAddress);
    const passwordHash = await this.hasher.hashForAddress(registration.password, network, emailKey, like);
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.database.transaction(async () => {
      const pending = {
        email,
        emailKey,
        passwordHash,
        ...name,
        company,
        country,
        marketingOptIn,
        locale,
        networkKey: this.mailing.networkKey(email, ipAddress),
      };
      await this.pending.insert(tokenHash, pending, VERIFICATION_LIFETIME_SECONDS);
      await this.mailing.queue({ email, plainToken, invitation });
    });
  }

  /**
   * Queues further verification mails. Does not tell whether a registration waits, nor whether the
   * network has exceeded its limit, in which case nothing is queued.
   */
  async requestResend({ email, invitation }: ResendVerificationDto, client: Client): Promise<void> {
    await this.mailing.queueResend(email, invitation, client);
  }

  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async deleteOfAddress({ emailKey }: { emailKey: string | null }): Promise<void> {
    if (emailKey !== null) await this.pending.deleteByEmailKey(emailKey);
  }
}
