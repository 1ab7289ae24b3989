import { Injectable } from '@nestjs/common';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { LifecycleEvents } from '../../kernel/index.js';
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
export class SessionCodeRepository {
  constructor(private readonly database: Database) {}

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

  /**
   * Consumes a code that was found alive: one atomic statement. If it has expired since, that is no
   * reuse.
   * @returns true for the first caller only
   */
  async consume(codeHash: Buffer): Promise<boolean> {
    const consumed = await this.database.rows(
      prepared(
        'UPDATE satellite_codes SET consumed_at = now() WHERE code_hash = $1 AND consumed_at IS NULL RETURNING 1',
      ),
      [codeHash],
    );
    return consumed.length === 1;
  }

  /** Removes the codes of a deleted tenant. */
  @OnLifecycle('tenant.deleting')
  async deleteOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const deleted = await this.database.rows(
      `DELETE FROM satellite_codes WHERE code_hash IN (
         SELECT code_hash FROM satellite_codes WHERE tenant_id = $1 LIMIT $2) RETURNING 1`,
      [tenantId, batch],
    );
    if (deleted.length === batch) repeat();
  }

  /** Removes expired codes: reuse is detected while a code is alive, and useless after. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'satellite_codes',
      key: 'code_hash',
      when: 'expires_at < now()',
    });
  }
}
