import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** What this module keeps about a person. */
@Injectable()
export class ConsentData {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'consents',
    description: 'Apps that you allowed to sign you in, and what they may read.',
    fields: {
      clientId: 'The app.',
      scopes: 'What you allowed.',
      grantedAt: 'When you allowed it.',
    },
    tables: ['oidc_consents'],
  })
  consents(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT client_id AS "clientId", scopes, granted_at AS "grantedAt"
       FROM oidc_consents WHERE account_id = $1 ORDER BY client_id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }
}
