import { Injectable } from '@nestjs/common';
import { AppError, toAppError } from '../../../platform/errors/index.js';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { type AddressedAccount, AccountRepository } from '../account.repository.js';
import { SignInCounts } from './sign-in-counts.js';
import { LegacySignIn } from './legacy/legacy-sign-in.js';
import { LoginThrottle } from './login-throttle.js';
import { PasswordBlocklist } from './password-blocklist.js';
import { StoredPasswords } from './stored-passwords.js';

/**
 * Password that was verified at `passwordVersion`. Before it is acted on, that version has to be
 * checked again under the lock of the account.
 */
export interface ProvenPassword {
  readonly userId: UserId;
  readonly passwordVersion: number;
  /** Whether the blocklist has the password. */
  readonly isListed: boolean;
}

/** A password at an address, compared with what is stored. */
interface Attempt extends Awaited<ReturnType<StoredPasswords['compare']>> {
  readonly email: string;
  readonly emailKey: string;
  readonly password: string;
  readonly client: Client;
  /** Whether attempts on the address have to wait. */
  readonly blocked: boolean;
}

/** Codes by which {@link CredentialService.prove} refuses a password that is not the account's. */
export const WRONG_PASSWORD = new Set(['invalid-credentials', 'email-not-verified']);

/**
 * Verifies passwords, slows down those who guess, and asks the legacy directory. Rehashing an
 * outdated stored form costs another hash.
 */
@Injectable()
export class CredentialService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly passwords: StoredPasswords,
    private readonly blocklist: PasswordBlocklist,
    private readonly throttle: LoginThrottle,
    private readonly legacy: LegacySignIn,
    private readonly counts: SignInCounts,
  ) {}

  /**
   * Verifies the password of a signed-in person. Failures count with those of logins.
   * @throws {AppError} invalid-credentials; validation-error on `method` if the account has no
   *   password; unauthenticated if it is erased or suspended
   */
  async proveOwn(userId: UserId, password: string, client: Client): Promise<ProvenPassword> {
    const account = await this.accounts.findActive(userId);
    if (!account) throw new AppError('unauthenticated');
    const { email, passwordHash } = account;
    if (email === null || passwordHash === null) throw AppError.violation('method', { id: 'password.none' });
    const proven = await this.prove(email, password, client).catch((error: unknown) => {
      const wrong = error instanceof AppError && WRONG_PASSWORD.has(error.code);
      throw wrong ? wrongPassword() : error;
    });
    // The address may belong to another account by now.
    if (proven.userId !== userId) throw wrongPassword();
    return proven;
  }

  /**
   * Verifies an address and a password. The password of a pending registration gets the same answer
   * whether or not the address has an account as well, and counts as a failure: an attacker who
   * registers an address knows that password, and could otherwise guess for free (ADR 2).
   * @throws {AppError} invalid-credentials; email-not-verified for the password of a pending
   *   registration; unavailable if too many passwords wait to be hashed
   */
  async prove(email: string, password: string, client: Client): Promise<ProvenPassword> {
    return this.conclude(await this.compare(email, password, client), null);
  }

  /**
   * Verifies an address and a password as {@link prove} does. If the address has no account, or one
   * that was imported without a password, it asks the legacy directory, where one is declared.
   * Never call it in a transaction.
   * @throws {AppError} as {@link prove}; with a directory, after the time that it has to answer
   */
  async proveAtLogin(email: string, password: string, client: Client): Promise<ProvenPassword> {
    let person: UserId | null = null;
    try {
      const compared = await this.compare(email, password, client);
      person = compared.account?.id ?? null;
      return await this.legacy.inEqualTime((end) => this.conclude(compared, end));
    } catch (error) {
      this.counts.refused(toAppError(error).code, { person });
      throw error;
    }
  }

  private async compare(email: string, password: string, client: Client): Promise<Attempt> {
    const emailKey = canonicalEmail(email);
    const blocked = await this.throttle.isBlocked(emailKey, client.ipAddress);
    const compared = await this.passwords.compare(emailKey, password, client);
    return { email, emailKey, password, client, blocked, ...compared };
  }

  /** @param end time until which the legacy directory may be asked; null for not at all */
  private async conclude(compared: Attempt, end: number | null): Promise<ProvenPassword> {
    const { emailKey, password, client, account, blocked, fits, fitsPending } = compared;
    if (blocked) throw new AppError('invalid-credentials');
    const asks = end !== null && !fits && this.legacy.isAskedAbout(account);
    // Parallel guesses may have used up the attempts while this one was hashed.
    const late = (fits || fitsPending || asks) && (await this.throttle.isBlocked(emailKey, client.ipAddress));
    if (late) throw new AppError('invalid-credentials');
    if (account && fits) {
      await this.throttle.recordSuccess(emailKey, client.ipAddress);
      await this.passwords.rehash(account, password, client);
      return this.proven(account, password);
    }
    // Before the directory is asked: parallel guesses, which wait for it, count at once.
    await this.throttle.recordFailure(emailKey, client.ipAddress);
    const attempt = { ...compared, network: networkOf(client.ipAddress) };
    const legacy = asks ? await this.legacy.prove(attempt, end) : null;
    if (!legacy) throw new AppError(fitsPending ? 'email-not-verified' : 'invalid-credentials');
    await this.throttle.recordSuccess(emailKey, client.ipAddress);
    return this.proven(legacy, password);
  }

  /** Judges the password only once it is the account's: failures take the same time for each. */
  private proven(account: AddressedAccount, password: string): ProvenPassword {
    const isListed = this.blocklist.isListed(password, account);
    return { userId: account.id, passwordVersion: account.passwordVersion, isListed };
  }
}

const wrongPassword = (): AppError =>
  new AppError('invalid-credentials', { reason: { id: 'password.wrong' } });
