import { Injectable } from '@nestjs/common';
import {
  type LifecycleEvents,
  LOCK,
  type Locked,
  newId,
  type SessionId,
  type UserId,
} from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, type Selected, textArray } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { type JoiningPurpose, OneTimeCodeEntity } from './one-time-code.entity.js';

const ISSUED = {
  purpose: true,
  clientId: true,
  redirectUri: true,
  codeChallenge: true,
  sessionId: true,
  tenantId: true,
  scopes: true,
  nonce: true,
  dpopJkt: true,
} as const;
const TAKEN = { ...ISSUED, userId: true, grantId: true } as const;

/** A code with what all codes have by which a client joins a session. */
type Joining<Code> = {
  readonly [K in keyof Code]: K extends 'sessionId' | 'redirectUri' | 'codeChallenge' | 'grantId'
    ? NonNullable<Code[K]>
    : K extends 'purpose'
      ? JoiningPurpose
      : Code[K];
};

/** A code as it is issued. */
export type NewCode = Joining<Selected<OneTimeCodeEntity, typeof ISSUED>>;

/** What identifies a presented code, and who presents it. */
export interface CodeKey extends Pick<NewCode, 'purpose' | 'clientId'> {
  readonly codeHash: Buffer;
}

/** A code as it was before it was taken. */
export interface TakenCode extends Joining<Selected<OneTimeCodeEntity, typeof TAKEN>> {
  readonly sessionId: Locked<SessionId>;
  /** Index of its key among the presented ones. */
  readonly index: number;
  readonly isSessionAlive: boolean;
  /** Whether it had been consumed before. */
  readonly isUsed: boolean;
  /** Whether that was within the time for which an unused code is valid. */
  readonly isRecent: boolean;
}

/** Lifetime of a code (ASVS 10.4.3, CODE-4). A redirect takes one or two seconds. */
export const CODE_LIFETIME_SECONDS = 60;

/** @param skip SKIP LOCKED, to leave out what another transaction holds */
const take = (skip: '' | 'SKIP LOCKED'): string =>
  prepared(`WITH presented AS MATERIALIZED (
     SELECT code_hash, purpose, client_id, min(place) - 1 AS index
     FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY AS each (code_hash, purpose, client_id, place)
     GROUP BY code_hash, purpose, client_id
   ), found AS MATERIALIZED (
     SELECT c.*, index, s.ended_at IS NULL AND s.expires_at > now() AS is_session_alive, s.expires_at AS session_expires_at
     FROM presented JOIN one_time_codes c ON c.code_hash = presented.code_hash AND c.purpose = presented.purpose
         AND c.client_id IS NOT DISTINCT FROM presented.client_id AND c.expires_at > now()
       JOIN sessions s ON s.id = c.session_id
     ORDER BY s.id, c.code_hash FOR SHARE OF s ${skip} FOR NO KEY UPDATE OF c ${skip}
   ), consumed AS (
     UPDATE one_time_codes c SET consumed_at = now(), nonce = NULL,
       expires_at = CASE c.purpose WHEN 'openid' THEN session_expires_at ELSE c.expires_at END
     FROM found WHERE c.code_hash = found.code_hash AND found.consumed_at IS NULL
   )
   SELECT ${columnsOf(OneTimeCodeEntity, 'found', TAKEN)}, index::int, is_session_alive AS "isSessionAlive", consumed_at IS NOT NULL AS "isUsed",
     coalesce(consumed_at > now() - interval '${CODE_LIFETIME_SECONDS} seconds', false) AS "isRecent"
   FROM found`);

const TAKE = take('');
const TAKE_FREE = take('SKIP LOCKED');

/** One-time codes by which further clients join sessions, by their hash. */
@Injectable()
// Removes expired codes: their reuse ends nothing.
@RemovesExpired({ table: 'one_time_codes', key: 'code_hash', when: 'expires_at < now()' })
export class OneTimeCodeRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if the session has ended */
  insert(codeHash: Buffer, code: NewCode): Promise<boolean> {
    return this.database.hasRow(
      prepared(`INSERT INTO one_time_codes (code_hash, purpose, client_id, redirect_uri, code_challenge, session_id, account_id, tenant_id, scopes, nonce, dpop_jkt, grant_id, expires_at)
       SELECT $1, $2, $3, $4, $5, id, account_id, $7, $8, $9, $10, $11, now() + interval '${CODE_LIFETIME_SECONDS} seconds' FROM sessions
       WHERE id = $6 AND ended_at IS NULL AND expires_at > now() RETURNING 1`),
      [
        codeHash,
        code.purpose,
        code.clientId,
        code.redirectUri,
        code.codeChallenge,
        code.sessionId,
        code.tenantId,
        code.scopes,
        code.nonce,
        code.dpopJkt,
        newId(),
      ],
    );
  }

  /**
   * Consumes those of the presented codes that are unused, whatever else is wrong: a wrong verifier
   * burns a code, because an attacker may have it. Locks each session first, which cannot end
   * before the transaction does. Codes of OpenID Connect are kept for the life of the session, so
   * that a second use is noticed however late (RFC 6749 section 4.1.2).
   * @param waits whether to wait for other transactions; leaves out what they hold otherwise
   * @returns used ones too, but none that has expired; one that is presented several times, for the
   *   first of them
   */
  takeForUpdate(keys: readonly CodeKey[], waits: boolean): Promise<TakenCode[]> {
    return this.database.rows<TakenCode>(waits ? TAKE : TAKE_FREE, [
      keys.map(({ codeHash }) => codeHash),
      textArray(keys.map(({ purpose }) => purpose)),
      textArray(keys.map(({ clientId }) => clientId)),
    ]);
  }

  /** Deletes the codes that a person has given a client, in sessions that are alive. */
  async deleteOfPerson(userId: UserId, clientId: string): Promise<void> {
    await this.database.rows(
      `DELETE FROM one_time_codes WHERE client_id = $2
       AND session_id IN (SELECT id FROM sessions WHERE account_id = $1 AND ended_at IS NULL)`,
      [userId, clientId],
    );
  }

  /** Removes the codes of a deleted tenant. */
  @OnLifecycle('tenant.deleting', { order: LOCK.sessions })
  async deleteOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const deleted = await this.database.rows(
      `DELETE FROM one_time_codes WHERE code_hash IN (
         SELECT code_hash FROM one_time_codes WHERE tenant_id = $1 LIMIT $2) RETURNING 1`,
      [tenantId, batch],
    );
    if (deleted.length === batch) repeat();
  }
}
