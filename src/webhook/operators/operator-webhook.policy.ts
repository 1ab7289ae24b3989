import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { OF_EXISTING } from '../deliveries/delivery.repository.js';
import { EventReaders } from '../endpoints/event-readers.js';
import { READ, ROTATE } from './operator-scopes.js';
import '../webhook.messages.js';

interface Judged {
  readonly id: string;
  /** Whether the caller may read the events of the platform. */
  readonly mayRead: boolean;
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
  constructor(
    private readonly database: TenantDatabase,
    private readonly readers: EventReaders,
  ) {}

  async load(
    ids: readonly string[],
    { principal, lock, scopes }: LoadContext,
  ): Promise<ReadonlyMap<string, Judged>> {
    const context = { principal: { tenantId: PLATFORM }, lock };
    const mayRead = !scopes.has(ROTATE) || (await this.readers.mayReadPlatform(principal, lock));
    const endpoints =
      "SELECT id FROM webhook_endpoints WHERE tenant_id = $1 AND id = ANY($2) AND status <> 'deleted'";
    const deliveries = `SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY($2) AND ${OF_EXISTING}`;
    const found = [
      ...(await this.database.loadByIds<{ id: string }>(endpoints, ids, context)),
      ...(await this.database.loadByIds<{ id: string }>(deliveries, ids, context)),
    ];
    return new Map(found.map(([id]) => [id, { id, mayRead }]));
  }

  @Scope('read', { title: 'scope.operator-webhook.read', ...byOperators, operators: 'support' })
  read(): true {
    return true;
  }

  @Scope('rotate', { title: 'scope.operator-webhook.rotate', ...byOperators, ...SENSITIVE })
  rotate({ mayRead }: Judged): true | Refusal {
    return mayRead ? true : forbid('webhook.needs-scope', { scope: READ });
  }

  @Scope('manage', { title: 'scope.operator-webhook.manage', ...byOperators })
  manage(): true {
    return true;
  }
}
