import { Inject, Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { assurerOf, newId, type PersonPrincipal } from '../../kernel/index.js';
import { type Enrolled, Enrolment, requireRoom } from '../management/enrolment.js';
import { createTotpSecret, totpUri } from './totp-code.js';
import { type TotpApp, TotpRepository } from './totp.repository.js';
import { TotpService } from './totp.service.js';

/** Maximum authenticator apps of one account. */
const MAX_APPS = 5;
const DEFAULT_NAME = 'Authenticator app';

/** Adds authenticator apps. */
@Injectable()
export class TotpEnrolment {
  constructor(
    private readonly accounts: AccountService,
    private readonly totp: TotpService,
    private readonly apps: TotpRepository,
    private readonly enrolment: Enrolment,
    private readonly lifecycle: Lifecycle,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Creates the secret of an app, which counts for nothing until it is confirmed in the same
   * session.
   * @throws {AppError} conflict if the account has as many as allowed
   */
  begin({ userId, sessionId }: PersonPrincipal): Promise<{ id: string; secret: string; uri: string }> {
    const [id, secret] = [newId(), createTotpSecret()];
    return this.accounts.underLock(userId, async ({ email }) => {
      requireRoom(await this.apps.listConfirmed(userId), MAX_APPS);
      const sealedSecret = this.totp.seal(secret);
      await this.apps.replaceUnconfirmed({ userId, id, name: DEFAULT_NAME, sealedSecret, sessionId });
      return { id, secret, uri: totpUri(secret, this.settings.MFA_ISSUER, email ?? userId) };
    });
  }

  /**
   * Confirms an app by a code, which is spent and counts as a proof in the caller's session.
   * @throws {AppError} not-found; validation-error on `code`
   */
  confirm(
    caller: PersonPrincipal,
    id: string,
    code: string,
    name: string = DEFAULT_NAME,
  ): Promise<Enrolled<TotpApp>> {
    const { sessionId } = caller;
    const app = { id, name, assuredBy: assurerOf(caller) };
    return this.accounts.underLock(caller.userId, async ({ id: userId }) => {
      const step = await this.totp.findFirstStep(caller, id, code);
      if (step === null) throw AppError.violation('code', { id: 'authenticator.wrong-code' });
      const recoveryCodes = await this.enrolment.complete({ ...app, userId }, 'totp', () =>
        this.apps.confirm(userId, app, step),
      );
      await this.lifecycle.emit('account.totp-confirmed', { userId, sessionId });
      const authenticator = (await this.apps.find(userId, id)) ?? AppError.notFound();
      return { authenticator, recoveryCodes };
    });
  }
}
