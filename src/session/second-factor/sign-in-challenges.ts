import { Injectable } from '@nestjs/common';
import { type CeremonyOptions, PasskeyService } from '../../authenticator/index.js';
import { AccountService, SignInCounts } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { hashOneTimeToken } from '../../platform/crypto/index.js';
import { AppError, toAppError } from '../../platform/errors/index.js';
import { Assurers } from '../evidence/evidence.js';
import { type Challenge, ChallengeRepository } from './challenge.repository.js';

/** Account of a challenge, as it was at the first factor, and what the first factor proved. */
interface LockedChallenge extends Challenge {
  readonly userId: Locked<UserId>;
  /** Organizations whose factors count. */
  readonly scope: readonly TenantId[];
}

/** Sign-ins that wait for their second factor. */
@Injectable()
export class SignInChallenges {
  constructor(
    private readonly challenges: ChallengeRepository,
    private readonly accounts: AccountService,
    private readonly assurers: Assurers,
    private readonly passkeys: PasskeyService,
    private readonly counts: SignInCounts,
  ) {}

  /** @throws {AppError} validation-error on `challenge` */
  async get(hash: Buffer): Promise<Challenge> {
    return (await this.challenges.find(hash)) ?? throwInvalid();
  }

  /**
   * Creates the options of a passkey that answers a challenge.
   * @throws {AppError} as {@link get}
   */
  async createOptions(challenge: string): Promise<CeremonyOptions> {
    const hash = hashOneTimeToken(challenge);
    const { userId, connectionId } = await this.get(hash);
    const scope = await this.assurers.find([{ method: 'passkey', connectionId }]);
    return this.passkeys.createOptions(useOf(hash), userId, scope);
  }

  /**
   * Locks the account, as it was at the first factor, and then the challenge.
   * @throws {AppError} as {@link get}
   */
  async lockForUpdate(hash: Buffer): Promise<LockedChallenge> {
    const challenge = await this.get(hash);
    const userId = await this.accounts
      .requireUnchangedForShare(challenge.userId, challenge.passwordVersion)
      .catch((error: unknown) => {
        throw toAppError(error).code === 'invalid-credentials' ? invalidChallenge() : error;
      });
    const held = (await this.challenges.findForUpdate(hash)) ?? throwInvalid();
    return { ...held, userId, scope: await this.assurers.find([held]) };
  }

  /** Counts a wrong answer, of which five void the challenge. Joins the open transaction. */
  async countFailure(hash: Buffer): Promise<void> {
    await this.challenges.countFailure(hash);
  }

  async delete(hash: Buffer): Promise<void> {
    await this.challenges.delete(hash);
  }

  /** Counts the refusal of a second factor. @returns the error */
  refuse(person: UserId): AppError {
    const code = 'invalid-second-factor';
    this.counts.refused(code, { person });
    return new AppError(code);
  }
}

/** What a passkey that answers a challenge is used for. */
export const useOf = (hash: Buffer) => ({ purpose: 'second-factor', binding: hash.toString('hex') }) as const;

const invalidChallenge = (): AppError =>
  AppError.violation('challenge', { id: 'sign-in.challenge-not-valid' });

function throwInvalid(): never {
  throw invalidChallenge();
}
