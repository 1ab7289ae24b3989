import { Injectable } from '@nestjs/common';
import { type FactorAnswer, FactorService, TrustedDeviceService } from '../../authenticator/index.js';
import { hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import type { Client } from '../../platform/web/index.js';
import { SessionService } from '../sessions/session.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { SecondFactorTokenResponse } from './second-factor.dto.js';
import { SignInChallenges, useOf } from './sign-in-challenges.js';

/** Completes sign-ins by their second factor. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly database: Database,
    private readonly challenges: SignInChallenges,
    private readonly factors: FactorService,
    private readonly devices: TrustedDeviceService,
    private readonly sessions: SessionService,
    private readonly tokens: TokenIssuer,
  ) {}

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
    const { userId } = await this.challenges.get(hash);
    const prepared = await this.factors.prepare(userId, answer, useOf(hash));
    if (await this.factors.isBlocked(userId, answer.method, client)) throw this.challenges.refuse(userId);
    const done = await this.database.transaction(async () => {
      const held = await this.challenges.lockForUpdate(hash);
      const factor = await this.factors.accept(held.userId, prepared, held.scope);
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
    if (!done) throw this.challenges.refuse(userId);
    const { grant, passwordListed, deviceToken } = done;
    return {
      ...(await this.tokens.issue(grant)),
      ...(passwordListed && { passwordShouldChange: true }),
      ...(deviceToken !== null && { deviceToken }),
    };
  }
}
