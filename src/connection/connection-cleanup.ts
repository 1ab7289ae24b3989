import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { RemovesExpired } from '../platform/cleanup/index.js';
import { TenantDatabase } from '../platform/database/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';
import { ConnectionTestRepository } from './tests/connection-test.repository.js';

/** Tables with rows of tenants, in the order in which they can be removed, with their keys. */
const TABLES = [
  ['setup_links', 'id'],
  ['connection_changes', 'id'],
  ['connection_tests', 'id'],
  ['connection_rules', 'connection_id, ordinal'],
  ['connection_domains', 'connection_id, domain_id'],
  ['connection_certificates', 'connection_id, sha256'],
  ['oidc_connections', 'connection_id'],
  ['saml_connections', 'connection_id'],
  ['connections', 'id'],
  ['tenant_domains', 'id'],
] as const;

/** Removes expired rows, those of erased people, and those of deleted organizations. */
@Injectable()
@RemovesExpired(
  { table: 'connection_tests', key: 'tenant_id, id', when: 'expires_at < now()' },
  { table: 'connection_changes', key: 'tenant_id, id', when: 'expires_at < now()' },
  { table: 'setup_links', key: 'tenant_id, id', when: "expires_at < now() - interval '30 days'" },
)
export class ConnectionCleanup {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly tests: ConnectionTestRepository,
  ) {}

  /** The results of tests hold attributes of the person who ran them. */
  @OnLifecycle('account.erased')
  async forget({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    await this.tests.deleteOfPerson(userId);
  }

  @OnLifecycle('tenant.deletion-previewed')
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    for (const [table, kind] of [
      ['connections', 'connections'],
      ['tenant_domains', 'domains'],
    ] as const) {
      report(kind, await this.tenants.countUpTo(MAX_COUNTED, tenantId, table));
    }
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, TABLES)) repeat();
  }
}
