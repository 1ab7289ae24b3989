import { Injectable } from '@nestjs/common';
import { ActsInTrail, type NamedThing, NamedInTrail } from '../../iam/index.js';
import type { OperatorRole, TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { columnsOf, Database, prepared } from '../../platform/database/index.js';
import type { ServiceAccountStatus } from '../accounts/service-account.entity.js';
import { PlatformAccountEntity, PlatformKeyEntity } from './platform-account.entity.js';

export type PlatformAccount = PlatformAccountEntity;
export type PlatformKey = PlatformKeyEntity;

const ACCOUNT = columnsOf(PlatformAccountEntity);
const KEY = columnsOf(PlatformKeyEntity);

/** Service accounts of the platform, and their keys. */
@Injectable()
export class PlatformAccountRepository {
  constructor(private readonly database: Database) {}

  /** Returns a page in order of id, and one row more if there is a next page. */
  list({ limit, after }: Page): Promise<PlatformAccount[]> {
    return this.database.rows(`SELECT ${ACCOUNT} FROM platform_accounts WHERE id > $1 ORDER BY id LIMIT $2`, [
      after ?? '',
      limit + 1,
    ]);
  }

  find(id: string): Promise<PlatformAccount | null> {
    return this.database.row(`SELECT ${ACCOUNT} FROM platform_accounts WHERE id = $1`, [id]);
  }

  /** Locks an account until the transaction ends. */
  findForUpdate(id: string): Promise<PlatformAccount | null> {
    return this.database.row(`SELECT ${ACCOUNT} FROM platform_accounts WHERE id = $1 FOR UPDATE`, [id]);
  }

  /** Keeps an account as it is until the transaction ends. */
  findForShare(id: string): Promise<PlatformAccount | null> {
    return this.database.row(prepared(`SELECT ${ACCOUNT} FROM platform_accounts WHERE id = $1 FOR SHARE`), [
      id,
    ]);
  }

  findByIds(ids: readonly string[]): Promise<PlatformAccount[]> {
    return this.database.rows(prepared(`SELECT ${ACCOUNT} FROM platform_accounts WHERE id = ANY($1)`), [ids]);
  }

  /** Names them in audit trails, where they act as operators do. */
  @NamedInTrail({ collection: 'platform/service-accounts', scope: 'platform:person:read' })
  @ActsInTrail('service-account')
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const sql =
      prepared(`SELECT asked.tenant_id AS "tenantId", a.id, a.name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
       JOIN platform_accounts a ON a.id = asked.id`);
    return this.database.rows(sql, [tenantIds, ids]);
  }

  async insert(id: UserId, name: string, role: OperatorRole): Promise<void> {
    await this.database.repository(PlatformAccountEntity).insert({ id, name, role });
  }

  async setStatus(id: UserId, status: ServiceAccountStatus): Promise<void> {
    await this.database.repository(PlatformAccountEntity).update({ id }, { status });
  }

  /** Deletes an account with its keys. @returns the public parts of the keys */
  async delete(id: UserId): Promise<string[]> {
    const keys = await this.database.rows<{ lookup: string }>(
      'DELETE FROM platform_keys WHERE account_id = $1 RETURNING lookup',
      [id],
    );
    await this.database.repository(PlatformAccountEntity).delete({ id });
    return keys.map(({ lookup }) => lookup);
  }

  /** Returns a page of keys in order of id, and one row more if there is a next page. */
  listKeys(accountId: string, { limit, after }: Page): Promise<PlatformKey[]> {
    return this.database.rows(
      `SELECT ${KEY} FROM platform_keys WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [accountId, after ?? '', limit + 1],
    );
  }

  findKeysByLookup(lookups: readonly string[]): Promise<PlatformKey[]> {
    return this.database.rows(prepared(`SELECT ${KEY} FROM platform_keys WHERE lookup = ANY($1)`), [lookups]);
  }

  /** Counts the keys of an account that have not expired. */
  async countLiveKeys(accountId: UserId): Promise<number> {
    const row = await this.database.getRow<{ count: number }>(
      'SELECT count(*)::int AS count FROM platform_keys WHERE account_id = $1 AND expires_at > now()',
      [accountId],
    );
    return row.count;
  }

  async insertKey(key: Omit<PlatformKey, 'createdAt' | 'lastUsedAt'>): Promise<void> {
    await this.database.repository(PlatformKeyEntity).insert(key);
  }

  /** @returns the key; null for one of another account */
  endKey(accountId: UserId, id: string): Promise<PlatformKey | null> {
    return this.database.row(`DELETE FROM platform_keys WHERE account_id = $1 AND id = $2 RETURNING ${KEY}`, [
      accountId,
      id,
    ]);
  }

  /** Takes keys whose expiry is to be announced: each once. */
  takeExpiring(limit: number): Promise<PlatformKey[]> {
    return this.database.rows(
      `UPDATE platform_keys SET warn_at = NULL WHERE id IN (
         SELECT id FROM platform_keys WHERE warn_at <= now() ORDER BY warn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${KEY}`,
      [limit],
    );
  }

  /** Notes uses of keys, those of a minute once. Skips rows that another replica is writing. */
  async noteUses(ids: readonly string[]): Promise<void> {
    await this.database.rows(
      `WITH due AS (
         SELECT id FROM platform_keys WHERE id = ANY($1)
           AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute') FOR UPDATE SKIP LOCKED)
       UPDATE platform_keys k SET last_used_at = now() FROM due WHERE k.id = due.id`,
      [ids],
    );
  }
}
