import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import type { DirectoryScope } from '../records/record-lists.js';

/** People whom directories have sent without an address. */
@Injectable()
export class WithoutAddressRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Finds the account of the worker with a number that directories have suspended last. */
  async findSuspended(tenantId: TenantId, number: string): Promise<UserId | null> {
    const row = await this.tenants.row<{ userId: UserId }>(
      tenantId,
      `SELECT account_id AS "userId" FROM directory_suspensions
       WHERE tenant_id = $1 AND number_key = lower($2) AND kind = 'account' ORDER BY account_id DESC LIMIT 1`,
      [number],
    );
    return row?.userId ?? null;
  }

  /** Lists ids of records that wait for an address, after the given one, in order. */
  async listWaiting(
    { tenantId, directoryId }: DirectoryScope,
    after: string,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.tenants.rows<{ id: string }>(
      tenantId,
      `SELECT id FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND state = 'pending' AND id > $3
         AND reason = 'no-address' ORDER BY id LIMIT $4`,
      [directoryId, after, limit],
    );
    return rows.map(({ id }) => id);
  }
}
