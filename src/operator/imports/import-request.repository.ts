import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { Database } from '../../platform/database/index.js';

/**
 * Condition of a request that counts: it has not expired, and the operator who asked may still
 * import, so that the consent ends with the right.
 */
const COUNTS = `r.expires_at > now()
  AND EXISTS (SELECT 1 FROM operators o WHERE o.account_id = r.operator_id AND o.role = 'admin'
    AND (o.scopes IS NULL OR 'platform:import:create' = ANY(o.scopes)))`;

/** Imports of members that wait for a second operator, by the digest of their part of the file. */
@Injectable()
@RemovesExpired({ table: 'import_requests', key: 'digest', when: 'expires_at < now()' })
export class ImportRequestRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns whether the operator is the second of two: another one asked for the same part, and
   * this one was trusted by then, as for erasures.
   */
  async isConfirmedBy(digest: Buffer, operatorId: UserId): Promise<boolean> {
    const request = await this.database.row(
      `SELECT 1 FROM import_requests r WHERE r.digest = $1 AND r.operator_id <> $2 AND ${COUNTS}
         AND EXISTS (SELECT 1 FROM operators c WHERE c.account_id = $2 AND c.trusted_from <= r.created_at)`,
      [digest, operatorId],
    );
    return request !== null;
  }

  /** Inserts the request of an operator, unless one counts. Programs of the platform have none. */
  async insert(digest: Buffer, operatorId: UserId): Promise<void> {
    await this.database.rows(
      `INSERT INTO import_requests AS r (digest, operator_id, expires_at)
       SELECT $1, account_id, now() + interval '24 hours' FROM operators WHERE account_id = $2
       ON CONFLICT (digest) DO UPDATE
       SET operator_id = excluded.operator_id, created_at = now(), expires_at = excluded.expires_at
       WHERE NOT (${COUNTS})`,
      [digest, operatorId],
    );
  }
}
