import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../../../kernel/index.js';
import { KeyDerivation } from '../../../../platform/crypto/index.js';
import { RefusedLine } from '../../../import/import-batch.js';
import { importKeyOf, importKeysOf } from '../../../import/import-keys.js';
import type { VouchedPerson } from '../../../import/imported-person.js';
import { PeopleImport } from '../../../import/people-import.service.js';
import { AccountRepository, type Account, type AddressedAccount } from '../../account.repository.js';
import { PasswordHasher } from '../password-hasher.js';
import { LegacyQuestions } from './legacy-questions.js';
import { answerEnd, pauseUntil } from './legacy-time.js';

/** A login whose password is not that of an account. */
interface LegacyAttempt {
  /** Address as it was given. */
  readonly email: string;
  readonly emailKey: string;
  readonly password: string;
  /** Network of the request. */
  readonly network: string;
  /** Account of the address; null without one. */
  readonly account: AddressedAccount | null;
}

/**
 * Lets people of another system in by their password there, which becomes that of their account.
 * The account is created by the import, under the same key.
 */
@Injectable()
export class LegacySignIn {
  constructor(
    private readonly questions: LegacyQuestions,
    private readonly accounts: AccountRepository,
    private readonly imports: PeopleImport,
    private readonly hasher: PasswordHasher,
    private readonly keys: KeyDerivation,
  ) {}

  /**
   * Runs a login. With a legacy directory, each failure takes the time for which that may be asked,
   * whether or not it was: the duration does not tell whether an address has an account here.
   * @param work gets the end of that time; null without a directory
   */
  async inEqualTime<T>(work: (end: number | null) => Promise<T>): Promise<T> {
    if (!this.questions.isDeclared) return work(null);
    const end = answerEnd(this.questions.maxAnswerMs);
    try {
      return await work(end);
    } catch (error) {
      await pauseUntil(end);
      throw error;
    }
  }

  /**
   * Returns whether the directory is asked: about addresses without an account, and about accounts
   * that were imported without a password and never had one here. A password that is removed or
   * reset counts as one, so that it cannot be replaced by an old one.
   */
  isAskedAbout(account: Account | null): boolean {
    if (account === null) return true;
    const hadPassword = account.passwordHash !== null || account.passwordVersion > 1;
    return !hadPassword && account.suspendedAt === null && importKeyOf(account) !== null;
  }

  /**
   * Asks the directory about a login, and stores the password if it is right. Never call it in a
   * transaction.
   * @param end end of the wait, from {@link inEqualTime}
   * @returns the account; null if the password is wrong, and for people who may not get one
   * @throws {AppError} unavailable if too many passwords wait to be hashed
   */
  async prove(attempt: LegacyAttempt, end: number): Promise<AddressedAccount | null> {
    const { email, emailKey, password, network, account } = attempt;
    const person = await this.questions.ask(email, password, end);
    if (!person) return null;
    // Other systems take addresses for equal that differ here, as by a collation.
    if (canonicalEmail(person.email) !== emailKey) return this.questions.refuses('it has another address');
    // By the salt of the address: concurrent logins with the password store the same form.
    const passwordHash = await this.hasher.hashForAddress(password, network, emailKey, null);
    try {
      if (account) await this.adopt(account, person, passwordHash);
      else await this.imports.createVouched(person, passwordHash);
    } catch (error) {
      if (!(error instanceof RefusedLine)) throw error;
      return (await this.findHeld(emailKey, passwordHash)) ?? this.questions.refuses(error.message);
    }
    return (await this.findHeld(emailKey, passwordHash)) ?? this.questions.refuses('the account has changed');
  }

  /** @throws {RefusedLine} if the account is that of another person */
  private async adopt(account: Account, person: VouchedPerson, passwordHash: string): Promise<void> {
    const importKey = importKeyOf(account);
    if (importKey === null || !importKeysOf(this.keys, person.externalId).includes(importKey))
      throw new RefusedLine('the account was imported with another externalId');
    await this.accounts.setFirstPassword(account.id, passwordHash);
  }

  /** Finds the account, created by this login or by a concurrent one with the same password. */
  private async findHeld(emailKey: string, passwordHash: string): Promise<AddressedAccount | null> {
    const held = await this.accounts.findByEmailKey(emailKey);
    if (held?.passwordHash !== passwordHash || held.suspendedAt !== null) return null;
    this.questions.recordRight();
    return held;
  }
}
