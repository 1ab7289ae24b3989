import { Injectable } from '@nestjs/common';
import { ExportedWithPeople } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** The external identities of people, for an export of everything. */
@Injectable()
export class IdentityExport {
  constructor(private readonly database: Database) {}

  @ExportedWithPeople('identities')
  async read(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const rows = await this.database.rows<{ userId: UserId; identities: object[] }>(
      `SELECT account_id AS "userId", json_agg(json_build_object('kind', kind, 'connectionId', connection_id, 'issuer', issuer, 'subject', subject) ORDER BY id) AS identities
       FROM external_identities WHERE account_id = ANY($1) GROUP BY account_id`,
      [userIds],
    );
    return new Map(rows.map(({ userId, identities }) => [userId, identities]));
  }
}
