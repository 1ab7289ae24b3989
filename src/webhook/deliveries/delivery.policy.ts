import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { OF_EXISTING } from './delivery.repository.js';
import '../webhook.messages.js';

interface Judged {
  readonly id: string;
}

/** Permissions on the deliveries of an organization. */
@AbilityPolicy({
  module: 'webhooks',
  entity: 'delivery',
  collection: 'deliveries',
  title: 'scope.webhook-delivery',
})
export class DeliveryPolicy implements EntityPolicy<Judged> {
  constructor(private readonly database: TenantDatabase) {}

  /** Loads deliveries, and subscriptions of which all deliveries are meant. */
  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const endpoints =
      "SELECT id FROM webhook_endpoints WHERE tenant_id = $1 AND id = ANY($2) AND status <> 'deleted'";
    const deliveries = `SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY($2) AND ${OF_EXISTING}`;
    return new Map([
      ...(await this.database.loadByIds<Judged>(endpoints, ids, context)),
      ...(await this.database.loadByIds<Judged>(deliveries, ids, context)),
    ]);
  }

  @Scope('read', { title: 'scope.webhook-delivery.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('redeliver', { title: 'scope.webhook-delivery.redeliver' })
  redeliver(): true {
    return true;
  }
}
