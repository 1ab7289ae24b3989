import { Injectable } from '@nestjs/common';
import { newId, type TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { columnsOf, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { DirectoryLogEntity } from './log.entity.js';

/** A call, as administrators see it. */
export interface LoggedCall extends Omit<DirectoryLogEntity, 'tenantId' | 'directoryId' | 'sealedExcerpt'> {
  /** Reason of a refusal. */
  readonly detail: string | null;
}

const MAX_PATH = 300;
const INSERT =
  prepared(`INSERT INTO directory_log (tenant_id, directory_id, id, method, path, status, scim_type, sealed_excerpt)
  SELECT $1, $2, $3, $4, $5, $6::int, $7, $8 FROM set_config('synchronous_commit', 'off', true)`);

/** Stores the calls of directories for 14 days, without tokens and bodies. */
@Injectable()
export class DirectoryLogRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly tenants: TenantDatabase,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'directory-log');
  }

  /**
   * Stores a call. Does not wait until the row is on disk: a crash of the database may lose the
   * last calls, of which the audit trail has what they changed.
   */
  async record(
    { tenantId, directoryId }: DirectoryScope,
    { method, path, status, scimType, detail }: Omit<LoggedCall, 'id' | 'at'>,
  ): Promise<void> {
    await this.tenants.rows(tenantId, INSERT, [
      directoryId,
      newId(),
      method,
      path.slice(0, MAX_PATH),
      status,
      scimType,
      detail === null ? null : this.sealer.seal(detail),
    ]);
  }

  /** Returns a page, newest first, and one row more if there is a next page. */
  async list(tenantId: TenantId, directoryId: string, { limit, after }: Page): Promise<LoggedCall[]> {
    const rows = await this.tenants.rows<DirectoryLogEntity>(
      tenantId,
      `SELECT ${columnsOf(DirectoryLogEntity)} FROM directory_log
       WHERE tenant_id = $1 AND directory_id = $2 AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
      [directoryId, after, limit + 1],
    );
    return rows.map(({ sealedExcerpt: sealed, ...call }) => ({
      ...call,
      detail: sealed === null ? null : this.sealer.open(sealed),
    }));
  }
}
