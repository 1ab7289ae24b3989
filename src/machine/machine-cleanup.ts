import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { RemovesExpired } from '../platform/cleanup/index.js';
import { Database, TenantDatabase } from '../platform/database/index.js';
import { JobHandler } from '../platform/jobs/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';
import { CredentialRepository } from './keys/credential.repository.js';
import { KeyIssuer } from './keys/key-issuer.js';

/** Keys of one transaction. */
const BATCH = 100;

/** Tables with rows of tenants, in the order in which they can be removed, with their keys. */
const TABLES = [
  ['machine_credentials', 'owner_id, id'],
  ['ended_keys', 'account_id, id'],
  ['trust_rules', 'account_id, id'],
  ['service_account_roles', 'account_id, role_id'],
  ['service_accounts', 'id'],
  ['key_policies', 'tenant_id'],
] as const;

/** Announces and removes expired credentials, and removes rows of deleted organizations. */
@Injectable()
// Expired keys are listed for another 30 days, revoked keys for a year.
@RemovesExpired(
  {
    table: 'machine_credentials',
    key: 'tenant_id, owner_id, id',
    when: "expires_at < now() - interval '30 days'",
  },
  { table: 'ended_keys', key: 'tenant_id, account_id, id', when: "ended_at < now() - interval '1 year'" },
  { table: 'platform_keys', key: 'id', when: "expires_at < now() - interval '30 days'" },
  { table: 'used_assertions', key: 'assertion_hash', when: 'expires_at < now()' },
)
export class MachineCleanup {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly credentials: CredentialRepository,
    private readonly issuer: KeyIssuer,
  ) {}

  /** Announces keys that end within a week, so that their holders replace them. */
  @JobHandler({ task: 'announce_expiring_keys', schedule: '23 * * * *' })
  async announce(): Promise<void> {
    while ((await this.database.transaction(() => this.announceBatch())) === BATCH);
  }

  private async announceBatch(): Promise<number> {
    const keys = await this.credentials.takeExpiring(BATCH);
    for (const key of keys) await this.issuer.record('expiring', key.createdBy, key);
    return keys.length;
  }

  @OnLifecycle('tenant.deletion-previewed', { order: LOCK.rows })
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report('service-accounts', await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'service_accounts'));
  }

  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, TABLES)) repeat();
  }
}
