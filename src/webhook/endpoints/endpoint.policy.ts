import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import '../webhook.messages.js';

interface Judged {
  readonly id: string;
}

/** Permissions on the subscriptions of an organization. */
@AbilityPolicy({
  module: 'webhooks',
  entity: 'subscription',
  collection: 'subscriptions',
  title: 'scope.webhook-subscription',
})
export class EndpointPolicy implements EntityPolicy<Judged> {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const sql =
      "SELECT id FROM webhook_endpoints WHERE tenant_id = $1 AND id = ANY($2) AND status <> 'deleted'";
    return this.database.loadByIds<Judged>(sql, ids, context);
  }

  @Scope('read', { title: 'scope.webhook-subscription.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'scope.webhook-subscription.create', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('update', { title: 'scope.webhook-subscription.update', impersonation: false })
  update(): true {
    return true;
  }

  @Scope('delete', { title: 'scope.webhook-subscription.delete', impersonation: false })
  delete(): true {
    return true;
  }

  @Scope('rotate', { title: 'scope.webhook-subscription.rotate', firstParty: true, ...SENSITIVE })
  rotate(): true {
    return true;
  }

  @Scope('test', { title: 'scope.webhook-subscription.test', impersonation: false })
  test(): true {
    return true;
  }
}
