import { Injectable } from '@nestjs/common';
import {
  type AssertionAnswer,
  type CeremonyOptions,
  FactorService,
  PasskeyService,
} from '../../authenticator/index.js';
import { AccountService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { SessionService } from '../sessions/session.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.dto.js';

const USE = { purpose: 'sign-in', binding: '' } as const;

/** Starts sessions only by passkey: it proves two factors (`phr`). */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly passkeys: PasskeyService,
    private readonly factors: FactorService,
    private readonly sessions: SessionService,
    private readonly tokens: TokenIssuer,
  ) {}

  /** Creates options that any discoverable passkey of the browser can answer. Writes nothing. */
  createOptions(): Promise<CeremonyOptions> {
    return this.passkeys.createOptions(USE, null);
  }

  /**
   * Starts the session.
   * @throws {AppError} validation-error on `ceremony`; invalid-credentials, with `credentialKnown`
   *   for the browser's signal API
   */
  async signIn(answer: AssertionAnswer, client: Client): Promise<TokenResponse> {
    const { known, verified } = await this.passkeys.verify(answer, USE, null);
    if (!verified) {
      this.factors.countRefusedPasskey();
      throw refused(known);
    }
    const { userId } = verified.passkey;
    const grant = await this.database.transaction(async () => {
      const locked = await this.accounts.lockActiveForShare(userId);
      if (!locked) return null;
      if (!(await this.factors.accept(locked, { method: 'passkey', verified }, []))) return null;
      return this.sessions.startSession(locked, [{ method: 'passkey' }], client);
    });
    if (!grant) throw refused(true);
    await this.factors.resetGuesses(userId);
    return this.tokens.issue(grant);
  }
}

const refused = (credentialKnown: boolean): AppError =>
  new AppError('invalid-credentials', {
    reason: { id: 'sign-in.passkey-refused' },
    members: { credentialKnown },
  });
