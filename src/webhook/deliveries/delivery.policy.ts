import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { EndpointRepository } from '../endpoints/endpoint.repository.js';
import { DeliveryRepository } from './delivery.repository.js';
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
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
  ) {}

  /** Loads deliveries, and subscriptions of which all deliveries are meant. */
  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    return new Map<string, Judged>([
      ...(await this.endpoints.loadByIds(ids, context)),
      ...(await this.deliveries.loadByIds(ids, context)),
    ]);
  }

  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('redeliver')
  redeliver(): true {
    return true;
  }
}
