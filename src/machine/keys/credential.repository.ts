import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, NamedInTrail, type NamedThing, PersonalData } from '../../iam/index.js';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import {
  CredentialEntity,
  type CredentialKind,
  EndedKeyEntity,
  type KeyEndReason,
} from './credential.entity.js';

export type Credential = CredentialEntity;

/** Whose credentials are meant. */
export type Owner = Pick<Credential, 'tenantId' | 'ownerKind' | 'ownerId'>;

/** Returns a service account as an owner. */
export const ownedByAccount = (tenantId: TenantId, ownerId: string): Owner => ({
  tenantId,
  ownerKind: 'service-account',
  ownerId,
});

/** An ended credential: caches and events need to know of it. */
export type EndedCredential = Pick<Credential, 'id' | 'tenantId' | 'ownerId' | 'lookup'>;

/** An ended key of a service account, with the name or address of who ended it. */
export interface EndedKey extends EndedKeyEntity {
  readonly endedByName: string | null;
}

/** Who ends a credential, and why. */
export interface CredentialEnd {
  /** Person or service account of the organization; null for an operator or a report. */
  readonly by: string | null;
  readonly reason: KeyEndReason;
}

type NewCredential = Omit<Credential, 'createdAt' | 'lastUsedAt' | Optional> &
  Partial<Pick<Credential, Optional>>;
type Optional = 'publicKey' | 'jwksUri' | 'acr' | 'sessionId' | 'voucher';

/** A use of a credential, to be noted. */
export type Use = Omit<Owner, 'ownerKind'> & { readonly id: string };

const COLUMNS = columnsOf(CredentialEntity);
const ENDED = 'id, tenant_id AS "tenantId", owner_id AS "ownerId", lookup';

/** API keys and client secrets, as hashes. */
@Injectable()
export class CredentialRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads keys of service accounts as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadKeysByIds(
    ids: readonly string[],
    context: RowContext,
  ): Promise<ReadonlyMap<string, { readonly id: string }>> {
    const sql =
      "SELECT id FROM machine_credentials WHERE tenant_id = $1 AND id = ANY($2) AND owner_kind = 'service-account'";
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(
    { tenantId, ownerKind, ownerId }: Owner,
    kinds: readonly CredentialKind[],
    { limit, after }: Page,
  ): Promise<Credential[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM machine_credentials
       WHERE tenant_id = $1 AND owner_id = $2 AND owner_kind = $3 AND kind = ANY($4) AND id > $5 ORDER BY id LIMIT $6`,
      [ownerId, ownerKind, kinds, after ?? '', limit + 1],
    );
  }

  /** Returns a page of a person's keys in all tenants. */
  listOfPerson(userId: UserId, { limit, after }: Page): Promise<Credential[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person' AND id > $2 ORDER BY id LIMIT $3`,
      [userId, after ?? '', limit + 1],
    );
  }

  /** Counts the credentials of an owner that have not expired. */
  async countLive({ tenantId, ownerId }: Owner, kinds: readonly CredentialKind[]): Promise<number> {
    const row = await this.tenants.row<{ count: number }>(
      tenantId,
      `SELECT count(*)::int AS count FROM machine_credentials
       WHERE tenant_id = $1 AND owner_id = $2 AND kind = ANY($3) AND (expires_at IS NULL OR expires_at > now())`,
      [ownerId, kinds],
    );
    return row?.count ?? 0;
  }

  /** Returns keys by their public parts: a key names neither tenant nor owner. */
  findByLookup(lookups: readonly string[]): Promise<Credential[]> {
    return this.database.rows(
      prepared(
        `SELECT ${COLUMNS} FROM unnest($1::text[]) asked (lookup) JOIN machine_credentials USING (lookup)`,
      ),
      [lookups],
    );
  }

  /** Returns the credentials of clients: a client id is that of its account alone. */
  listOfClients(accountIds: readonly string[]): Promise<Credential[]> {
    return this.database.rows(
      prepared(`SELECT ${columnsOf(CredentialEntity, 'c')} FROM unnest($1::text[]) asked (id)
         JOIN service_accounts s ON s.id = asked.id
         JOIN machine_credentials c ON c.tenant_id = s.tenant_id AND c.owner_id = s.id
       WHERE c.kind <> 'key' ORDER BY c.id`),
      [accountIds],
    );
  }

  async insert({ tenantId, ...credential }: NewCredential): Promise<Credential> {
    await this.tenants.of(CredentialEntity).insert(tenantId, credential as never);
    const where = { ownerId: credential.ownerId, id: credential.id };
    const row = await this.tenants.of(CredentialEntity).findOne(tenantId, { where });
    if (!row) throw new Error('The credential was not created.');
    return row;
  }

  /**
   * Ends a credential. The keys of service accounts are listed afterwards: {@link listEnded}.
   * @returns null for an unknown credential
   */
  async end(
    { tenantId, ownerId }: Owner,
    id: string,
    kinds: readonly CredentialKind[],
    { by, reason }: CredentialEnd,
  ): Promise<EndedCredential | null> {
    return this.tenants.row(
      tenantId,
      `WITH ended AS (
         DELETE FROM machine_credentials WHERE tenant_id = $1 AND owner_id = $2 AND id = $3 AND kind = ANY($4) RETURNING *),
       history AS (
         INSERT INTO ended_keys (tenant_id, account_id, id, lookup, name, networks, created_at, last_used_at, ended_by, reason)
         SELECT tenant_id, owner_id, id, lookup, name, networks, created_at, last_used_at, $5, $6
         FROM ended WHERE kind = 'key' AND owner_kind = 'service-account')
       SELECT ${ENDED} FROM ended`,
      [ownerId, id, kinds, by, reason],
    );
  }

  /** Returns a page of the ended keys of a service account, the newest key first. */
  listEnded(tenantId: TenantId, accountId: string, { limit, after }: Page): Promise<EndedKey[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${columnsOf(EndedKeyEntity, 'k')}, coalesce(person_name(a.first_name, a.last_name, a.display_name), a.email, s.name) AS "endedByName"
       FROM ended_keys k LEFT JOIN accounts a ON a.id = k.ended_by AND a.erased_at IS NULL
         LEFT JOIN service_accounts s ON s.tenant_id = k.tenant_id AND s.id = k.ended_by
       WHERE k.tenant_id = $1 AND k.account_id = $2 AND ($3::text IS NULL OR k.id < $3) ORDER BY k.id DESC LIMIT $4`,
      [accountId, after ?? null, limit + 1],
    );
  }

  /** Ends all credentials of a service account. */
  endAllOf({ tenantId, ownerId }: Omit<Owner, 'ownerKind'>): Promise<EndedCredential[]> {
    return this.tenants.rows(
      tenantId,
      `DELETE FROM machine_credentials WHERE tenant_id = $1 AND owner_id = $2 RETURNING ${ENDED}`,
      [ownerId],
    );
  }

  /**
   * Ends the keys of a person.
   * @param tenantIds in these tenants only; null for all
   */
  endOfPerson(userId: string, tenantIds: readonly TenantId[] | null): Promise<EndedCredential[]> {
    return this.database.rows(
      `DELETE FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person'
         AND ($2::text[] IS NULL OR tenant_id = ANY($2)) RETURNING ${ENDED}`,
      [userId, tenantIds],
    );
  }

  /** Ends the keys that a person has made since a time. */
  endOfPersonSince(userId: UserId, since: Date): Promise<EndedCredential[]> {
    return this.database.rows(
      `DELETE FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person' AND created_at >= $2 RETURNING ${ENDED}`,
      [userId, since],
    );
  }

  /** Ends the keys that a session of a person has made. */
  endOfSession(userId: UserId, sessionId: SessionId): Promise<EndedCredential[]> {
    return this.database.rows(
      `DELETE FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person' AND session_id = $2 RETURNING ${ENDED}`,
      [userId, sessionId],
    );
  }

  /** Ends the keys that members have in a tenant. */
  endPersonalOf(tenantId: TenantId): Promise<EndedCredential[]> {
    return this.tenants.rows(
      tenantId,
      `DELETE FROM machine_credentials WHERE tenant_id = $1 AND owner_kind = 'person' RETURNING ${ENDED}`,
    );
  }

  /** Ends the personal keys of a person in one tenant, by id. */
  async endOwn(userId: UserId, id: string): Promise<EndedCredential | null> {
    return this.database.row(
      `DELETE FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person' AND id = $2 RETURNING ${ENDED}`,
      [userId, id],
    );
  }

  /**
   * Notes uses, those of a minute once; those of an account once an hour. Skips rows that another
   * replica is writing.
   */
  async noteUses(uses: readonly Use[]): Promise<void> {
    const of = (name: keyof Use) => uses.map((use) => use[name]);
    await this.database.rows(
      `WITH due AS (
         SELECT c.tenant_id, c.owner_id, c.id FROM unnest($1::text[], $2::text[], $3::text[]) asked (tenant_id, owner_id, id)
           JOIN machine_credentials c USING (tenant_id, owner_id, id)
         WHERE c.last_used_at IS NULL OR c.last_used_at < now() - interval '1 minute' FOR UPDATE OF c SKIP LOCKED)
       UPDATE machine_credentials c SET last_used_at = now() FROM due
       WHERE c.tenant_id = due.tenant_id AND c.owner_id = due.owner_id AND c.id = due.id`,
      [of('tenantId'), of('ownerId'), of('id')],
    );
    await this.database.rows(
      `WITH due AS (
         SELECT s.tenant_id, s.id FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) asked (tenant_id, id)
           JOIN service_accounts s USING (tenant_id, id)
         WHERE s.last_used_at IS NULL OR s.last_used_at < now() - interval '1 hour' FOR UPDATE OF s SKIP LOCKED)
       UPDATE service_accounts s SET last_used_at = now() FROM due WHERE s.tenant_id = due.tenant_id AND s.id = due.id`,
      [of('tenantId'), of('ownerId')],
    );
  }

  /** Takes keys whose expiry is to be announced: each once. */
  takeExpiring(limit: number): Promise<Credential[]> {
    return this.database.rows(
      `UPDATE machine_credentials SET warn_at = NULL WHERE (tenant_id, owner_id, id) IN (
         SELECT tenant_id, owner_id, id FROM machine_credentials WHERE warn_at <= now() ORDER BY warn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [limit],
    );
  }

  @PersonalData({
    part: 'keys',
    description: 'Your API keys, without their secrets.',
    fields: {
      tenantId: 'The organization in which it acts.',
      name: 'The name that you gave it.',
      networks: 'Networks from which it is accepted.',
      createdAt: 'When you created it.',
      lastUsedAt: 'When it was last used.',
      expiresAt: 'When it expires.',
    },
    tables: ['machine_credentials'],
  })
  listPersonalData(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT tenant_id AS "tenantId", name, networks, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
       FROM machine_credentials WHERE owner_id = $1 AND owner_kind = 'person' ORDER BY tenant_id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  /** Returns the names of keys of service accounts. */
  @NamedInTrail({ collection: 'iam/api-keys', scope: 'iam:service-account:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const isOfAccount = "a.owner_kind = 'service-account'";
    return this.tenants.listNames('machine_credentials', tenantIds, ids, 'a.name', isOfAccount);
  }
}
