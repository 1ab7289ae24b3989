import { Inject, Injectable } from '@nestjs/common';
import { ExportedWithPeople } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { columnsOf, Database } from '../../platform/database/index.js';
import { PasskeyEntity } from '../passkeys/passkey.entity.js';
import { TotpService } from '../totp/totp.service.js';

const PASSKEY = {
  userId: true,
  credentialId: true,
  publicKey: true,
  signCount: true,
  transports: true,
  backupEligible: true,
  backedUp: true,
  name: true,
} as const;

interface ExportedPasskey extends Pick<PasskeyEntity, keyof typeof PASSKEY> {
  readonly handle: Buffer;
}

interface SealedApp {
  readonly userId: UserId;
  readonly sealedSecret: string;
}

/**
 * The second factors of people, with what verifies them, for an export of everything. Only those
 * that count everywhere: an import makes each the person's own.
 */
@Injectable()
export class AuthenticatorExport {
  constructor(
    private readonly database: Database,
    private readonly totp: TotpService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Of several apps the oldest one. */
  @ExportedWithPeople('totpSecret')
  async readApps(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const apps = await this.database.rows<SealedApp>(
      `SELECT DISTINCT ON (account_id) account_id AS "userId", sealed_secret AS "sealedSecret"
       FROM totp_authenticators WHERE account_id = ANY($1) AND confirmed_at IS NOT NULL AND assured_by IS NULL ORDER BY account_id, id`,
      [userIds],
    );
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
    const passkeys = await this.database.rows<ExportedPasskey>(
      `SELECT ${columnsOf(PasskeyEntity, 'p', PASSKEY)}, u.handle
       FROM passkeys p JOIN passkey_users u ON u.account_id = p.account_id WHERE p.account_id = ANY($1) AND p.assured_by IS NULL ORDER BY p.id`,
      [userIds],
    );
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
