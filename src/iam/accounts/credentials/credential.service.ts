import { Injectable } from '@nestjs/common';
import { ProofMethods } from '../../../ability/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { AccountRepository } from '../account.repository.js';
import { LoginThrottle } from './login-throttle.js';
import { PasswordHasher } from './password-hasher.js';
import { PendingRegistrationRepository } from '../registration/pending-registration.repository.js';

/** A password that was right at `passwordVersion`; whoever acts on it checks that version again under the account's lock. */
export interface ProvenPassword {
  readonly userId: UserId;
  readonly passwordVersion: number;
}

const NO_PASSWORD = 'This account has no password. Sign in again by an external provider instead.';
/** What {@link CredentialService.prove} says of a password that is not the account's. */
export const WRONG_PASSWORD = new Set(['invalid-credentials', 'email-not-verified']);

/** Passwords as proofs. Comparing one with an address costs exactly one hash, whatever is found; a new stored form costs its own. */
@Injectable()
export class CredentialService extends ProofMethods {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly hasher: PasswordHasher,
    private readonly throttle: LoginThrottle,
  ) {
    super();
  }

  /** By which methods a person can confirm who they are. */
  async findMethods(userId: UserId): Promise<readonly string[]> {
    const account = await this.accounts.findActive(userId);
    return (account?.passwordHash ?? null) === null ? [] : ['password'];
  }

  /**
   * Proves the password of an account that its owner is signed in to. Guesses count with those of logins.
   * @throws {AppError} invalid-credentials; validation-error on `method` where there is no password; unauthenticated when the account is gone
   */
  async proveOwn(userId: UserId, password: string, client: Client): Promise<ProvenPassword> {
    const account = await this.accounts.findActive(userId);
    if (!account) throw new AppError('unauthenticated');
    const { email, passwordHash } = account;
    if (email === null || passwordHash === null) throw AppError.violation('method', NO_PASSWORD);
    const proven = await this.prove(email, password, client).catch((error: unknown) => {
      const wrong = error instanceof AppError && WRONG_PASSWORD.has(error.code);
      throw wrong ? wrongPassword() : error;
    });
    // The address may have changed hands meanwhile.
    if (proven.userId !== userId) throw wrongPassword();
    return proven;
  }

  /**
   * Proves an address and a password. Whoever registers an address knows the password of that registration: the answer to it must not
   * depend on whether there is an account as well, and it counts as a failure, else registering would pay for guesses.
   * @throws {AppError} invalid-credentials, or email-not-verified for the right password of a registration that waits
   */
  async prove(email: string, password: string, client: Client): Promise<ProvenPassword> {
    const emailKey = canonicalEmail(email);
    const network = networkOf(client.ipAddress);
    const blocked = await this.throttle.isBlocked(emailKey, client.ipAddress);
    const account = await this.accounts.findByEmailKey(emailKey);
    const waiting = await this.pending.findPasswordHashes(emailKey);
    const [matches = false, ...fitting] = await this.hasher.verify(
      password,
      network,
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
    await this.throttle.recordSuccess(emailKey, client.ipAddress);
    if (account.passwordHash !== null && this.hasher.isOutdated(account.passwordHash)) {
      await this.accounts.rehashPassword(
        account.id,
        account.passwordVersion,
        await this.hasher.hash(password, network),
      );
    }
    return { userId: account.id, passwordVersion: account.passwordVersion };
  }
}

const wrongPassword = (): AppError =>
  new AppError('invalid-credentials', { detail: 'The password is wrong.' });
