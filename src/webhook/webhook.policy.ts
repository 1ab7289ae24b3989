import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  PolicyWithoutEntity,
  type Refusal,
  Scope,
} from '../ability/index.js';
import { SENSITIVE } from '../kernel/index.js';
import { PLATFORM } from '../platform/events/index.js';
import { DeliveryRepository } from './deliveries/delivery.repository.js';
import { EndpointRepository } from './endpoints/endpoint.repository.js';
import { EventReaders } from './endpoints/event-readers.js';
import { READ, ROTATE } from './webhook.declarations.js';
import './webhook.messages.js';

interface HasId {
  readonly id: string;
}

interface JudgedEndpoint extends HasId {
  readonly types: readonly string[];
  /** Read scope of its events that the caller does not hold; null if there is none. */
  readonly lackedScope: string | null;
}

/** Permissions on the subscriptions of an organization. */
@AbilityPolicy({
  module: 'webhooks',
  entity: 'subscription',
  collection: 'subscriptions',
  title: 'scope.webhook-subscription',
})
@Scope('read', { allowedWhenArchived: true })
@Scope('create', { impersonation: false })
@Scope('update', { impersonation: false })
@Scope('delete', { impersonation: false })
@Scope('test', { impersonation: false })
export class EndpointPolicy implements EntityPolicy<JudgedEndpoint> {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly readers: EventReaders,
  ) {}

  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, JudgedEndpoint>> {
    const { principal, lock, scopes } = context;
    if (principal.tenantId === null) return new Map();
    const findLacked = scopes.has('webhooks:subscription:rotate')
      ? await this.readers.createLackedScopeOf(principal.tenantId, principal, lock)
      : () => null;
    const found = await this.endpoints.loadByIds(ids, context);
    return new Map([...found].map(([id, one]) => [id, { ...one, lackedScope: findLacked(one.types) }]));
  }

  @Scope('rotate', { firstParty: true, ...SENSITIVE })
  rotate({ lackedScope }: JudgedEndpoint): true | Refusal {
    return lackedScope === null ? true : forbid('webhook.needs-scope', { scope: lackedScope });
  }
}

/** Permissions on the deliveries of an organization. */
@AbilityPolicy({
  module: 'webhooks',
  entity: 'delivery',
  collection: 'deliveries',
  title: 'scope.webhook-delivery',
})
@Scope('read', { allowedWhenArchived: true })
@Scope('redeliver')
export class DeliveryPolicy implements EntityPolicy<HasId> {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
  ) {}

  /** Loads deliveries, and subscriptions of which all deliveries are meant. */
  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, HasId>> {
    return new Map<string, HasId>([
      ...(await this.endpoints.loadByIds(ids, context)),
      ...(await this.deliveries.loadByIds(ids, context)),
    ]);
  }
}

/** Permits to read the events of an organization, of the types that the caller may read. */
@AbilityPolicy({ module: 'webhooks', entity: 'event', collection: 'events', title: 'scope.webhook-event' })
@Scope('read', { allowedWhenArchived: true })
export class EventPolicy extends PolicyWithoutEntity {}

interface JudgedByOperator extends HasId {
  /** Whether the caller may read the events of the platform. */
  readonly mayRead: boolean;
}

const byOperators = { audience: 'operator' } as const;

/** Permissions on the subscriptions and deliveries of the platform. */
@AbilityPolicy({ module: 'webhooks', entity: 'operator-webhook', collection: 'operator-webhooks' })
@Scope('read', { ...byOperators, operators: 'support' })
@Scope('manage', { ...byOperators })
export class OperatorWebhookPolicy implements EntityPolicy<JudgedByOperator> {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly readers: EventReaders,
  ) {}

  async load(
    ids: readonly string[],
    { principal, lock, scopes }: LoadContext,
  ): Promise<ReadonlyMap<string, JudgedByOperator>> {
    const context = { principal: { tenantId: PLATFORM }, lock };
    const mayRead = !scopes.has(ROTATE) || (await this.readers.mayReadPlatform(principal, lock));
    const found = [
      ...(await this.endpoints.loadByIds(ids, context)).keys(),
      ...(await this.deliveries.loadByIds(ids, context)).keys(),
    ];
    return new Map(found.map((id) => [id, { id, mayRead }]));
  }

  @Scope('rotate', { ...byOperators, ...SENSITIVE })
  rotate({ mayRead }: JudgedByOperator): true | Refusal {
    return mayRead ? true : forbid('webhook.needs-scope', { scope: READ });
  }
}
