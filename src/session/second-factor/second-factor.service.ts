import type { Locked, UserId } from '../../kernel/index.js';
import { Injectable } from '@nestjs/common';
import {
  type CeremonyOptions,
  type FactorAnswer,
  FactorService,
  PasskeyService,
  TrustedDeviceService,
} from '../../authenticator/index.js';
import { AccountService, SignInCounts } from '../../iam/index.js';
import { hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, toAppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { SessionService } from '../sessions/session.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import { type Challenge, ChallengeRepository } from './challenge.repository.js';
import type { SecondFactorTokenResponse } from './second-factor.response.js';

/** Completes sign-ins by their second factor. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly challenges: ChallengeRepository,
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
    private readonly devices: TrustedDeviceService,
    private readonly sessions: SessionService,
    private readonly tokens: TokenIssuer,
    private readonly counts: SignInCounts,
  ) {}

  /**
   * Creates the options of a passkey for a sign-in that waits for its second factor.
   * @throws {AppError} validation-error on `challenge`
   */
  async createOptions(challenge: string): Promise<CeremonyOptions> {
    const hash = hashOneTimeToken(challenge);
    const { userId, connectionId } = await this.getChallenge(hash);
    const scope = await this.sessions.findAssurers([{ method: 'passkey', connectionId }]);
    return this.passkeys.createOptions(useOf(hash), userId, scope);
  }

  /**
   * Verifies the second factor and starts the session.
   * @param trust whether to trust the device of the request from now on, by a factor of the
   *   person's own
   * @throws {AppError} validation-error on `challenge` or `ceremony`; invalid-second-factor, which
   *   counts: five wrong answers void the challenge
   */
  async complete(
    challenge: string,
    answer: FactorAnswer,
    trust: boolean,
    client: Client,
  ): Promise<SecondFactorTokenResponse> {
    const hash = hashOneTimeToken(challenge);
    const { userId } = await this.getChallenge(hash);
    const prepared = await this.factors.prepare(userId, answer, useOf(hash));
    if (await this.factors.isBlocked(userId, answer.method, client)) throw this.refused(userId);
    const done = await this.database.transaction(async () => {
      const held = await this.lockForUpdate(hash);
      const scope = await this.sessions.findAssurers([held]);
      const factor = await this.factors.accept(held.userId, prepared, scope);
      if (!factor) {
        await this.challenges.countFailure(hash);
        return null;
      }
      await this.challenges.delete(hash);
      const { method, connectionId, passwordListed, upstream } = held;
      const isOwn = factor.assuredBy === null;
      const proofs = [
        { method, connectionId, upstream },
        { method: answer.method, isOwn },
      ];
      const grant = await this.sessions.startSession(held.userId, proofs, client);
      const deviceToken = trust && isOwn ? await this.devices.trust(grant, client) : null;
      return { grant, isOwn, passwordListed, deviceToken };
    });
    await this.factors.recordAttempt(userId, client, done);
    if (!done) throw this.refused(userId);
    const { grant, passwordListed, deviceToken } = done;
    return {
      ...(await this.tokens.issue(grant)),
      ...(passwordListed && { passwordShouldChange: true }),
      ...(deviceToken !== null && { deviceToken }),
    };
  }

  private refused(person: UserId): AppError {
    const code = 'invalid-second-factor';
    this.counts.refused(code, { person });
    return new AppError(code);
  }

  private async getChallenge(hash: Buffer): Promise<Challenge> {
    return (await this.challenges.find(hash)) ?? throwInvalid();
  }

  /** Locks the account, as it was at the first factor, and then the challenge. */
  private async lockForUpdate(hash: Buffer): Promise<Challenge & { readonly userId: Locked<UserId> }> {
    const challenge = await this.getChallenge(hash);
    const userId = await this.accounts
      .requireUnchangedForShare(challenge.userId, challenge.passwordVersion)
      .catch((error: unknown) => {
        throw toAppError(error).code === 'invalid-credentials' ? invalidChallenge() : error;
      });
    return { ...((await this.challenges.findForUpdate(hash)) ?? throwInvalid()), userId };
  }
}

const useOf = (hash: Buffer) => ({ purpose: 'second-factor', binding: hash.toString('hex') }) as const;

const invalidChallenge = (): AppError =>
  AppError.violation('challenge', { id: 'sign-in.challenge-not-valid' });

function throwInvalid(): never {
  throw invalidChallenge();
}
