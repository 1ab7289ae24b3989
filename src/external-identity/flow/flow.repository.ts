import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Tidies } from '../../platform/housekeeping/index.js';
import type { SessionId, UserId } from '../../platform/http/index.js';
import type { Kind } from '../providers/provider.js';

/** A code that a flow has ended in. */
export interface EndedFlow {
  readonly userId: UserId;
  readonly kind: Kind;
  readonly codeChallenge: string;
  readonly consumed: boolean;
  readonly sessionId: SessionId | null;
}

const COLUMNS = `account_id AS "userId", kind, code_challenge AS "codeChallenge", consumed_at IS NOT NULL AS consumed, session_id AS "sessionId"`;

/** Which flows have come to their one good callback and by which proofs, the codes of those that end in one, states that travel as a key, and forms on their way. */
@Injectable()
export class FlowRepository {
  constructor(private readonly database: Database) {}

  /** Answers true once for each flow. */
  async complete(flowId: string, keepSeconds: number): Promise<boolean> {
    const rows = await this.database.rows(
      'INSERT INTO external_flows (id, expires_at) VALUES ($1, now() + make_interval(secs => $2)) ON CONFLICT DO NOTHING RETURNING 1',
      [flowId, keepSeconds],
    );
    return rows.length === 1;
  }

  /** Answers true once for each proof. */
  async consumeProof(proofHash: Buffer, until: Date): Promise<boolean> {
    const rows = await this.database.rows(
      'INSERT INTO external_proofs (proof_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [proofHash, until],
    );
    return rows.length === 1;
  }

  /** @param userId whose account the state speaks of, if it does */
  async insertState(
    keyHash: Buffer,
    state: string,
    userId: UserId | null,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      'INSERT INTO external_states (key_hash, account_id, state, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))',
      [keyHash, userId, state, lifetimeSeconds],
    );
  }

  async findState(keyHash: Buffer): Promise<string | null> {
    const row = await this.database.row<{ state: string }>(
      'SELECT state FROM external_states WHERE key_hash = $1 AND expires_at > now()',
      [keyHash],
    );
    return row?.state ?? null;
  }

  async insertCode(
    codeHash: Buffer,
    { userId, kind, codeChallenge }: Pick<EndedFlow, 'userId' | 'kind' | 'codeChallenge'>,
    lifetimeSeconds: number,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO external_codes (code_hash, account_id, kind, code_challenge, expires_at) VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [codeHash, userId, kind, codeChallenge, lifetimeSeconds],
    );
  }

  async findCodeOwner(codeHash: Buffer): Promise<UserId | null> {
    const sql =
      'SELECT account_id AS "userId" FROM external_codes WHERE code_hash = $1 AND expires_at > now()';
    return (await this.database.row<{ userId: UserId }>(sql, [codeHash]))?.userId ?? null;
  }

  /** A code within its life, held: of all who present it, each waits for the one before. */
  findCode(codeHash: Buffer): Promise<EndedFlow | null> {
    return this.database.row<EndedFlow>(
      `SELECT ${COLUMNS} FROM external_codes WHERE code_hash = $1 AND expires_at > now() FOR UPDATE`,
      [codeHash],
    );
  }

  async consumeCode(codeHash: Buffer, sessionId: SessionId | null): Promise<void> {
    await this.database.rows(
      'UPDATE external_codes SET consumed_at = now(), session_id = $2 WHERE code_hash = $1',
      [codeHash, sessionId],
    );
  }

  /** Removes those that nobody has come back for as well: anybody may post one, and they are large. */
  async insertForm(keyHash: Buffer, sealed: string, lifetimeSeconds: number): Promise<void> {
    await this.database.rows(
      `WITH expired AS (DELETE FROM external_forms WHERE key_hash IN
         (SELECT key_hash FROM external_forms WHERE expires_at < now() FOR UPDATE SKIP LOCKED))
       INSERT INTO external_forms (key_hash, sealed, expires_at) VALUES ($1, $2, now() + make_interval(secs => $3))`,
      [keyHash, sealed, lifetimeSeconds],
    );
  }

  async findForm(keyHash: Buffer): Promise<string | null> {
    const row = await this.database.row<{ sealed: string }>(
      'SELECT sealed FROM external_forms WHERE key_hash = $1 AND expires_at > now()',
      [keyHash],
    );
    return row?.sealed ?? null;
  }

  /** Answers true once for each form. */
  async deleteForm(keyHash: Buffer): Promise<boolean> {
    const sql = 'DELETE FROM external_forms WHERE key_hash = $1 RETURNING 1';
    return (await this.database.rows(sql, [keyHash])).length === 1;
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM external_codes WHERE account_id = $1', [userId]);
    await this.database.rows('DELETE FROM external_states WHERE account_id = $1', [userId]);
  }

  /** Not the spent ones, whose reuse is still to be told. */
  async deleteUnspentCodesOf(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM external_codes WHERE account_id = $1 AND consumed_at IS NULL', [
      userId,
    ]);
  }

  /** Reuse of a code is told within its life alone: one past it is of no use, spent or not. */
  @Tidies()
  tidy(): Promise<boolean> {
    return this.database.removeInBatches(
      { table: 'external_flows', key: 'id', when: 'expires_at < now()' },
      { table: 'external_states', key: 'key_hash', when: 'expires_at < now()' },
      { table: 'external_forms', key: 'key_hash', when: 'expires_at < now()' },
      { table: 'external_proofs', key: 'proof_hash', when: 'expires_at < now()' },
      { table: 'external_codes', key: 'code_hash', when: 'expires_at < now()' },
    );
  }
}
