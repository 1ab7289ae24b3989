import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { newId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import type { Kind } from '../providers/provider.js';
import { ExternalIdentityEntity } from './identity.entity.js';
import type { WayIn } from '../providers/provider.registry.js';

const IDENTITY = {
  id: true,
  userId: true,
  kind: true,
  issuer: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

/** An identity of an account at an external provider, without its subject there. */
export type Identity = Selected<ExternalIdentityEntity, typeof IDENTITY>;

/** Key of an identity. */
export interface IdentityKey {
  readonly kind: Kind;
  readonly issuer: string;
  readonly subject: string;
}

const COLUMNS = columnsOf(ExternalIdentityEntity, '', IDENTITY);

@Injectable()
export class IdentityRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param isAuthority whether its provider, as the authority for it, has named the address of the account
   * @returns null if the identity belongs to an account already
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

  /** Returns the account of an identity. Locks nothing: the account is locked first. */
  async findOwner({ kind, issuer, subject }: IdentityKey): Promise<UserId | null> {
    const identity = await this.database
      .repository(ExternalIdentityEntity)
      .findOne({ where: { kind, issuer, subject }, select: { userId: true } });
    return identity?.userId ?? null;
  }

  /**
   * Records a sign-in by the identity, and what {@link insert} records.
   * @returns null if it does not belong to the account
   */
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

  /** Returns a page in order of id, and one row more if there is a next page. */
  async listOf(userId: UserId, { limit, after }: Page): Promise<Identity[]> {
    const where = after === null ? { userId } : { userId, id: MoreThan(after) };
    const page = { select: IDENTITY, order: { id: 'ASC' }, take: limit + 1 } as const;
    return this.database.repository(ExternalIdentityEntity).find({ where, ...page });
  }

  /** Returns those of the ids that are the account's own; locks them if asked to, in order of id. */
  findOwn(userId: UserId, ids: readonly string[], lock: boolean): Promise<Identity[]> {
    return this.database.rows<Identity>(
      `SELECT ${COLUMNS} FROM external_identities WHERE account_id = $1 AND id = ANY($2) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [userId, ids],
    );
  }

  /**
   * Returns up to two identities by which the account can sign in. An issuer is the same with and
   * without a slash at its end, as in discovery.
   */
  async findTwoThatOpen(userId: UserId, ways: readonly WayIn[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT id FROM external_identities JOIN unnest($2::text[], $3::text[]) AS way (kind, issuer) USING (kind)
       WHERE account_id = $1 AND (way.issuer IS NULL OR rtrim(way.issuer, '/') = rtrim(external_identities.issuer, '/')) LIMIT 2`,
      [userId, ways.map(({ kind }) => kind), ways.map(({ issuer }) => issuer)],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns its kind; null if the account has no such identity */
  async delete(userId: UserId, id: string): Promise<Kind | null> {
    const row = await this.database.row<{ kind: Kind }>(
      'DELETE FROM external_identities WHERE account_id = $1 AND id = $2 RETURNING kind',
      [userId, id],
    );
    return row?.kind ?? null;
  }

  /**
   * Removes identities whose provider has not vouched for the address of the account as its authority.
   * @returns their kinds
   */
  async deleteWithoutAuthority(userId: UserId): Promise<Kind[]> {
    const removed = await this.database.rows<{ kind: Kind }>(
      'DELETE FROM external_identities WHERE account_id = $1 AND NOT is_authority RETURNING kind',
      [userId],
    );
    return removed.map(({ kind }) => kind);
  }

  async deleteAll(userId: UserId): Promise<void> {
    await this.database.repository(ExternalIdentityEntity).delete({ userId });
  }
}
