import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { newId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import type { Kind } from '../providers/provider.js';
import type { WayIn } from '../providers/provider.registry.js';

/** An identity that an account has elsewhere. */
export interface Identity {
  readonly id: string;
  readonly userId: UserId;
  readonly kind: Kind;
  readonly issuer: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** By what an identity is known. */
export interface IdentityKey {
  readonly kind: Kind;
  readonly issuer: string;
  readonly subject: string;
}

const COLUMNS = `id, account_id AS "userId", kind, issuer, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

@Injectable()
export class IdentityRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param isAuthority whether its provider, as the authority for it, has named the address of the account
   * @returns null where the identity belongs to an account already
   */
  insert(
    userId: UserId,
    { kind, issuer, subject }: IdentityKey,
    isAuthority: boolean,
  ): Promise<Identity | null> {
    return this.database.row<Identity>(
      `INSERT INTO external_identities (id, account_id, kind, issuer, subject, is_authority) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT ON CONSTRAINT external_identities_subject_unique DO NOTHING RETURNING ${COLUMNS}`,
      [newId(), userId, kind, issuer, subject, isAuthority],
    );
  }

  /** Whose it is. Holds nothing: the account is to be held first. */
  async findOwner({ kind, issuer, subject }: IdentityKey): Promise<UserId | null> {
    const row = await this.database.row<{ userId: UserId }>(
      'SELECT account_id AS "userId" FROM external_identities WHERE kind = $1 AND issuer = $2 AND subject = $3',
      [kind, issuer, subject],
    );
    return row?.userId ?? null;
  }

  /** Notes its use, and what {@link insert} notes. @returns null where it does not belong to the account */
  use(
    userId: UserId,
    { kind, issuer, subject }: IdentityKey,
    isAuthority: boolean,
  ): Promise<Identity | null> {
    return this.database.row<Identity>(
      `UPDATE external_identities SET last_used_at = now(), is_authority = $5
       WHERE kind = $1 AND issuer = $2 AND subject = $3 AND account_id = $4 RETURNING ${COLUMNS}`,
      [kind, issuer, subject, userId, isAuthority],
    );
  }

  /** In order of id; one more than the limit, if there are that many. */
  listOf(userId: UserId, { limit, after }: Page): Promise<Identity[]> {
    return this.database.rows<Identity>(
      `SELECT ${COLUMNS} FROM external_identities WHERE account_id = $1 AND ($2::text IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [userId, after, limit + 1],
    );
  }

  /** Those of the ids that are the account's own, locked if need be. */
  findOwn(userId: UserId, ids: readonly string[], lock: boolean): Promise<Identity[]> {
    return this.database.rows<Identity>(
      `SELECT ${COLUMNS} FROM external_identities WHERE account_id = $1 AND id = ANY($2) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [userId, ids],
    );
  }

  /** Two of those by which somebody can sign in, if there are so many. Discovery takes an issuer with its last slash and without for the same. */
  async findTwoThatOpen(userId: UserId, ways: readonly WayIn[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT id FROM external_identities JOIN unnest($2::text[], $3::text[]) AS way (kind, issuer) USING (kind)
       WHERE account_id = $1 AND (way.issuer IS NULL OR rtrim(way.issuer, '/') = rtrim(external_identities.issuer, '/')) LIMIT 2`,
      [userId, ways.map(({ kind }) => kind), ways.map(({ issuer }) => issuer)],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns its kind; null where the account has no such identity */
  async delete(userId: UserId, id: string): Promise<Kind | null> {
    const row = await this.database.row<{ kind: Kind }>(
      'DELETE FROM external_identities WHERE account_id = $1 AND id = $2 RETURNING kind',
      [userId, id],
    );
    return row?.kind ?? null;
  }

  /** Removes those whose provider has not named the address of the account as the authority for it. Returns their kinds. */
  async deleteWithoutAuthority(userId: UserId): Promise<Kind[]> {
    const removed = await this.database.rows<{ kind: Kind }>(
      'DELETE FROM external_identities WHERE account_id = $1 AND NOT is_authority RETURNING kind',
      [userId],
    );
    return removed.map(({ kind }) => kind);
  }

  async deleteAll(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM external_identities WHERE account_id = $1', [userId]);
  }
}
