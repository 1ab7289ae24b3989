import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { IS_ACTIVE } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import { SetupLinkEntity } from './setup-link.entity.js';

/** A link that is accepted: neither expired nor revoked, and of an open organization. */
export interface SetupLink extends Pick<
  SetupLinkEntity,
  'id' | 'tenantId' | 'intents' | 'connectionId' | 'directoryId' | 'createdBy' | 'expiresAt'
> {
  /** Name of the organization. */
  readonly organization: string;
  /** Whether the creator is a member with access; a link gives what its creator has. */
  readonly isCreatorActive: boolean;
}

/** A link as the organization sees it. */
export interface ListedLink extends SetupLinkEntity {
  readonly isExpired: boolean;
}

type NewLink = Pick<SetupLinkEntity, 'id' | 'tokenHash' | 'intents' | 'connectionId' | 'createdBy'>;

/** Days for which a link is accepted. */
export const LIFETIME_DAYS = 7;
/** Minutes for which the time of the last use is not written again. */
const USE_PRECISION_MINUTES = 1;

const COLUMNS = columnsOf(SetupLinkEntity);
const FIND = `SELECT l.id, l.tenant_id AS "tenantId", n.name AS organization, l.intents, l.connection_id AS "connectionId",
    l.directory_id AS "directoryId", l.created_by AS "createdBy", l.expires_at AS "expiresAt",
    EXISTS (SELECT FROM members m JOIN accounts a ON a.id = m.user_id
      WHERE m.tenant_id = l.tenant_id AND m.user_id = l.created_by AND ${IS_ACTIVE} AND a.suspended_at IS NULL) AS "isCreatorActive"
  FROM setup_links l JOIN tenants n ON n.id = l.tenant_id`;
const IS_ACCEPTED = `l.revoked_at IS NULL AND l.expires_at > now() AND n.archived_at IS NULL AND n.deletion_started_at IS NULL`;
/** Reads no cache, so that a revoked link is refused by each replica at once. */
const FIND_BY_HASH = prepared(`${FIND} WHERE l.token_hash = ANY($1) AND ${IS_ACCEPTED}`);

/** Links by which an administrator of a provider sets up a connection or directory. */
@Injectable()
export class SetupLinkRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(
    ids: readonly string[],
    context: RowContext,
  ): Promise<ReadonlyMap<string, { readonly id: string }>> {
    const sql = 'SELECT id FROM setup_links WHERE tenant_id = $1 AND id = ANY($2)';
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** @returns the time at which it expires */
  async insert(
    tenantId: TenantId,
    { id, tokenHash, intents, connectionId, createdBy }: NewLink,
  ): Promise<Date> {
    const row = await this.tenants.row<{ expiresAt: Date }>(
      tenantId,
      `INSERT INTO setup_links (tenant_id, id, token_hash, intents, connection_id, created_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => ${LIFETIME_DAYS})) RETURNING expires_at AS "expiresAt"`,
      [id, tokenHash, intents, connectionId, createdBy],
    );
    if (!row) throw new Error('The set-up link was not created.');
    return row.expiresAt;
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<ListedLink[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS}, expires_at <= now() AS "isExpired" FROM setup_links
       WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  /** Counts the links that are neither expired nor revoked, and waits for who adds one. */
  async countActiveForUpdate(tenantId: TenantId, max: number): Promise<number> {
    await this.database.lockNameForUpdate(`setup-links ${tenantId}`);
    return this.tenants.countUpTo(max, tenantId, 'setup_links', 'revoked_at IS NULL AND expires_at > now()');
  }

  /** Finds the accepted link with one of these hashes, which are of one token. */
  findByHash(hashes: readonly Buffer[]): Promise<SetupLink | null> {
    return this.database.row(FIND_BY_HASH, [hashes]);
  }

  /** Finds an accepted link, and locks it against revocation and other commands by it. */
  findForUpdate(tenantId: TenantId, id: string): Promise<SetupLink | null> {
    return this.tenants.row(
      tenantId,
      `${FIND} WHERE l.tenant_id = $1 AND l.id = $2 AND ${IS_ACCEPTED} FOR UPDATE OF l`,
      [id],
    );
  }

  /** Finds who created a link that was not revoked; it may have expired. */
  async findCreator(tenantId: TenantId, id: string): Promise<UserId | null> {
    const where = { id, revokedAt: IsNull() };
    return (await this.tenants.of(SetupLinkEntity).findOne(tenantId, { where }))?.createdBy ?? null;
  }

  async noteUse(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE setup_links SET last_used_at = now() WHERE tenant_id = $1 AND id = $2
         AND (last_used_at IS NULL OR last_used_at < now() - interval '${USE_PRECISION_MINUTES} minute')`,
      [id],
    );
  }

  /** Binds a link to the connection or the directory that it has created. */
  async bind(
    tenantId: TenantId,
    id: string,
    to: { readonly connectionId: string } | { readonly directoryId: string },
  ): Promise<void> {
    await this.tenants.of(SetupLinkEntity).update(tenantId, { id }, to);
  }

  /** Revokes the active links that a person has created in organizations. */
  revokeOf(
    tenantIds: readonly TenantId[],
    createdBy: UserId,
  ): Promise<{ readonly tenantId: TenantId; readonly id: string }[]> {
    return this.tenants.rowsOfEach(
      tenantIds,
      `UPDATE setup_links l SET revoked_at = now() FROM unnest($1::text[]) asked (tenant_id)
       WHERE l.tenant_id = asked.tenant_id AND l.created_by = $2 AND l.revoked_at IS NULL AND l.expires_at > now()
       RETURNING l.tenant_id AS "tenantId", l.id`,
      [createdBy],
    );
  }

  /** @returns false if it is revoked already */
  async revoke(tenantId: TenantId, id: string): Promise<boolean> {
    const where = { id, revokedAt: IsNull() };
    return (await this.tenants.of(SetupLinkEntity).update(tenantId, where, { revokedAt: () => 'now()' })) > 0;
  }
}
