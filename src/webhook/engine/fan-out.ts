import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import type { Reservation } from '../../platform/delivery/index.js';
import { EventSequencer, PLATFORM, type StreamedEvent } from '../../platform/events/index.js';
import {
  type ClaimedDelivery,
  DeliveryRepository,
  type PlannedDelivery,
} from '../deliveries/delivery.repository.js';
import {
  type Endpoint,
  EndpointRepository,
  type ReceivingEndpoint,
} from '../endpoints/endpoint.repository.js';
import type { Position } from './claims.repository.js';
import type { EventClaim } from './deliverer.js';
import { Dispatcher } from './dispatcher.js';
import { wants } from '../matching.js';

/** Types after which the scopes of subscribers may be others. */
const CHANGES_SCOPES = /^iam\.(?:role|member|account|service-account|tenant\.ownership)\b/;
/** Types by which an organization is archived or restored. */
const PAUSES: Readonly<Record<string, boolean>> = {
  'iam.tenant.archived': true,
  'iam.tenant.restored': false,
};

/** A delivery to add, with its slot if it is sent at once. */
interface Direct {
  readonly planned: PlannedDelivery<StreamedEvent, ReceivingEndpoint>;
  readonly slot: Reservation<EventClaim> | null;
}

/** Makes the deliveries of numbered events, in their transaction. */
@Injectable()
export class FanOut implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sequencer: EventSequencer,
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: Dispatcher,
  ) {}

  onModuleInit(): void {
    this.sequencer.consume((events) => this.addDeliveries(events));
  }

  private async addDeliveries(events: readonly StreamedEvent[]): Promise<void> {
    const byTenant = Map.groupBy(events, ({ tenantId }) => tenantId);
    await this.pause(events);
    const isReviewed = await this.markForReview(byTenant);
    const found = await this.endpoints.listReceiving([...byTenant.keys()]);
    const ready: ReceivingEndpoint[] = [];
    for (const endpoint of found) ready.push(...(await this.lockIfOrdered(endpoint)));
    const deliveries = ready.flatMap((endpoint) =>
      (byTenant.get(endpoint.tenantId) ?? [])
        .filter((event) => wants(endpoint, event))
        .map((event) => ({ event, endpoint })),
    );
    const waiting = await this.add(deliveries);
    if (isReviewed) await this.dispatcher.announce();
    if (waiting.length > 0) await this.dispatcher.announce(waiting);
  }

  /** Locks a subscription with an order, so that no delivery ends while the next one is added. */
  private async lockIfOrdered(endpoint: ReceivingEndpoint): Promise<ReceivingEndpoint[]> {
    if (endpoint.ordering === 'none') return [endpoint];
    const locked = await this.endpoints.findForUpdate(endpoint.tenantId, endpoint.id);
    return locked && locked.status !== 'disabled' ? [{ ...locked, hasDue: endpoint.hasDue }] : [];
  }

  /** The last one counts, as an organization can be archived and restored in one batch. */
  private async pause(events: readonly StreamedEvent[]): Promise<void> {
    for (const { tenantId, type } of events) {
      const paused = PAUSES[type];
      if (paused === undefined || tenantId === PLATFORM) continue;
      await this.endpoints.setPaused([tenantId], paused);
      if (!paused) await this.deliveries.promoteFirst(tenantId, null);
    }
  }

  /** Holds back the subscriptions of organizations in which scopes may have changed. */
  private async markForReview(byTenant: ReadonlyMap<TenantId, readonly StreamedEvent[]>): Promise<boolean> {
    const affected = [...byTenant].filter(([, events]) =>
      events.some(({ type }) => CHANGES_SCOPES.test(type)),
    );
    return affected.length > 0 && this.endpoints.markForReview(affected.map(([tenantId]) => tenantId));
  }

  /**
   * Adds deliveries in the open transaction, in order of `sequence`. Subscriptions with an order
   * must be locked. Deliveries with a free slot of this replica are claimed by the insert and sent
   * after its commit: they need no claim, and their events are not read again. If the replica dies
   * in between, they return after their lease.
   * @returns the subscriptions of those that a claim must take now
   */
  private async add(
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
 * Whether a claim can have the next delivery of a subscription now. The scan finds the other
 * subscriptions: a failing one at its next probe, and one that failed last after what already
 * waits.
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
function send({ planned, slot }: Direct, row: ClaimedDelivery | undefined): void {
  const { event, endpoint } = planned;
  if (!row) return slot?.cancel();
  slot?.send({
    ...row,
    event,
    tenantId: endpoint.tenantId,
    key: endpoint.id,
    type: event.type,
    sequence: event.sequence,
    isTest: false,
    isFailing: false,
    mayBeFollowed: row.orderKey !== null,
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
