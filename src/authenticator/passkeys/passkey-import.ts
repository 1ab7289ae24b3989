import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { type LifecycleEvents, LOCK, newId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { OwnMethods } from '../own-methods.js';
import { isUsableKey } from './cose-key.js';
import { transportsOf } from './credential.js';
import { PasskeyRepository } from './passkey.repository.js';

const NAME = 'Passkey';

/** Adds the passkeys of people who are imported from another system. */
@Injectable()
export class PasskeyImport {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly ownMethods: OwnMethods,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @OnLifecycle('account.imported', { order: LOCK.rows })
  async add({ userId, passkeys, refusal }: LifecycleEvents['account.imported']): Promise<void> {
    const [first] = passkeys;
    if (!first) return;
    // The authenticator returns its handle at each sign-in, and an account has one.
    if (passkeys.some(({ userHandle }) => userHandle !== first.userHandle))
      throw refusal('passkeys have different user handles');
    if (!(await this.passkeys.insertHandle(userId, Buffer.from(first.userHandle, 'base64url'))))
      throw refusal('passkeys has the user handle of another account');
    for (const passkey of passkeys) {
      // A passkey of another domain could never be used, but would be asked for.
      if (passkey.rpId !== this.settings.PASSKEY_RP_ID)
        throw refusal('passkeys has one of another domain than PASSKEY_RP_ID');
      const publicKey = Buffer.from(passkey.publicKey, 'base64url');
      if (!(await isUsableKey(publicKey))) throw refusal('passkeys has a public key that is not accepted');
      if (passkey.backedUp && !passkey.backupEligible)
        throw refusal('passkeys has one that is backed up without being eligible');
      const id = newId();
      const inserted = await this.passkeys.insert({
        assuredBy: null,
        sessionId: null,
        userId,
        id,
        name: passkey.name ?? NAME,
        credentialId: Buffer.from(passkey.credentialId, 'base64url'),
        publicKey,
        signCount: String(passkey.signCount),
        backupEligible: passkey.backupEligible,
        backedUp: passkey.backedUp,
        transports: transportsOf(passkey.transports ?? []),
      });
      if (!inserted) throw refusal('passkeys has one that belongs to an account already');
      const subject = `iam/authenticators/${id}`;
      await this.audit.record({ actorId: userId, action: 'account.passkey-added', subject });
    }
    await this.ownMethods.announceChange(userId);
  }
}
