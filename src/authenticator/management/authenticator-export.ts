import { Injectable } from '@nestjs/common';
import { ExportedWithPeople } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
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
  name: true,
} as const;

interface SealedApp {
  readonly userId: UserId;
  readonly sealedSecret: string;
}

/** The second factors of people, with what verifies them, for an export of everything. */
@Injectable()
export class AuthenticatorExport {
  constructor(
    private readonly database: Database,
    private readonly totp: TotpService,
  ) {}

  /** Of several apps the oldest one. */
  @ExportedWithPeople('totpSecret')
  async readApps(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const apps = await this.database.rows<SealedApp>(
      `SELECT DISTINCT ON (account_id) account_id AS "userId", sealed_secret AS "sealedSecret"
       FROM totp_authenticators WHERE account_id = ANY($1) AND confirmed_at IS NOT NULL ORDER BY account_id, id`,
      [userIds],
    );
    return new Map(
      apps.flatMap(({ userId, sealedSecret }) => {
        const secret = this.totp.open(sealedSecret);
        return secret === null ? [] : [[userId, secret]];
      }),
    );
  }

  @ExportedWithPeople('passkeys')
  async readPasskeys(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const passkeys = await this.database.rows<Pick<PasskeyEntity, keyof typeof PASSKEY>>(
      `SELECT ${columnsOf(PasskeyEntity, '', PASSKEY)} FROM passkeys WHERE account_id = ANY($1) ORDER BY id`,
      [userIds],
    );
    const values = new Map<UserId, object[]>();
    for (const { userId, credentialId, publicKey, signCount, ...passkey } of passkeys) {
      const value = {
        credentialId: credentialId.toString('base64url'),
        publicKey: publicKey.toString('base64url'),
        signCount: Number(signCount),
        ...passkey,
      };
      values.set(userId, [...(values.get(userId) ?? []), value]);
    }
    return values;
  }
}
