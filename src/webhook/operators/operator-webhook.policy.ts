import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
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
@AbilityPolicy({ module: 'webhooks', entity: 'operator-webhook', collection: 'operator-webhooks' })
export class OperatorWebhookPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly readers: EventReaders,
  ) {}

  async load(
    ids: readonly string[],
    { principal, lock, scopes }: LoadContext,
  ): Promise<ReadonlyMap<string, Judged>> {
    const context = { principal: { tenantId: PLATFORM }, lock };
    const mayRead = !scopes.has(ROTATE) || (await this.readers.mayReadPlatform(principal, lock));
    const found = [
      ...(await this.endpoints.loadByIds(ids, context)).keys(),
      ...(await this.deliveries.loadByIds(ids, context)).keys(),
    ];
    return new Map(found.map((id) => [id, { id, mayRead }]));
  }

  @Scope('read', { ...byOperators, operators: 'support' })
  read(): true {
    return true;
  }

  @Scope('rotate', { ...byOperators, ...SENSITIVE })
  rotate({ mayRead }: Judged): true | Refusal {
    return mayRead ? true : forbid('webhook.needs-scope', { scope: READ });
  }

  @Scope('manage', { ...byOperators })
  manage(): true {
    return true;
  }
}
