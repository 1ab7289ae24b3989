import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  prepared,
  type Selected,
  textArray,
  TurnBatch,
} from '../../platform/database/index.js';
import { newId, type SessionId, type TenantId, type UserId } from '../../kernel/index.js';
import { ExportedWithPeople, MAX_EXPORTED, PersonalData, type PersonName } from '../../iam/index.js';
import type { Page } from '../../platform/api/index.js';
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

/** An identity, with the organization whose connection it is of; null without one. */
export interface ListedIdentity extends Identity {
  readonly organization: { readonly id: TenantId; readonly name: string } | null;
}

/** What is noted of a use of an identity. */
export interface IdentityUse extends Pick<ExternalIdentityEntity, 'isAuthority' | 'usedAsMember'> {
  /** Name that the connection of an account that it made sent; null or left out for no change. */
  readonly followed?: PersonName | null;
}

/** An identity as a sign-in finds it. */
export interface KnownIdentity extends Pick<
  ExternalIdentityEntity,
  'id' | 'userId' | 'createdAt' | 'usedAsMember'
> {
  /** Name that the connection sent last; null if the account's name does not follow it. */
  readonly followed: PersonName | null;
}

/** Key of an identity; the kind follows from the connection. */
export interface IdentityKey extends Pick<
  ExternalIdentityEntity,
  'connectionId' | 'kind' | 'issuer' | 'subject'
> {
  /** Refresh token of the provider, sealed; left out if it gave none. */
  readonly sealedGrant?: string;
  /** Session that links it; left out for a sign-in. */
  readonly sessionId?: SessionId;
}

/** Kind of an identity that is removed, with the grant at the provider, sealed. */
export type GrantedKind = Pick<ExternalIdentityEntity, 'kind' | 'sealedGrant'>;

const FOLLOWED = { followedName: true, followedLastName: true, followedDisplayName: true } as const;

/** Returns the columns of {@link FOLLOWED}: an empty first name for a followed name without one. */
const followedColumns = (name: PersonName | null): (string | null)[] =>
  name === null ? [null, null, null] : [name.firstName ?? '', name.lastName, name.displayName];

const COLUMNS = columnsOf(ExternalIdentityEntity, '', IDENTITY);
const LISTED = columnsOf(ExternalIdentityEntity, 'i', IDENTITY);
const GRANTED = columnsOf(ExternalIdentityEntity, '', { kind: true, sealedGrant: true });

/** Finds the accounts of several identities. */
const OWNERS = prepared(`SELECT (place - 1)::int AS index, i.account_id AS "userId"
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (connection_id, issuer, subject, place)
    JOIN external_identities i ON i.connection_id = asked.connection_id AND i.issuer = asked.issuer AND i.subject = asked.subject`);

/** External identities that are linked to accounts. */
@Injectable()
export class IdentityRepository {
  private readonly owners = new TurnBatch<Omit<IdentityKey, 'kind'>, { readonly userId: UserId | null }>(
    async (asked) => {
      const owners = asked.map(() => ({ userId: null as UserId | null }));
      const rows = await this.database.rows<{ index: number; userId: UserId }>(OWNERS, [
        textArray(asked.map(({ connectionId }) => connectionId)),
        textArray(asked.map(({ issuer }) => issuer)),
        textArray(asked.map(({ subject }) => subject)),
      ]);
      for (const { index, userId } of rows) owners[index] = { userId };
      return owners;
    },
  );

  constructor(private readonly database: Database) {}

  /**
   * Returns the account of an identity, together with others that are asked for in this turn of the
   * event loop. Not for a transaction.
   */
  async findOwnerOf(key: Omit<IdentityKey, 'kind'>): Promise<UserId | null> {
    return (await this.owners.ask(key))?.userId ?? null;
  }

  /** @returns null if the identity belongs to an account already */
  insert(
    userId: UserId,
    { kind, connectionId, issuer, subject, sealedGrant, sessionId }: IdentityKey,
    { isAuthority, usedAsMember, followed = null }: IdentityUse,
  ): Promise<Identity | null> {
    return this.database.row<Identity>(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject, is_authority, used_as_member, sealed_grant, session_id, followed_name, followed_last_name, followed_display_name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT ON CONSTRAINT external_identities_subject_unique DO NOTHING RETURNING ${COLUMNS}`,
      [
        newId(),
        userId,
        kind,
        connectionId,
        issuer,
        subject,
        isAuthority,
        usedAsMember,
        sealedGrant ?? null,
        sessionId ?? null,
        ...followedColumns(followed),
      ],
    );
  }

  /** Returns the ids of the identities that a session has linked. */
  async listLinkedIn(userId: UserId, sessionId: SessionId): Promise<string[]> {
    const identities = await this.database
      .repository(ExternalIdentityEntity)
      .find({ where: { userId, sessionId }, select: { id: true } });
    return identities.map(({ id }) => id);
  }

  /** Returns which people have no identity at an active connection of the organization. */
  async findUnlinked(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    const found = await this.database.values<UserId>(
      `SELECT m.user_id AS "userId" FROM unnest($2::text[]) AS m (user_id) WHERE NOT EXISTS (
         SELECT FROM external_identities i JOIN connections c ON c.tenant_id = $1 AND c.id = i.connection_id
         WHERE i.account_id = m.user_id AND c.status = 'active')`,
      [tenantId, userIds],
    );
    return new Set(found);
  }

  /**
   * Returns whether the account has an identity that is not of a connection of the organization.
   * One of a deleted connection opens nothing, and does not count.
   */
  async hasOutside(userId: UserId, tenantId: TenantId): Promise<boolean> {
    const row = await this.database.row(
      `SELECT 1 FROM external_identities i LEFT JOIN connections c ON c.id = i.connection_id
       WHERE i.account_id = $1 AND (c.tenant_id <> $2 OR i.connection_id LIKE 'env:%') LIMIT 1`,
      [userId, tenantId],
    );
    return row !== null;
  }

  /** Returns an identity with its account. Locks nothing: the account is locked first. */
  async findOwner({
    connectionId,
    issuer,
    subject,
  }: Omit<IdentityKey, 'kind'>): Promise<KnownIdentity | null> {
    const row = await this.database.repository(ExternalIdentityEntity).findOne({
      where: { connectionId, issuer, subject },
      select: { id: true, userId: true, createdAt: true, usedAsMember: true, ...FOLLOWED },
    });
    if (!row) return null;
    const { followedName, followedLastName, followedDisplayName, ...identity } = row;
    const followed =
      followedName === null
        ? null
        : {
            firstName: followedName || null,
            lastName: followedLastName,
            displayName: followedDisplayName,
          };
    return { ...identity, followed };
  }

  /** Returns the kinds of an account's identities, with the grants at the providers. */
  findGranted(userId: UserId): Promise<GrantedKind[]> {
    return this.database.rows<GrantedKind>(
      `SELECT ${GRANTED} FROM external_identities WHERE account_id = $1 AND sealed_grant IS NOT NULL`,
      [userId],
    );
  }

  /** Records a sign-in by the identity. @returns null if it does not belong to the account */
  use(
    userId: UserId,
    { connectionId, issuer, subject, sealedGrant }: IdentityKey,
    { isAuthority, usedAsMember, followed = null }: IdentityUse,
  ): Promise<Identity | null> {
    return this.database.row<Identity>(
      `UPDATE external_identities SET last_used_at = now(), is_authority = $5, used_as_member = $6, sealed_grant = coalesce($7, sealed_grant), followed_name = coalesce($8, followed_name),
         followed_last_name = CASE WHEN $8 IS NULL THEN followed_last_name ELSE $9 END,
         followed_display_name = CASE WHEN $8 IS NULL THEN followed_display_name ELSE $10 END
       WHERE connection_id = $1 AND issuer = $2 AND subject = $3 AND account_id = $4 RETURNING ${COLUMNS}`,
      [
        connectionId,
        issuer,
        subject,
        userId,
        isAuthority,
        usedAsMember,
        sealedGrant ?? null,
        ...followedColumns(followed),
      ],
    );
  }

  /** Returns accounts with an identity at a connection, in order of id. */
  listOwnersOf(connectionId: string, after: string, limit: number): Promise<UserId[]> {
    return this.database.values<UserId>(
      `SELECT DISTINCT account_id AS "userId" FROM external_identities
       WHERE connection_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3`,
      [connectionId, after, limit],
    );
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  listOf(userId: UserId, { limit, after }: Page): Promise<ListedIdentity[]> {
    return this.database.rows<ListedIdentity>(
      `SELECT ${LISTED}, CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS organization
       FROM external_identities i LEFT JOIN connections c ON c.id = i.connection_id LEFT JOIN tenants t ON t.id = c.tenant_id
       WHERE i.account_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3`,
      [userId, after ?? '', limit + 1],
    );
  }

  /** Returns the account's own identities of these ids, in order of id. @param lock FOR UPDATE */
  findOwn(userId: UserId, ids: readonly string[], lock: boolean): Promise<Identity[]> {
    return this.database.rows<Identity>(
      `SELECT ${COLUMNS} FROM external_identities WHERE account_id = $1 AND id = ANY($2) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [userId, ids],
    );
  }

  /**
   * Returns up to two identities by which the account can sign in today: of an active connection,
   * or of a provider of the environment. Issuers are equal with and without a trailing slash, as in
   * OpenID Connect Discovery.
   */
  findTwoUsable(userId: UserId, accepted: readonly AcceptedIssuer[]): Promise<string[]> {
    return this.database.values<string>(
      `SELECT i.id FROM external_identities i LEFT JOIN connections c ON c.id = i.connection_id
       WHERE i.account_id = $1 AND (c.status = 'active' OR EXISTS (
         SELECT 1 FROM unnest($2::text[], $3::text[]) AS accepted (kind, issuer)
         WHERE i.connection_id = 'env:' || accepted.kind
           AND (accepted.issuer IS NULL OR rtrim(accepted.issuer, '/') = rtrim(i.issuer, '/')))) LIMIT 2`,
      [userId, accepted.map(({ kind }) => kind), accepted.map(({ issuer }) => issuer)],
    );
  }

  /** @returns null if the account has no such identity */
  delete(userId: UserId, id: string): Promise<GrantedKind | null> {
    return this.database.row<GrantedKind>(
      `DELETE FROM external_identities WHERE account_id = $1 AND id = $2 RETURNING ${GRANTED}`,
      [userId, id],
    );
  }

  /**
   * Removes identities whose provider is not the authority for the account's address now, or did
   * not name it at the last use. A connection is one for the verified domains assigned to it.
   * @param authorities `env:<kind>` of each provider of the environment that is one for the domain
   */
  deleteWithoutAuthority(
    userId: UserId,
    domain: string | null,
    authorities: readonly string[],
  ): Promise<GrantedKind[]> {
    return this.database.rows<GrantedKind>(
      `DELETE FROM external_identities i WHERE account_id = $1 AND NOT (is_authority AND (connection_id = ANY($3) OR EXISTS (
         SELECT 1 FROM connections c
           JOIN connection_domains a ON a.tenant_id = c.tenant_id AND a.connection_id = c.id
           JOIN tenant_domains d ON d.tenant_id = a.tenant_id AND d.id = a.domain_id
         WHERE c.id = i.connection_id AND d.domain = $2 AND d.status = 'verified'))) RETURNING ${GRANTED}`,
      [userId, domain, authorities],
    );
  }

  /**
   * Removes identities of an account at connections of organizations. Skips those of a concurrent
   * sign-in, which may wait for the lock of the tenant: `usedAsMember` refuses the next one.
   * @returns how many
   */
  async deleteOfTenants(userId: UserId, tenantIds: readonly TenantId[]): Promise<number> {
    const removed = await this.database.rows(
      `DELETE FROM external_identities WHERE id IN (
         SELECT i.id FROM external_identities i JOIN connections c ON c.id = i.connection_id
         WHERE i.account_id = $1 AND c.tenant_id = ANY($2) FOR UPDATE OF i SKIP LOCKED) RETURNING 1`,
      [userId, tenantIds],
    );
    return removed.length;
  }

  /** Removes identities of an account at a connection, whose address another subject has now. */
  async deleteOfConnection(userId: UserId, connectionId: string): Promise<void> {
    await this.database.repository(ExternalIdentityEntity).delete({ userId, connectionId });
  }

  async removeAuthority(userId: UserId): Promise<void> {
    await this.database.repository(ExternalIdentityEntity).update({ userId }, { isAuthority: false });
  }

  async deleteAll(userId: UserId): Promise<void> {
    await this.database.repository(ExternalIdentityEntity).delete({ userId });
  }

  @PersonalData({
    part: 'identities',
    description: 'Your identities with external providers, by which you can sign in.',
    fields: {
      kind: 'The kind of the provider.',
      issuer: 'The provider.',
      subject: 'Your number with the provider.',
      createdAt: 'When it was linked.',
      lastUsedAt: 'When you last signed in with it.',
    },
    tables: ['external_identities'],
  })
  listPersonalData(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT kind, issuer, subject, created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM external_identities WHERE account_id = $1 ORDER BY id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  /** Returns the identities of people, with the fields of the import. */
  @ExportedWithPeople('identities')
  async readExported(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, unknown>> {
    const rows = await this.database.rows<{ userId: UserId; identities: object[] }>(
      `SELECT account_id AS "userId", json_agg(json_build_object('kind', kind, 'connectionId', connection_id, 'issuer', issuer, 'subject', subject) ORDER BY id) AS identities
       FROM external_identities WHERE account_id = ANY($1) GROUP BY account_id`,
      [userIds],
    );
    return new Map(rows.map(({ userId, identities }) => [userId, identities]));
  }
}
