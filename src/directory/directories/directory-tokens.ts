import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import {
  createApiKey,
  hashApiKey,
  isApiKeyOf,
  KeyDerivation,
  parseApiKey,
} from '../../platform/crypto/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { rolesOfRules } from './roles-of-rules.js';
import type { DirectoryTokenEntity } from './token.entity.js';

/** Tokens that are valid at once: the old and the new one, while they are exchanged. */
const MAX_TOKENS = 2;
/** Time before the end of a token at which its organization is told. */
const WARNING = '7 days';
/** Minutes for which the time of the last use is not written again. */
const USE_PRECISION_MINUTES = 1;

/** A token as its owners see it. */
export interface DirectoryToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** First refused call since its creator could not create it any more; null while it works. */
  readonly stoppedAt: Date | null;
}

/** A token to be created. */
interface NewToken {
  readonly name: string;
  readonly expiresAt: Date | null;
  /** Who answers for it: they must be able to give the roles of the rules. */
  readonly createdBy: UserId;
}

/** A token, and who created it. */
type MadeToken = Pick<DirectoryTokenEntity, 'name' | 'createdBy'>;

/** The directory of a token. */
export interface TokenScope {
  readonly tenantId: TenantId;
  readonly directoryId: string;
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

/** A token that was found in public. */
interface LeakedToken {
  readonly tenantId: TenantId;
  readonly directoryId: string;
  readonly name: string;
}

interface FoundToken extends VerifiedToken {
  readonly secretHash: Buffer;
  /** Whether the time of the last use is to be written. */
  readonly isUseDue: boolean;
}

/** Whether the last use of a token is not known well enough. */
const USE_DUE = (token: string): string =>
  `(${token}last_used_at IS NULL OR ${token}last_used_at < now() - interval '${USE_PRECISION_MINUTES} minute')`;

const LISTED =
  'id, name, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", stopped_at AS "stoppedAt"';
/** Reads no cache, so that a revoked token is refused by each replica at once. */
const FIND =
  prepared(`SELECT t.tenant_id AS "tenantId", t.directory_id AS "directoryId", t.id AS "tokenId", t.secret_hash AS "secretHash", n.archived_at IS NOT NULL AS "isArchived", ${USE_DUE('t.')} AS "isUseDue",
    t.created_by AS "createdBy", t.stopped_at IS NOT NULL AS "isStopped", ${rolesOfRules('d')} AS "roleIds",
    EXISTS (SELECT FROM accounts a WHERE a.id = t.created_by AND a.suspended_at IS NULL) AS "isCreatorActive"
  FROM directory_tokens t JOIN directories d ON d.tenant_id = t.tenant_id AND d.id = t.directory_id JOIN tenants n ON n.id = t.tenant_id
  WHERE t.id = $1 AND d.status = 'active' AND (t.expires_at IS NULL OR t.expires_at > now())`);

/** Creates, verifies and revokes the bearer tokens by which a directory calls SCIM. */
@Injectable()
export class DirectoryTokens {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly keys: KeyDerivation,
  ) {}

  /**
   * Creates a token. Only its hash is stored.
   * @returns the token and its plain text, which cannot be read again
   * @throws {AppError} conflict beyond {@link MAX_TOKENS}; not-found without the directory
   */
  create(
    tenantId: TenantId,
    directoryId: string,
    { name, expiresAt, createdBy }: NewToken,
  ): Promise<DirectoryToken & { readonly plainKey: string }> {
    return this.database.transaction(async () => {
      const sql = 'SELECT id FROM directories WHERE tenant_id = $1 AND id = $2 FOR UPDATE';
      if (!(await this.tenants.row(tenantId, sql, [directoryId]))) throw new AppError('not-found');
      await this.removeExpired(tenantId, directoryId);
      if ((await this.list(tenantId, directoryId)).length >= MAX_TOKENS)
        throw new AppError('conflict', { detail: `There can be ${MAX_TOKENS} tokens. Revoke one first.` });
      const { id, plainKey } = createApiKey('scim');
      const token = await this.tenants.row<DirectoryToken>(
        tenantId,
        `INSERT INTO directory_tokens (tenant_id, directory_id, id, name, secret_hash, expires_at, warn_at, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $6 > now() + interval '${WARNING}' THEN $6 - interval '${WARNING}' END, $7) RETURNING ${LISTED}`,
        [directoryId, id, name, hashApiKey(this.keys, 'api-key', plainKey), expiresAt, createdBy],
      );
      if (!token) throw new Error('The token was not created.');
      return { ...token, plainKey };
    });
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
  listMade(tenantId: TenantId, directoryId: string): Promise<MadeToken[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT name, created_by AS "createdBy" FROM directory_tokens
       WHERE tenant_id = $1 AND directory_id = $2 AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at, id`,
      [directoryId],
    );
  }

  /** @returns false if there is no such token */
  async revoke(tenantId: TenantId, directoryId: string, id: string): Promise<boolean> {
    const removed = await this.tenants.rows(
      tenantId,
      'DELETE FROM directory_tokens WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 RETURNING 1',
      [directoryId, id],
    );
    return removed.length > 0;
  }

  /**
   * Ends a token that was found in public, also of a disabled directory.
   * @returns the token; null for any other text
   */
  async endLeaked(plainKey: string): Promise<LeakedToken | null> {
    const parsed = parseApiKey(plainKey);
    if (parsed?.kind !== 'scim') return null;
    const [found] = await this.database.rows<LeakedToken & { readonly secretHash: Buffer }>(
      `SELECT tenant_id AS "tenantId", directory_id AS "directoryId", name, secret_hash AS "secretHash" FROM directory_tokens WHERE id = $1`,
      [parsed.id],
    );
    if (!found || !isApiKeyOf(this.keys, 'api-key', plainKey, found.secretHash)) return null;
    const { tenantId, directoryId, name } = found;
    return (await this.revoke(tenantId, directoryId, parsed.id)) ? { tenantId, directoryId, name } : null;
  }

  /**
   * Verifies a presented token, and notes its use.
   * @returns the directory; null for a token that is misspelled, unknown, expired or revoked
   */
  async verify(plainKey: string): Promise<VerifiedToken | null> {
    const parsed = parseApiKey(plainKey);
    if (parsed?.kind !== 'scim') return null;
    const found = await this.find(parsed.id);
    if (!found || !isApiKeyOf(this.keys, 'api-key', plainKey, found.secretHash)) return null;
    return this.use(found);
  }

  /**
   * Finds the directory of a token that has been verified, and notes its use.
   * @returns null if the token has expired or been revoked since
   */
  async findVerified(tokenId: string): Promise<VerifiedToken | null> {
    const found = await this.find(tokenId);
    return found && this.use(found);
  }

  private async find(tokenId: string): Promise<FoundToken | null> {
    const [found] = await this.database.rows<FoundToken>(FIND, [tokenId]);
    return found ?? null;
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

  private async use(found: FoundToken): Promise<VerifiedToken> {
    const { secretHash: _, isUseDue, ...token } = found;
    const { tenantId, directoryId, tokenId } = token;
    if (isUseDue)
      await this.tenants.rows(
        tenantId,
        `UPDATE directory_tokens SET last_used_at = now() WHERE tenant_id = $1 AND directory_id = $2 AND id = $3
           AND ${USE_DUE('')}`,
        [directoryId, tokenId],
      );
    return token;
  }

  /** Returns tokens of which no warning was given although they end soon. Each is returned once. */
  takeExpiring(limit: number): Promise<readonly Pick<TokenScope, 'tenantId' | 'directoryId'>[]> {
    return this.database.rows(
      `UPDATE directory_tokens SET warn_at = NULL WHERE (tenant_id, directory_id, id) IN (
         SELECT tenant_id, directory_id, id FROM directory_tokens WHERE warn_at <= now() ORDER BY warn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING tenant_id AS "tenantId", directory_id AS "directoryId"`,
      [limit],
    );
  }

  private async removeExpired(tenantId: TenantId, directoryId: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'DELETE FROM directory_tokens WHERE tenant_id = $1 AND directory_id = $2 AND expires_at <= now()',
      [directoryId],
    );
  }
}
