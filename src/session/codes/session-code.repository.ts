import { Injectable } from '@nestjs/common';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { OneTimeCodes } from './one-time-codes.js';
import { SessionCodeEntity } from './session-code.entity.js';

const ISSUED = {
  clientId: true,
  redirectUri: true,
  codeChallenge: true,
  sessionId: true,
  userId: true,
  tenantId: true,
} as const;

/** A one-time code as it was issued. */
export type IssuedCode = Selected<SessionCodeEntity, typeof ISSUED>;

const COLUMNS = columnsOf(SessionCodeEntity, '', ISSUED);

/** One-time codes, by their hash. */
@Injectable()
export class SessionCodeRepository extends OneTimeCodes {
  constructor(database: Database) {
    super(database, 'satellite_codes');
  }

  /** @returns false if the session has ended */
  async insert(codeHash: Buffer, code: IssuedCode, lifetimeSeconds: number): Promise<boolean> {
    const inserted = await this.database.rows(
      prepared(`INSERT INTO satellite_codes (code_hash, client_id, redirect_uri, code_challenge, session_id, account_id, tenant_id, expires_at)
       SELECT $1, $2, $3, $4, id, account_id, $6, now() + make_interval(secs => $7) FROM sessions
       WHERE id = $5 AND ended_at IS NULL AND expires_at > now() RETURNING 1`),
      [
        codeHash,
        code.clientId,
        code.redirectUri,
        code.codeChallenge,
        code.sessionId,
        code.tenantId,
        lifetimeSeconds,
      ],
    );
    return inserted.length === 1;
  }

  /**
   * A code of this client within its life, whether or not it has been consumed.
   * @param clientId null for the first-party client
   */
  findAlive(codeHash: Buffer, clientId: string | null): Promise<IssuedCode | null> {
    return this.database.row<IssuedCode>(
      prepared(`SELECT ${COLUMNS} FROM satellite_codes
       WHERE code_hash = $1 AND client_id IS NOT DISTINCT FROM $2 AND expires_at > now()`),
      [codeHash, clientId],
    );
  }
}
