import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { RuleEntity } from './rule.entity.js';

/** Rules by which sign-ins by connections give roles. */
@Injectable()
export class RuleRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Replaces the rules of a connection. */
  async replace(
    tenantId: TenantId,
    connectionId: string,
    rules: readonly Pick<RuleEntity, 'attribute' | 'operator' | 'value' | 'roleIds'>[],
  ): Promise<void> {
    const table = this.tenants.of(RuleEntity);
    await table.delete(tenantId, { connectionId });
    for (const [ordinal, rule] of rules.entries())
      await table.insert(tenantId, { ...rule, connectionId, ordinal });
  }
}
