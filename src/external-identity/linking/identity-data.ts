import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** What this module keeps about a person. */
@Injectable()
export class IdentityData {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'identities',
    description: 'Your identities with external providers, by which you can sign in.',
    fields: {
      kind: 'The kind of the provider.',
      issuer: 'The provider.',
      subject: 'Your number with the provider.',
      createdAt: 'When it was linked.',
      lastUsedAt: 'When you last signed in with it.',
    },
    tables: ['external_identities'],
  })
  identities(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT kind, issuer, subject, created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM external_identities WHERE account_id = $1 ORDER BY id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }
}
