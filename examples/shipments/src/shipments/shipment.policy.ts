import {
  AbilityPolicy,
  forbid,
  Scope,
  type EntityPolicy,
  type LoadContext,
  type Refusal,
} from 'gatehouse/ability';
import type { ShipmentResponse } from './shipment.dto.js';
import './shipment.messages.js';
import { ShipmentRepository } from './shipment.repository.js';

/** Scopes of a shipment, and the states in which they apply. */
@AbilityPolicy({ module: 'logistics', entity: 'shipment', collection: 'shipments', title: 'shipment.group' })
export class ShipmentPolicy implements EntityPolicy<ShipmentResponse> {
  constructor(private readonly shipments: ShipmentRepository) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, ShipmentResponse>> {
    return this.shipments.load(ids, context);
  }

  @Scope('read', { title: 'shipment.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'shipment.create' })
  create(): true {
    return true;
  }

  @Scope('dispatch', { title: 'shipment.dispatch', description: 'shipment.dispatch.description' })
  dispatch({ state }: ShipmentResponse): true | Refusal {
    return state === 'planned' || forbid('shipment.dispatched');
  }

  @Scope('deliver', { title: 'shipment.deliver', acr: 'aal2', maxAge: 600 })
  deliver({ state }: ShipmentResponse): true | Refusal {
    return state === 'dispatched' || forbid('shipment.not-dispatched');
  }
}
