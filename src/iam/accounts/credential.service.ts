import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { canonicalEmail, type Client, type Principal, type UserId } from '../../platform/http/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AccountMails, RESET_LIFETIME_SECONDS } from './account-mails.js';
import { AccountRepository, type Account } from './account.repository.js';
import { LoginThrottle } from './login-throttle.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordResetRepository } from './password-reset.repository.js';
import { PendingRegistrationRepository } from './pending-registration.repository.js';

/** A password that was right at `passwordVersion`; whoever acts on it checks that version again under the account's lock. */
export interface ProvenPassword {
  readonly userId: UserId;
  readonly passwordVersion: number;
}

/** What {@link CredentialService.prove} says of a password that is not the account's. */
const WRONG_PASSWORD = new Set(['invalid-credentials', 'email-not-verified']);
const REQUEST_PASSWORD_RESET = 'iam.request-password-reset';

/** Everything that takes or changes a password. Comparing one with an address costs exactly one hash, whatever is found; a new stored form costs its own. */
@Injectable()
export class CredentialService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly resets: PasswordResetRepository,
    private readonly hasher: PasswordHasher,
    private readonly throttle: LoginThrottle,
    private readonly mails: AccountMails,
    private readonly jobs: JobQueue,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Proves an address and a password. Whoever registers an address knows the password of that registration: the answer to it must not
   * depend on whether there is an account as well, and it counts as a failure, else registering would pay for guesses.
   * @throws {AppError} invalid-credentials, or email-not-verified for the right password of a registration that waits
   */
  async prove(email: string, password: string, client: Client): Promise<ProvenPassword> {
    const emailKey = canonicalEmail(email);
    const blocked = await this.throttle.isBlocked(emailKey, client.ipAddress);
    const account = await this.accounts.findByEmailKey(emailKey);
    const waiting = await this.pending.findPasswordHashes(emailKey);
    const [matches = false, ...fitting] = await this.hasher.verify(
      password,
      account?.passwordHash ?? null,
      ...waiting,
    );
    // To a suspended person their password is a wrong one.
    const fits = matches && account?.suspendedAt === null;
    const fitsPending = fitting.includes(true);
    if (blocked) throw new AppError('invalid-credentials');
    // Guesses that ran in parallel may have used up the tries while this one was being hashed.
    const late = (fits || fitsPending) && (await this.throttle.isBlocked(emailKey, client.ipAddress));
    if (late) throw new AppError('invalid-credentials');
    if (!account || !fits) {
      await this.throttle.recordFailure(emailKey, client.ipAddress);
      throw new AppError(fitsPending ? 'email-not-verified' : 'invalid-credentials');
    }
    await this.throttle.succeeded(emailKey, client.ipAddress);
    if (account.passwordHash !== null && this.hasher.isOutdated(account.passwordHash)) {
      await this.accounts.rehashPassword(
        account.id,
        account.passwordVersion,
        await this.hasher.hash(password),
      );
    }
    return { userId: account.id, passwordVersion: account.passwordVersion };
  }

  /** Asks for a reset mail; whether the address has an account stays unsaid. */
  async requestReset(email: string): Promise<void> {
    await this.jobs.add(REQUEST_PASSWORD_RESET, { email });
  }

  @JobHandler({ task: REQUEST_PASSWORD_RESET })
  async sendReset({ email }: { email: string }): Promise<void> {
    await this.database.transaction(async () => {
      const account = await this.accounts.findByEmailKeyForShare(canonicalEmail(email));
      if (!account || account.suspendedAt !== null) return;
      const { plainToken, tokenHash } = createOneTimeToken();
      if (await this.mails.passwordReset(account.email, plainToken)) {
        await this.resets.replace(account.id, tokenHash, RESET_LIFETIME_SECONDS);
      }
    });
  }

  /**
   * Sets a new password by a mailed token, ends every session and tells the owner.
   * @throws {AppError} validation-error on `token` when it is wrong, used or expired
   */
  async reset(plainToken: string, newPassword: string): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    // Asked before hashing so that a wrong token costs no hash; asked again, atomically, below.
    const owner = await this.resets.findAccountId(tokenHash);
    const before = owner && (await this.accounts.findActive(owner));
    if (!before) throw invalidToken();
    const passwordHash = await this.hashFor(before, newPassword);
    await this.database.transaction(async () => {
      const userId = await this.resets.findAccountId(tokenHash);
      const account = userId && (await this.accounts.findActiveForUpdate(userId));
      if (!account?.email || !(await this.resets.consume(tokenHash))) throw invalidToken();
      await this.accounts.setPassword(account.id, passwordHash);
      await this.resets.deleteOf(account.id);
      await this.throttle.pardon(canonicalEmail(account.email));
      await this.lifecycle.emit('account.password-reset', { userId: account.id });
      await this.audit.recordOfAccount(account.id, 'password-reset');
      await this.mails.passwordChanged(account.email);
    });
  }

  /**
   * Changes the password of the caller; other sessions end.
   * @throws {AppError} validation-error on `currentPassword` when it is wrong
   */
  async change(
    principal: Principal,
    currentPassword: string,
    newPassword: string,
    client: Client,
  ): Promise<void> {
    const account = await this.accounts.findActive(principal.userId);
    if (!account) throw new AppError('unauthenticated');
    if (account.email === null) throw wrongCurrentPassword(); // without an address there is no password
    const proven = await this.prove(account.email, currentPassword, client).catch((error: unknown) => {
      const wrong = error instanceof AppError && WRONG_PASSWORD.has(error.code);
      if (wrong) throw wrongCurrentPassword();
      throw error;
    });
    const passwordHash = await this.hashFor(account, newPassword);
    await this.database.transaction(async () => {
      const locked = await this.accounts.findActiveForUpdate(principal.userId);
      if (!locked?.email) throw new AppError('unauthenticated');
      if (locked.passwordVersion !== proven.passwordVersion) throw wrongCurrentPassword();
      await this.accounts.setPassword(locked.id, passwordHash);
      await this.resets.deleteOf(locked.id);
      await this.lifecycle.emit('account.password-changed', {
        userId: locked.id,
        sessionId: principal.sessionId,
      });
      await this.audit.recordOfAccount(locked.id, 'password-changed');
      await this.mails.passwordChanged(locked.email);
    });
  }

  /** The salt stays, as registrations of the address share it; unless cost or pepper have moved on since. */
  private hashFor({ passwordHash }: Account, newPassword: string): Promise<string> {
    const outdated = passwordHash !== null && this.hasher.isOutdated(passwordHash);
    return this.hasher.hash(newPassword, outdated ? null : passwordHash);
  }
}

const invalidToken = (): AppError =>
  AppError.violation(
    'token',
    'The link is not valid any more. Ask for a new one with request-password-reset.',
  );
const wrongCurrentPassword = (): AppError =>
  AppError.violation('currentPassword', 'The current password is wrong.');
