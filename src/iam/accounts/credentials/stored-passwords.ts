import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../../kernel/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { type AddressedAccount, AccountRepository } from '../account.repository.js';
import { PendingRegistrationRepository } from '../registration/pending-registration.repository.js';
import { ImportedPasswords } from './imported/imported-passwords.js';
import { PasswordHasher } from './password-hasher.js';

/** Result of comparing a password with what is stored of an address. */
interface Compared {
  readonly account: AddressedAccount | null;
  /** Whether it is the password of the account. */
  readonly fits: boolean;
  /** Whether it is the password of a pending registration. */
  readonly fitsPending: boolean;
}

/**
 * Compares passwords with the stored ones of accounts and pending registrations. Each comparison
 * costs exactly one hash, whether or not the address has an account (PW-5), and the hashes of
 * {@link ImportedPasswords}.
 */
@Injectable()
export class StoredPasswords {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly hasher: PasswordHasher,
    private readonly imported: ImportedPasswords,
  ) {}

  /** @throws {AppError} unavailable if too many passwords wait to be hashed */
  async compare(emailKey: string, password: string, client: Client): Promise<Compared> {
    const network = networkOf(client.ipAddress);
    const account = await this.accounts.findByEmailKey(emailKey);
    const waiting = await this.pending.findPasswordHashes(emailKey);
    const stored = account?.passwordHash ?? null;
    const own = this.imported.isImported(stored) ? null : stored;
    const [matches = false, ...fitting] = await this.hasher.verify(password, network, own, ...waiting);
    const matchesImported = await this.imported.verify(password, network, stored);
    // A suspended account refuses its password as a wrong one (PW-5).
    const fits = (matches || matchesImported) && account?.suspendedAt === null;
    return { account, fits, fitsPending: fitting.includes(true) };
  }

  /** Replaces an outdated stored form by one of the same password. */
  async rehash(account: AddressedAccount, password: string, client: Client): Promise<void> {
    if (!this.hasher.isOutdated(account.passwordHash)) return;
    const network = networkOf(client.ipAddress);
    // Registrations of an imported address have its own salt: they are compared with as before.
    const rehashed = this.imported.isImported(account.passwordHash)
      ? await this.hasher.hashForAddress(password, network, canonicalEmail(account.email), null)
      : await this.hasher.hash(password, network);
    await this.accounts.rehashPassword(account.id, account.passwordVersion, rehashed);
  }
}
