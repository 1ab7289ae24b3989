import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type Selected,
  TenantDatabase,
} from '../../platform/database/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { rolesOfRules } from './directory.repository.js';
import { DirectoryTokenEntity } from './token.entity.js';

/** Time before the end of a token at which its organization is told. */
const WARNING = '7 days';
/** Minutes for which the time of the last use is not written again. */
const USE_PRECISION_MINUTES = 1;

const SHOWN = {
  id: true,
  name: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  stoppedAt: true,
} as const;

/** A token as its owners see it. */
export type DirectoryToken = Selected<DirectoryTokenEntity, typeof SHOWN>;

/** A token of a directory. */
interface TokenScope extends DirectoryScope {
  readonly tokenId: string;
  readonly isArchived: boolean;
}

/** A presented token, with what decides whether it works. */
export interface VerifiedToken extends TokenScope {
  /** Null for a token of an earlier release. */
  readonly createdBy: UserId | null;
  /** Whether the account of the creator exists and is not suspended. */
  readonly isCreatorActive: boolean;
  /** Roles that the rules of the directory give. */
  readonly roleIds: readonly string[];
  /** Whether it was refused at its last call because of its creator. */
  readonly isStopped: boolean;
}

/** A token as it is stored. */
export interface FoundToken extends VerifiedToken {
  readonly secretHash: Buffer;
  /** Whether the time of the last use is to be written. */
  readonly isUseDue: boolean;
}

/** Whether the last use of a token is not known well enough. */
const USE_DUE = (token: string): string =>
  `(${token}last_used_at IS NULL OR ${token}last_used_at < now() - interval '${USE_PRECISION_MINUTES} minute')`;

const LISTED = columnsOf(DirectoryTokenEntity, '', SHOWN);
/** Reads no cache, so that a revoked token is refused by each replica at once. */
const FIND =
  prepared(`SELECT t.tenant_id AS "tenantId", t.directory_id AS "directoryId", t.id AS "tokenId", t.secret_hash AS "secretHash", n.archived_at IS NOT NULL AS "isArchived", ${USE_DUE('t.')} AS "isUseDue",
    t.created_by AS "createdBy", t.stopped_at IS NOT NULL AS "isStopped", ${rolesOfRules('d')} AS "roleIds",
    EXISTS (SELECT FROM accounts a WHERE a.id = t.created_by AND a.suspended_at IS NULL) AS "isCreatorActive"
  FROM directory_tokens t JOIN directories d ON d.tenant_id = t.tenant_id AND d.id = t.directory_id JOIN tenants n ON n.id = t.tenant_id
  WHERE t.id = $1 AND d.status = 'active' AND (t.expires_at IS NULL OR t.expires_at > now())`);

/** Bearer tokens by which directories call SCIM. */
@Injectable()
export class DirectoryTokenRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  async insert(
    tenantId: TenantId,
    directoryId: string,
    token: Pick<DirectoryTokenEntity, 'id' | 'secretHash' | 'name' | 'expiresAt' | 'createdBy'>,
  ): Promise<DirectoryToken> {
    const { id, secretHash, name, expiresAt, createdBy } = token;
    const created = await this.tenants.row<DirectoryToken>(
      tenantId,
      `INSERT INTO directory_tokens (tenant_id, directory_id, id, name, secret_hash, expires_at, warn_at, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $6 > now() + interval '${WARNING}' THEN $6 - interval '${WARNING}' END, $7) RETURNING ${LISTED}`,
      [directoryId, id, name, secretHash, expiresAt, createdBy],
    );
    if (!created) throw new Error('The token was not created.');
    return created;
  }

  /** Lists the tokens of a directory, the oldest first. */
  list(tenantId: TenantId, directoryId: string): Promise<DirectoryToken[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${LISTED} FROM directory_tokens WHERE tenant_id = $1 AND directory_id = $2 ORDER BY created_at, id`,
      [directoryId],
    );
  }

  /** Lists the tokens of a directory that have not expired, with who created them. */
  listMade(
    tenantId: TenantId,
    directoryId: string,
  ): Promise<Pick<DirectoryTokenEntity, 'name' | 'createdBy'>[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT name, created_by AS "createdBy" FROM directory_tokens
       WHERE tenant_id = $1 AND directory_id = $2 AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at, id`,
      [directoryId],
    );
  }

  /** @returns false if there is no such token */
  async delete(tenantId: TenantId, directoryId: string, id: string): Promise<boolean> {
    return (await this.tenants.of(DirectoryTokenEntity).delete(tenantId, { directoryId, id })) > 0;
  }

  /** Finds a token that was found in public, also of a disabled directory. */
  findLeaked(
    id: string,
  ): Promise<(DirectoryScope & Pick<DirectoryTokenEntity, 'name' | 'secretHash'>) | null> {
    return this.database.row(
      `SELECT tenant_id AS "tenantId", directory_id AS "directoryId", name, secret_hash AS "secretHash" FROM directory_tokens WHERE id = $1`,
      [id],
    );
  }

  /** Finds a token that has not expired, of a directory that is not disabled. */
  find(id: string): Promise<FoundToken | null> {
    return this.database.row(FIND, [id]);
  }

  /**
   * Notes that a token is refused because of its creator, or works again.
   * @returns false if that was noted before, or the token is gone
   */
  async setStopped({ tenantId, directoryId, tokenId }: TokenScope, isStopped: boolean): Promise<boolean> {
    const changed = await this.tenants.rows(
      tenantId,
      `UPDATE directory_tokens SET stopped_at = CASE WHEN $4 THEN now() END
       WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 AND (stopped_at IS NULL) = $4 RETURNING 1`,
      [directoryId, tokenId, isStopped],
    );
    return changed.length > 0;
  }

  /** Notes that a token is used, to the minute. */
  async noteUse({ tenantId, directoryId, tokenId }: TokenScope): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE directory_tokens SET last_used_at = now() WHERE tenant_id = $1 AND directory_id = $2 AND id = $3
         AND ${USE_DUE('')}`,
      [directoryId, tokenId],
    );
  }

  /** Returns tokens of which no warning was given although they end soon. Each is returned once. */
  takeExpiring(limit: number): Promise<readonly DirectoryScope[]> {
    return this.database.rows(
      `UPDATE directory_tokens SET warn_at = NULL WHERE (tenant_id, directory_id, id) IN (
         SELECT tenant_id, directory_id, id FROM directory_tokens WHERE warn_at <= now() ORDER BY warn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING tenant_id AS "tenantId", directory_id AS "directoryId"`,
      [limit],
    );
  }

  async deleteExpired(tenantId: TenantId, directoryId: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'DELETE FROM directory_tokens WHERE tenant_id = $1 AND directory_id = $2 AND expires_at <= now()',
      [directoryId],
    );
  }
}
