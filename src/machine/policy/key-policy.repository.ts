import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { KeyPolicyEntity } from './key-policy.entity.js';

export type KeyPolicy = Omit<KeyPolicyEntity, 'tenantId'>;

/** Policy of an organization that has set none. */
const NO_POLICY: KeyPolicy = { personalKeys: true, maxLifetimeDays: null };

/** What organizations allow of API keys. */
@Injectable()
export class KeyPolicyRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Returns the policy in force. */
  async get(tenantId: TenantId): Promise<KeyPolicy> {
    return (await this.tenants.of(KeyPolicyEntity).findOne(tenantId, {})) ?? NO_POLICY;
  }

  async set(tenantId: TenantId, { personalKeys, maxLifetimeDays }: KeyPolicy): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO key_policies (tenant_id, personal_keys, max_lifetime_days) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id) DO UPDATE SET personal_keys = $2, max_lifetime_days = $3`,
      [personalKeys, maxLifetimeDays],
    );
  }
}
