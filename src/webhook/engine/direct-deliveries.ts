import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import type { Reservation } from '../../platform/delivery/index.js';
import type { StreamedEvent } from '../../platform/events/index.js';
import { type Added, DeliveryRepository, type Planned } from '../deliveries/delivery.repository.js';
import type { Endpoint, ReceivingEndpoint } from '../endpoints/endpoint.repository.js';
import { Dispatcher, type EventClaim } from './dispatcher.js';
import type { Position } from './claims.repository.js';

/** A delivery to add, with its slot if it is sent at once. */
interface Direct {
  readonly planned: Planned<StreamedEvent, ReceivingEndpoint>;
  readonly slot: Reservation<EventClaim> | null;
}

/**
 * Adds the deliveries of new events. Those with a free slot of this replica are claimed by the
 * insert and sent after its commit: they need no claim, and their events are not read again. If the
 * replica dies in between, they return after their lease.
 */
@Injectable()
export class DirectDeliveries {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * Adds deliveries in the open transaction, in order of `sequence`. Subscriptions with an order
   * must be locked.
   * @returns the subscriptions of those that a claim must take now
   */
  async add(
    deliveries: readonly { readonly event: StreamedEvent; readonly endpoint: ReceivingEndpoint }[],
  ): Promise<Position[]> {
    const all = (await this.deliveries.plan(deliveries)).map((planned) => this.reserve(planned));
    this.database.afterRollback(() => all.forEach(({ slot }) => slot?.cancel()));
    const rows = await this.deliveries.insert(
      all.map(({ planned, slot }) => (slot ? { ...planned, state: 'claimed' } : planned)),
    );
    const added = new Map(rows.map((row) => [keyOf(row.endpointId, row.eventId), row]));
    const rowOf = ({ planned: { endpoint, event } }: Direct) => added.get(keyOf(endpoint.id, event.id));
    this.database.afterCommit(() => {
      for (const direct of all) send(direct, rowOf(direct));
    });
    const waiting = all.filter(
      ({ planned, slot }) => !slot && planned.state === 'due' && canClaim(planned.endpoint),
    );
    return [...new Set(waiting.map(({ planned }) => planned.endpoint))].map(positionOf);
  }

  /** Takes a slot, unless the delivery waits for an earlier one or for its subscription. */
  private reserve(planned: Direct['planned']): Direct {
    const { endpoint, state } = planned;
    const isSentNow = state === 'due' && takesAtOnce(endpoint);
    return { planned, slot: isSentNow ? this.dispatcher.reserve(positionOf(endpoint)) : null };
  }
}

/**
 * Whether a claim can have the next delivery of a subscription now. The scan finds those of the
 * others: a failing one at its next probe, and one that failed last after what already waits.
 */
const canClaim = ({ status, paused, reviewAt, failures, hasDue }: ReceivingEndpoint): boolean =>
  status === 'active' && !paused && reviewAt === null && (failures === 0 || !hasDue);

/**
 * Whether a subscription takes deliveries, its last attempt did not fail, and none waits that would
 * be overtaken, such as after a pause.
 */
const takesAtOnce = (endpoint: ReceivingEndpoint): boolean =>
  canClaim(endpoint) && endpoint.failures === 0 && !endpoint.hasDue;

const positionOf = ({ tenantId, id }: Endpoint): Position => ({ tenantId, endpointId: id });

const keyOf = (endpointId: string, eventId: string): string => `${endpointId} ${eventId}`;

/** Sends a delivery with its slot; frees the slot of one that was there already. */
function send({ planned, slot }: Direct, row: Added | undefined): void {
  const { event, endpoint } = planned;
  if (!row) return slot?.cancel();
  slot?.send({
    ...row,
    event,
    tenantId: endpoint.tenantId,
    type: event.type,
    sequence: event.sequence,
    isTest: false,
    isTroubled: false,
    isProbe: false,
    url: endpoint.url,
    ordering: endpoint.ordering,
    personalData: endpoint.personalData,
    signing: endpoint.signing,
    sealedSecret: endpoint.sealedSecret,
    sealedPrevious: endpoint.sealedPrevious,
    previousUntil: endpoint.previousUntil,
    createdBy: endpoint.createdBy,
  });
}
