import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import type { Locked, SessionId, TenantId, UserId } from '../../kernel/index.js';
import { countsIn, type FactorScope, parameterOf } from '../factor.repository.js';
import { TotpEntity } from './totp.entity.js';

const APP = { id: true, name: true, createdAt: true, lastUsedAt: true, assuredBy: true } as const;
const SECRET = { id: true, sealedSecret: true, assuredBy: true } as const;

/** A confirmed authenticator app, as its owner sees it. */
export type TotpApp = Selected<TotpEntity, typeof APP>;

type SealedTotp = Selected<TotpEntity, typeof SECRET>;

/**
 * SQL of WITH queries that accept codes of all apps of a person again.
 * @param accountId parameter of the statement, such as `$1`
 * @param condition under which they do
 */
export const unblockedApps = (accountId: string, condition: string): string =>
  `blocked AS (
     SELECT id FROM totp_authenticators WHERE account_id = ${accountId} AND (failures > 0 OR blocked_at IS NOT NULL) AND ${condition}
     ORDER BY id FOR UPDATE),
   unblocked AS (
     UPDATE totp_authenticators t SET failures = 0, blocked_at = NULL FROM blocked WHERE t.account_id = ${accountId} AND t.id = blocked.id)`;

/**
 * SQL of the condition under which a factor that was shown lifts the block of an app. One that
 * counts in an organization only lifts no block of the person's own: who holds it could be the
 * administrator of its provider, and would guess without an end.
 * @param assuredBy organization of the factor; NULL for the person's own
 */
export const isLiftedBy = (assuredBy: string): string =>
  `(${assuredBy}::text IS NULL OR totp_authenticators.assured_by = ${assuredBy})`;

/** Authenticator apps. */
@Injectable()
// Removes apps that were not confirmed within an hour.
@RemovesExpired({
  table: 'totp_authenticators',
  key: 'account_id, id',
  when: "(confirmed_at IS NULL AND created_at < now() - interval '1 hour')",
})
export class TotpRepository {
  constructor(private readonly database: Database) {}

  listConfirmed(userId: UserId): Promise<TotpApp[]> {
    const where = { userId, confirmedAt: Not(IsNull()) };
    return this.apps.find({ where, select: APP, order: { id: 'ASC' } });
  }

  /** Returns the oldest own app of each person: none that counts in one organization only. */
  listOldestOwn(userIds: readonly UserId[]): Promise<Pick<TotpEntity, 'userId' | 'sealedSecret'>[]> {
    return this.database.rows(
      `SELECT DISTINCT ON (account_id) account_id AS "userId", sealed_secret AS "sealedSecret"
       FROM totp_authenticators WHERE account_id = ANY($1) AND confirmed_at IS NOT NULL AND assured_by IS NULL ORDER BY account_id, id`,
      [userIds],
    );
  }

  /**
   * Locks and returns the apps whose codes are accepted. In order of id, as all that change several
   * apps of a person, to avoid deadlocks.
   */
  findUsableForUpdate(userId: UserId, scope: FactorScope): Promise<SealedTotp[]> {
    return this.database.rows<SealedTotp>(
      `SELECT ${columnsOf(TotpEntity, '', SECRET)} FROM totp_authenticators
       WHERE account_id = $1 AND confirmed_at IS NOT NULL AND blocked_at IS NULL AND ${countsIn('$2')} ORDER BY id FOR UPDATE`,
      [userId, parameterOf(scope)],
    );
  }

  /** Finds an app that waits for its first code, in the session that began to add it. */
  findUnconfirmed(userId: UserId, id: string, sessionId: SessionId): Promise<SealedTotp | null> {
    return this.apps.findOne({ where: { userId, id, sessionId, confirmedAt: IsNull() }, select: SECRET });
  }

  /** Inserts an unconfirmed app in place of an earlier one. */
  async replaceUnconfirmed(
    app: Pick<TotpEntity, 'userId' | 'id' | 'name' | 'sealedSecret' | 'sessionId'>,
  ): Promise<void> {
    await this.apps.delete({ userId: app.userId, confirmedAt: IsNull() });
    await this.apps.insert(app);
  }

  /** Confirms an app and spends the step of the code. */
  async confirm(
    userId: Locked<UserId>,
    { id, name, assuredBy }: Pick<TotpEntity, 'id' | 'name' | 'assuredBy'>,
    step: number,
  ): Promise<void> {
    const confirmed = { name, assuredBy, confirmedAt: () => 'now()', lastStep: String(step) };
    await this.apps.update({ userId, id }, confirmed);
  }

  /** Makes an app the person's own. */
  async makeOwn(userId: UserId, id: string): Promise<void> {
    await this.apps.update({ userId, id }, { assuredBy: null });
  }

  /**
   * Spends a step in one atomic statement, so that a code is accepted once over all replicas (RFC
   * 6238 section 5.2).
   * @param sealedSecret sealed by the current root secret
   * @returns false if the step, or a later one, has been spent
   */
  spend(userId: UserId, id: string, step: number, sealedSecret: string): Promise<boolean> {
    return this.database.hasRow(
      `UPDATE totp_authenticators SET last_step = $3, last_used_at = now(), failures = 0, sealed_secret = $4
       WHERE account_id = $1 AND id = $2 AND last_step < $3 RETURNING 1`,
      [userId, id, step, sealedSecret],
    );
  }

  /**
   * Forgets the wrong codes since the last right one, of the apps that are not blocked. The caller
   * has locked them.
   * @param assuredBy of the app that was shown: one of an organization forgets those of its apps
   */
  async resetFailures(userId: UserId, assuredBy: TenantId | null): Promise<void> {
    const apps = { userId, blockedAt: IsNull(), ...(assuredBy !== null && { assuredBy }) };
    await this.apps.update(apps, { failures: 0 });
  }

  /**
   * Counts a wrong code against the apps of a person that count, which the caller has locked, and
   * blocks those that reach the limit.
   * @returns whether one was blocked by this code
   */
  async countFailure(userId: UserId, scope: FactorScope, limit: number): Promise<boolean> {
    const counted = await this.database.rows<{ blocked: boolean }>(
      `UPDATE totp_authenticators SET failures = failures + 1, blocked_at = CASE WHEN failures + 1 >= $2 THEN now() END
       WHERE account_id = $1 AND confirmed_at IS NOT NULL AND blocked_at IS NULL AND ${countsIn('$3')} RETURNING blocked_at IS NOT NULL AS blocked`,
      [userId, limit, parameterOf(scope)],
    );
    return counted.some(({ blocked }) => blocked);
  }

  /**
   * Accepts codes of apps of a person again.
   * @param assuredBy of the factor that was shown: one of an organization unblocks its apps only
   */
  async unblock(userId: UserId, assuredBy: TenantId | null): Promise<void> {
    await this.database.rows(`WITH ${unblockedApps('$1', isLiftedBy('$2'))} SELECT 1`, [userId, assuredBy]);
  }

  find(userId: UserId, id: string): Promise<TotpApp | null> {
    return this.apps.findOne({ where: { userId, id, confirmedAt: Not(IsNull()) }, select: APP });
  }

  async rename(userId: UserId, id: string, name: string): Promise<boolean> {
    const { affected } = await this.apps.update({ userId, id, confirmedAt: Not(IsNull()) }, { name });
    return affected === 1;
  }

  async delete(userId: UserId, id: string): Promise<boolean> {
    const { affected } = await this.apps.delete({ userId, id, confirmedAt: Not(IsNull()) });
    return affected === 1;
  }

  /** Deletes the apps that were confirmed since a time. @returns their ids */
  deleteConfirmedSince(userId: UserId, since: Date): Promise<string[]> {
    const sql = 'DELETE FROM totp_authenticators WHERE account_id = $1 AND confirmed_at >= $2 RETURNING id';
    return this.database.values(sql, [userId, since]);
  }

  /** Deletes the apps that a session has added. @returns their ids */
  deleteOfSession(userId: UserId, sessionId: SessionId): Promise<string[]> {
    const sql = 'DELETE FROM totp_authenticators WHERE account_id = $1 AND session_id = $2 RETURNING id';
    return this.database.values(sql, [userId, sessionId]);
  }

  async deleteAllOf(userId: UserId): Promise<void> {
    await this.apps.delete({ userId });
  }

  private get apps() {
    return this.database.repository(TotpEntity);
  }
}
