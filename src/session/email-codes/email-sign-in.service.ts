import { Injectable } from '@nestjs/common';
import { LoginThrottle, SignInCounts } from '../../iam/index.js';
import { canonicalEmail } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import {
  type FirstFactorOutcome,
  FirstFactorService,
  requireGrant,
} from '../second-factor/first-factor.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.dto.js';
import { EmailSignInCodes } from './email-sign-in-codes.js';

/** A mailed code, as a person presents it. */
interface PresentedCode {
  readonly email: string;
  readonly code: string;
  /** Token of a trusted device. */
  readonly deviceToken?: string | undefined;
}

/** Starts sessions by mailed codes. */
@Injectable()
export class EmailSignInService {
  constructor(
    private readonly database: Database,
    private readonly throttle: LoginThrottle,
    private readonly codes: EmailSignInCodes,
    private readonly firstFactors: FirstFactorService,
    private readonly tokens: TokenIssuer,
    private readonly counts: SignInCounts,
  ) {}

  /**
   * Starts a session by the code, which can be used once. Wrong codes count as wrong passwords do.
   * @throws {AppError} invalid-credentials; second-factor-required for the right code of an account
   *   that has one; not-found without EMAIL_SIGN_IN
   */
  async signIn(presented: PresentedCode, client: Client): Promise<TokenResponse> {
    this.codes.requireEnabled();
    const { email, code } = presented;
    const emailKey = canonicalEmail(email);
    const blocked = await this.throttle.isBlocked(emailKey, client.ipAddress);
    const isRight = await this.codes.isRight(email, code);
    const outcome = isRight && !blocked ? await this.proceed(presented, client) : null;
    if (outcome) await this.throttle.recordSuccess(emailKey, client.ipAddress);
    else if (!blocked) await this.throttle.recordFailure(emailKey, client.ipAddress);
    if (!outcome) {
      this.counts.refused('wrong-code', {});
      throw new AppError('invalid-credentials', { reason: { id: 'sign-in.wrong-code' } });
    }
    return this.tokens.issue(requireGrant(outcome));
  }

  private proceed(
    { email, code, deviceToken }: PresentedCode,
    client: Client,
  ): Promise<FirstFactorOutcome | null> {
    return this.database.transaction(async () => {
      const person = await this.codes.take(email, code);
      return person && this.firstFactors.proceed(person, { method: 'email_code' }, client, deviceToken);
    });
  }
}
