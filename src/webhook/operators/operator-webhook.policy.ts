import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { OF_EXISTING } from '../deliveries/delivery.repository.js';
import '../webhook.messages.js';

interface Judged {
  readonly id: string;
}

const byOperators = { audience: 'operator' } as const;

/** Permissions on the subscriptions and deliveries of the platform. */
@AbilityPolicy({
  module: 'webhooks',
  entity: 'operator-webhook',
  collection: 'operator-webhooks',
  title: 'scope.operator-webhook',
})
export class OperatorWebhookPolicy implements EntityPolicy<Judged> {
  constructor(private readonly database: TenantDatabase) {}

  async load(ids: readonly string[], { lock }: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const context = { principal: { tenantId: PLATFORM }, lock };
    const endpoints =
      "SELECT id FROM webhook_endpoints WHERE tenant_id = $1 AND id = ANY($2) AND status <> 'deleted'";
    const deliveries = `SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY($2) AND ${OF_EXISTING}`;
    return new Map([
      ...(await this.database.loadByIds<Judged>(endpoints, ids, context)),
      ...(await this.database.loadByIds<Judged>(deliveries, ids, context)),
    ]);
  }

  @Scope('read', { title: 'scope.operator-webhook.read', ...byOperators, operators: 'support' })
  read(): true {
    return true;
  }

  @Scope('rotate', { title: 'scope.operator-webhook.rotate', ...byOperators, ...SENSITIVE })
  rotate(): true {
    return true;
  }

  @Scope('manage', { title: 'scope.operator-webhook.manage', ...byOperators })
  manage(): true {
    return true;
  }
}
