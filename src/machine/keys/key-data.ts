import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** What this module keeps about a person. */
@Injectable()
export class KeyData {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'keys',
    description: 'Your API keys, without their secrets.',
    fields: {
      tenantId: 'The organization in which it acts.',
      name: 'The name that you gave it.',
      networks: 'Networks from which it is accepted.',
      createdAt: 'When you created it.',
      lastUsedAt: 'When it was last used.',
      expiresAt: 'When it expires.',
    },
    tables: ['machine_credentials'],
  })
  keys(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT tenant_id AS "tenantId", name, networks, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
       FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person' ORDER BY tenant_id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }
}
