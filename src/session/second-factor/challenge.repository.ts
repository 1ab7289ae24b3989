import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import type { UserId } from '../../kernel/index.js';
import { ChallengeEntity } from './challenge.entity.js';

const CHALLENGE = {
  userId: true,
  passwordVersion: true,
  method: true,
  connectionId: true,
  passwordListed: true,
  upstream: true,
} as const;

/** A sign-in that waits for its second factor. */
export type Challenge = Selected<ChallengeEntity, typeof CHALLENGE>;

/** Wrong answers that void a challenge. */
const MAX_FAILURES = 5;
/** Challenges that wait per account; the oldest are void. Each took the right first factor. */
const MAX_WAITING = 20;
const COLUMNS = columnsOf(ChallengeEntity, '', CHALLENGE);
const USABLE = `expires_at > now() AND failures < ${MAX_FAILURES}`;

/** Sign-ins that wait for their second factor. */
@Injectable()
@RemovesExpired({ table: 'sign_in_challenges', key: 'challenge_hash', when: 'expires_at < now()' })
export class ChallengeRepository {
  constructor(private readonly database: Database) {}

  async insert(hash: Buffer, challenge: Challenge, lifetimeSeconds: number): Promise<void> {
    const { userId, passwordVersion, method, connectionId, passwordListed, upstream } = challenge;
    await this.database.rows(
      `INSERT INTO sign_in_challenges (challenge_hash, account_id, password_version, method, connection_id, password_listed, expires_at, upstream)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), $8::jsonb)`,
      [
        hash,
        userId,
        passwordVersion,
        method,
        connectionId,
        passwordListed,
        lifetimeSeconds,
        upstream && JSON.stringify(upstream),
      ],
    );
    await this.database.rows(
      `DELETE FROM sign_in_challenges WHERE challenge_hash IN (
         SELECT challenge_hash FROM sign_in_challenges WHERE account_id = $1 ORDER BY expires_at DESC OFFSET ${MAX_WAITING})`,
      [userId],
    );
  }

  find(hash: Buffer): Promise<Challenge | null> {
    const sql = `SELECT ${COLUMNS} FROM sign_in_challenges WHERE challenge_hash = $1 AND ${USABLE}`;
    return this.database.row<Challenge>(sql, [hash]);
  }

  /** Locks a challenge, so that concurrent answers to it run one after another. */
  findForUpdate(hash: Buffer): Promise<Challenge | null> {
    const sql = `SELECT ${COLUMNS} FROM sign_in_challenges WHERE challenge_hash = $1 AND ${USABLE} FOR UPDATE`;
    return this.database.row<Challenge>(sql, [hash]);
  }

  async countFailure(hash: Buffer): Promise<void> {
    await this.database
      .repository(ChallengeEntity)
      .update({ challengeHash: hash }, { failures: () => 'failures + 1' });
  }

  async delete(hash: Buffer): Promise<void> {
    await this.database.repository(ChallengeEntity).delete({ challengeHash: hash });
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.database.repository(ChallengeEntity).delete({ userId });
  }

  /** Deletes those whose first factor was a sign-in by this connection. */
  async deleteOfConnection(userId: UserId, connectionId: string): Promise<void> {
    await this.database.repository(ChallengeEntity).delete({ userId, connectionId });
  }
}
