import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { RemovesExpired } from '../platform/cleanup/index.js';
import { TenantDatabase } from '../platform/database/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';
import { UserEvents } from './projection/user-events.js';
import { UserRecordRepository } from './records/user-record.repository.js';

/** Tables with rows of tenants, in the order in which they can be removed, with their keys. */
const TABLES = [
  ['directory_log', 'directory_id, id'],
  ['directory_rules', 'directory_id, ordinal'],
  ['directory_group_members', 'directory_id, group_id, user_id'],
  ['directory_groups', 'directory_id, id'],
  ['directory_users', 'directory_id, id'],
  ['directory_tokens', 'directory_id, id'],
  ['directories', 'id'],
  ['directory_suspensions', 'account_id, kind'],
] as const;

const KEY = 'tenant_id, directory_id, id';

/** Removes expired rows, those of erased people, and those of deleted organizations. */
@RemovesExpired(
  { table: 'directory_log', key: KEY, when: "at < now() - interval '14 days'" },
  { table: 'directory_tokens', key: KEY, when: "expires_at < now() - interval '30 days'" },
)
@Injectable()
export class DirectoryCleanup {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly users: UserRecordRepository,
    private readonly events: UserEvents,
  ) {}

  /**
   * Removes the records of the person, and those with the address that no account is linked to:
   * they wait for the person of the address. A directory that still has them sends them again.
   */
  @OnLifecycle('account.erased')
  async forget({ userId, emailKey }: LifecycleEvents['account.erased']): Promise<void> {
    await this.events.emitDeleted(...(await this.users.deleteOfPerson(userId, emailKey)));
  }

  @OnLifecycle('tenant.deletion-previewed')
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report('directories', await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'directories'));
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, TABLES)) repeat();
  }
}
