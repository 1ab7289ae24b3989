import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { OneTimeCodes } from '../../session/index.js';
import type { OpenIdCodeEntity } from './openid-code.entity.js';

/** A code as it is issued. */
type NewOpenIdCode = Pick<
  OpenIdCodeEntity,
  'clientId' | 'sessionId' | 'tenantId' | 'redirectUri' | 'codeChallenge' | 'scopes' | 'nonce' | 'dpopJkt'
>;

/** What a consumed code gave. */
interface GivenGrant {
  readonly grantId: string | null;
  /** Whether it was consumed within the time for which an unused code is valid. */
  readonly isRecent: boolean;
}

/** Authorization codes of OpenID Connect, by their hash. */
@Injectable()
export class OpenIdCodeRepository extends OneTimeCodes {
  constructor(database: Database) {
    super(database, 'oidc_codes');
  }

  /** @returns false if the session has ended */
  async insert(codeHash: Buffer, code: NewOpenIdCode, lifetimeSeconds: number): Promise<boolean> {
    const inserted = await this.database.rows(
      prepared(`INSERT INTO oidc_codes (code_hash, client_id, redirect_uri, code_challenge, session_id, account_id, tenant_id, scopes, nonce, dpop_jkt, expires_at)
       SELECT $1, $2, $3, $4, id, account_id, $6, $7, $8, $9, now() + make_interval(secs => $10) FROM sessions
       WHERE id = $5 AND ended_at IS NULL AND expires_at > now() RETURNING 1`),
      [
        codeHash,
        code.clientId,
        code.redirectUri,
        code.codeChallenge,
        code.sessionId,
        code.tenantId,
        code.scopes,
        code.nonce,
        code.dpopJkt,
        lifetimeSeconds,
      ],
    );
    return inserted.length === 1;
  }

  /** Deletes the codes that a person has given a client, in sessions that are alive. */
  async deleteOfPerson(userId: UserId, clientId: string): Promise<void> {
    await this.database.rows(
      `DELETE FROM oidc_codes WHERE client_id = $2
         AND session_id IN (SELECT id FROM sessions WHERE account_id = $1 AND ended_at IS NULL)`,
      [userId, clientId],
    );
  }

  /**
   * Returns what a consumed code gave.
   * @param lifetimeSeconds for which an unused code is valid
   */
  findGiven(codeHash: Buffer, lifetimeSeconds: number): Promise<GivenGrant | null> {
    return this.database.row<GivenGrant>(
      `SELECT grant_id AS "grantId", consumed_at > now() - make_interval(secs => $2) AS "isRecent"
       FROM oidc_codes WHERE code_hash = $1`,
      [codeHash, lifetimeSeconds],
    );
  }
}
