import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** What this module keeps about a person. */
@Injectable()
export class AuthenticatorDataRepository {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'authenticators',
    description: 'Your authenticator apps, passkeys and recovery codes, without their secrets.',
    fields: {
      kind: '`totp`, `passkey` or `recovery-code`.',
      name: 'The name that you gave it.',
      createdAt: 'When you added it.',
      lastUsedAt: 'When you last used it.',
    },
    tables: ['totp_authenticators', 'passkeys', 'passkey_users', 'recovery_codes'],
  })
  authenticators(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT 'totp' AS kind, name, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM totp_authenticators WHERE account_id = $1
       UNION ALL SELECT 'passkey', name, created_at, last_used_at FROM passkeys WHERE account_id = $1
       UNION ALL SELECT 'recovery-code', NULL, NULL, NULL FROM recovery_codes WHERE account_id = $1`,
      [userId],
    );
  }

  @PersonalData({
    part: 'devices',
    description: 'Browsers and apps that you trust.',
    fields: {
      userAgent: 'The browser or app, as it names itself.',
      createdAt: 'Since when you trust it.',
      lastUsedAt: 'When you last signed in with it.',
      expiresAt: 'When it is forgotten.',
    },
    tables: ['trusted_devices'],
  })
  devices(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT user_agent AS "userAgent", created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
       FROM trusted_devices WHERE account_id = $1 ORDER BY id DESC LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'resets',
    description: 'Resets of your second factors by operators.',
    fields: {
      reason: 'Why.',
      createdAt: 'When it was scheduled.',
      effectiveAt: 'When it takes effect.',
      endedAt: 'When it was carried out or cancelled.',
    },
    tables: ['factor_resets'],
  })
  resets(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT reason, created_at AS "createdAt", effective_at AS "effectiveAt", ended_at AS "endedAt"
       FROM factor_resets WHERE account_id = $1 ORDER BY id DESC LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }
}
