import { Inject, Injectable } from '@nestjs/common';
import { ExportedWithPeople } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { TotpRepository } from '../totp/totp.repository.js';
import { TotpService } from '../totp/totp.service.js';

/**
 * The second factors of people, with what verifies them, for an export of everything. Only those
 * that count everywhere: an import makes each the person's own.
 */
@Injectable()
export class AuthenticatorExport {
  constructor(
    private readonly apps: TotpRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly totp: TotpService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Of several apps the oldest one. */
  @ExportedWithPeople('totpSecret')
  async readApps(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const apps = await this.apps.listOldestOwn(userIds);
    return new Map(
      apps.flatMap(({ userId, sealedSecret }) => {
        const secret = this.totp.open(sealedSecret);
        return secret === null ? [] : [[userId, secret]];
      }),
    );
  }

  /** With the fields of the import. */
  @ExportedWithPeople('passkeys')
  async readPasskeys(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const passkeys = await this.passkeys.listOwn(userIds);
    const values = new Map<UserId, object[]>();
    for (const { userId, credentialId, handle, publicKey, signCount, ...passkey } of passkeys) {
      const value = {
        rpId: this.settings.PASSKEY_RP_ID,
        credentialId: credentialId.toString('base64url'),
        userHandle: handle.toString('base64url'),
        publicKey: publicKey.toString('base64url'),
        signCount: Number(signCount),
        ...passkey,
      };
      values.set(userId, [...(values.get(userId) ?? []), value]);
    }
    return values;
  }
}
