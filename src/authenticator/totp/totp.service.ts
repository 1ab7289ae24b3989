import { Inject, Injectable, Logger } from '@nestjs/common';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { PersonPrincipal, TenantId, UserId } from '../../kernel/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import type { AcceptedFactor, FactorScope } from '../factor.repository.js';
import { findStep } from './totp-code.js';
import { TotpRepository } from './totp.repository.js';

/** Wrong codes in a row after which an app is blocked (NIST SP 800-63B-4 section 3.2.2). */
const MAX_FAILURES = 100;

/** Verifies codes of authenticator apps (RFC 6238). */
@Injectable()
export class TotpService {
  private readonly logger = new Logger('Totp');
  private readonly sealer: Sealer;

  constructor(
    private readonly apps: TotpRepository,
    private readonly notices: AuthenticatorNotices,
    @Inject(KeyDerivation) keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'totp-secret');
  }

  seal(secret: string): string {
    return this.sealer.seal(secret);
  }

  /**
   * Finds the step whose code was presented of an app that waits for its first code in the session.
   * @returns null if the code is wrong
   * @throws {AppError} not-found if no such app is waiting
   */
  async findFirstStep(
    { userId, sessionId }: Pick<PersonPrincipal, 'userId' | 'sessionId'>,
    id: string,
    code: string,
  ): Promise<number | null> {
    const app = (await this.apps.findUnconfirmed(userId, id, sessionId)) ?? AppError.notFound();
    return findStep(this.sealer.open(app.sealedSecret), code, Date.now());
  }

  /**
   * Accepts a code once, in the open transaction. Tells the owner after the last wrong one that is
   * allowed.
   * @param scope apps that count
   * @returns the app whose code is right and new
   */
  async accept(userId: UserId, code: string, scope: FactorScope): Promise<AcceptedFactor | null> {
    const apps = await this.apps.findUsableForUpdate(userId, scope);
    for (const { id, sealedSecret, assuredBy } of apps) {
      const secret = this.open(sealedSecret);
      if (secret === null) continue;
      const step = findStep(secret, code, Date.now());
      if (step === null || !(await this.apps.spend(userId, id, step, this.seal(secret)))) continue;
      if (apps.length > 1) await this.apps.resetFailures(userId, assuredBy); // a wrong code counts for each
      return { id, assuredBy };
    }
    if (await this.apps.countFailure(userId, scope, MAX_FAILURES))
      await this.notices.tell(userId, 'totp-blocked', null);
    return null;
  }

  /** Lifts the block of an app that counts there: null for everywhere. */
  unblock(userId: UserId, assuredBy: TenantId | null): Promise<void> {
    return this.apps.unblock(userId, assuredBy);
  }

  /** Returns null for a secret that a former root secret has sealed: its codes are wrong. */
  open(sealedSecret: string): string | null {
    try {
      return this.sealer.open(sealedSecret);
    } catch {
      this.logger.warn('The secret of an authenticator app cannot be decrypted.');
      return null;
    }
  }
}
