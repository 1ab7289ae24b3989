import { Injectable } from '@nestjs/common';
import { AccountService, ProfileService, nameOf } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import { assurerOf, MAX_PASSKEYS, newId, type PersonPrincipal } from '../../kernel/index.js';
import { type Enrolled, Enrolment, requireRoom } from '../management/enrolment.js';
import { Ceremonies, type CeremonyUse } from './ceremonies.js';
import { type RegistrationCredential, transportsOf } from './credential.js';
import { type Passkey, PasskeyRepository } from './passkey.repository.js';
import { type CeremonyOptions, PasskeyService } from './passkey.service.js';

const DEFAULT_NAME = 'Passkey';

/** Adds passkeys. */
@Injectable()
export class PasskeyEnrolment {
  constructor(
    private readonly accounts: AccountService,
    private readonly profiles: ProfileService,
    private readonly service: PasskeyService,
    private readonly passkeys: PasskeyRepository,
    private readonly ceremonies: Ceremonies,
    private readonly enrolment: Enrolment,
  ) {}

  /** @throws {AppError} conflict if the account has as many passkeys as allowed */
  async begin(caller: PersonPrincipal): Promise<CeremonyOptions> {
    const profile = await this.profiles.getProfile(caller.userId);
    const { email } = profile;
    const wholeName = nameOf(profile);
    requireRoom(await this.passkeys.list(caller.userId), MAX_PASSKEYS);
    const name = email ?? wholeName ?? caller.userId;
    const user = { name, displayName: wholeName ?? name };
    return this.service.createRegistrationOptions(registrationOf(caller), caller.userId, user);
  }

  /**
   * Adds a passkey.
   * @throws {AppError} validation-error on `ceremony` or `credential`; conflict if the credential
   *   is registered already, or the account has as many as allowed
   */
  async add(
    caller: PersonPrincipal,
    ceremony: string,
    credential: RegistrationCredential,
    name: string = DEFAULT_NAME,
  ): Promise<Enrolled<Passkey>> {
    const { userId } = caller;
    const verified = await this.service.verifyRegistration(ceremony, registrationOf(caller), credential);
    if (!verified) throw AppError.violation('credential', 'is not a valid answer to the options');
    const { signCount, ...created } = verified.created;
    const id = newId();
    const transports = transportsOf(credential.response.transports);
    const assuredBy = assurerOf(caller);
    const passkey = {
      ...created,
      userId,
      id,
      name,
      transports,
      signCount: String(signCount),
      assuredBy,
      sessionId: caller.sessionId,
    };
    return this.accounts.underLock(userId, async ({ id: owner }) => {
      await this.ceremonies.spend(verified.ceremony);
      requireRoom(await this.passkeys.list(userId), MAX_PASSKEYS);
      const recoveryCodes = await this.enrolment.complete(
        { ...passkey, userId: owner },
        'passkey',
        async () => {
          if (!(await this.passkeys.insert(passkey)))
            throw new AppError('conflict', { reason: { id: 'authenticator.passkey-registered' } });
        },
      );
      const authenticator = (await this.passkeys.find(userId, id)) ?? AppError.notFound();
      return { authenticator, recoveryCodes };
    });
  }
}

const registrationOf = ({ userId, sessionId }: PersonPrincipal): CeremonyUse => ({
  purpose: 'registration',
  binding: `${userId}|${sessionId}`,
});
