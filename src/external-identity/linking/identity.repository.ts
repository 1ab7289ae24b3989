import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { columnsOf, Database, type Selected } from '../../platform/database/index.js';
import { newId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import type { Kind } from '../providers/provider.js';
import { ExternalIdentityEntity } from './identity.entity.js';
import type { AcceptedIssuer } from '../providers/provider.registry.js';

const IDENTITY = {
  id: true,
  userId: true,
  kind: true,
  issuer: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

/** An external identity of an account, without its subject at the provider. */
export type Identity = Selected<ExternalIdentityEntity, typeof IDENTITY>;

/** Key of an identity; the kind follows from the connection. */
export interface IdentityKey {
  readonly connectionId: string;
  readonly kind: Kind;
  readonly issuer: string;
  readonly subject: string;
  /** Refresh token of the provider, sealed; left out if it gave none. */
  readonly sealedGrant?: string;
}

/** Kind of an identity that is removed, with the grant at the provider, sealed. */
export interface GrantedKind {
  readonly kind: Kind;
  readonly sealedGrant: string | null;
}

const COLUMNS = columnsOf(ExternalIdentityEntity, '', IDENTITY);
const GRANTED = columnsOf(ExternalIdentityEntity, '', { kind: true, sealedGrant: true });

/** External identities that are linked to accounts. */
@Injectable()
export class IdentityRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param isAuthority whether the provider is the authority for the account's address, and named
   * it
   * @returns null if the identity belongs to an account already
   */
  insert(
    userId: UserId,
    { kind, connectionId, issuer, subject, sealedGrant }: IdentityKey,
    isAuthority: boolean,
  ): Promise<Identity | null> {
    return this.database.row<Identity>(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject, is_authority, sealed_grant) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT ON CONSTRAINT external_identities_subject_unique DO NOTHING RETURNING ${COLUMNS}`,
      [newId(), userId, kind, connectionId, issuer, subject, isAuthority, sealedGrant ?? null],
    );
  }

  /** Returns whether the account has an identity at any provider. */
  hasAny(userId: UserId): Promise<boolean> {
    return this.database.repository(ExternalIdentityEntity).exists({ where: { userId } });
  }

  /** Returns the account of an identity. Locks nothing: the account is locked first. */
  async findOwner({ connectionId, issuer, subject }: IdentityKey): Promise<UserId | null> {
    const identity = await this.database
      .repository(ExternalIdentityEntity)
      .findOne({ where: { connectionId, issuer, subject }, select: { userId: true } });
    return identity?.userId ?? null;
  }

  /** Returns an identity with its account. Locks nothing: the account is locked first. */
  findLinked({
    connectionId,
    issuer,
    subject,
  }: Omit<IdentityKey, 'kind'>): Promise<Pick<Identity, 'id' | 'userId' | 'createdAt'> | null> {
    return this.database.repository(ExternalIdentityEntity).findOne({
      where: { connectionId, issuer, subject },
      select: { id: true, userId: true, createdAt: true },
    });
  }

  /** Returns the kinds of an account's identities, with the grants at the providers. */
  findGranted(userId: UserId): Promise<GrantedKind[]> {
    return this.database.rows<GrantedKind>(
      `SELECT ${GRANTED} FROM external_identities WHERE account_id = $1 AND sealed_grant IS NOT NULL`,
      [userId],
    );
  }

  /**
   * Records a sign-in by the identity, and whether its provider is the authority for the address.
   * @returns null if it does not belong to the account
   */
  use(
    userId: UserId,
    { connectionId, issuer, subject, sealedGrant }: IdentityKey,
    isAuthority: boolean,
  ): Promise<Identity | null> {
    return this.database.row<Identity>(
      `UPDATE external_identities SET last_used_at = now(), is_authority = $5, sealed_grant = coalesce($6, sealed_grant)
       WHERE connection_id = $1 AND issuer = $2 AND subject = $3 AND account_id = $4 RETURNING ${COLUMNS}`,
      [connectionId, issuer, subject, userId, isAuthority, sealedGrant ?? null],
    );
  }

  /** Returns accounts with an identity at a connection, in order of id. */
  async listOwnersOf(connectionId: string, after: string, limit: number): Promise<UserId[]> {
    const rows = await this.database.rows<{ userId: UserId }>(
      `SELECT DISTINCT account_id AS "userId" FROM external_identities
       WHERE connection_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3`,
      [connectionId, after, limit],
    );
    return rows.map(({ userId }) => userId);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  async listOf(userId: UserId, { limit, after }: Page): Promise<Identity[]> {
    const where = after === null ? { userId } : { userId, id: MoreThan(after) };
    const page = { select: IDENTITY, order: { id: 'ASC' }, take: limit + 1 } as const;
    return this.database.repository(ExternalIdentityEntity).find({ where, ...page });
  }

  /** Returns the account's own identities of these ids, in order of id. @param lock FOR UPDATE */
  findOwn(userId: UserId, ids: readonly string[], lock: boolean): Promise<Identity[]> {
    return this.database.rows<Identity>(
      `SELECT ${COLUMNS} FROM external_identities WHERE account_id = $1 AND id = ANY($2) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [userId, ids],
    );
  }

  /**
   * Returns up to two identities by which the account can sign in today. Issuers are equal with and
   * without a trailing slash, as in OpenID Connect Discovery.
   */
  async findTwoUsable(userId: UserId, accepted: readonly AcceptedIssuer[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT id FROM external_identities JOIN unnest($2::text[], $3::text[]) AS accepted (kind, issuer) USING (kind)
       WHERE account_id = $1 AND (accepted.issuer IS NULL OR rtrim(accepted.issuer, '/') = rtrim(external_identities.issuer, '/')) LIMIT 2`,
      [userId, accepted.map(({ kind }) => kind), accepted.map(({ issuer }) => issuer)],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns null if the account has no such identity */
  delete(userId: UserId, id: string): Promise<GrantedKind | null> {
    return this.database.row<GrantedKind>(
      `DELETE FROM external_identities WHERE account_id = $1 AND id = $2 RETURNING ${GRANTED}`,
      [userId, id],
    );
  }

  /** Removes identities whose provider did not name the account's address as its authority. */
  deleteWithoutAuthority(userId: UserId): Promise<GrantedKind[]> {
    return this.database.rows<GrantedKind>(
      `DELETE FROM external_identities WHERE account_id = $1 AND NOT is_authority RETURNING ${GRANTED}`,
      [userId],
    );
  }

  async removeAuthority(userId: UserId): Promise<void> {
    await this.database.repository(ExternalIdentityEntity).update({ userId }, { isAuthority: false });
  }

  async deleteAll(userId: UserId): Promise<void> {
    await this.database.repository(ExternalIdentityEntity).delete({ userId });
  }
}
