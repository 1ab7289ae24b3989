import {
  AbilityPolicy,
  forbid,
  Scope,
  type EntityPolicy,
  type LoadContext,
  type Refusal,
} from 'gatehouse/ability';
import { TenantDatabase } from 'gatehouse/database';
import './shipment.messages.js';

interface Shipment {
  readonly id: string;
  readonly state: 'planned' | 'dispatched' | 'delivered';
}

/** Scopes of a shipment, and the states in which they apply. */
@AbilityPolicy({ module: 'logistics', entity: 'shipment', collection: 'shipments', title: 'shipment.group' })
export class ShipmentPolicy implements EntityPolicy<Shipment> {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Shipment>> {
    const sql = 'SELECT id, state FROM shipments WHERE tenant_id = $1 AND id = ANY($2)';
    return this.database.loadByIds<Shipment>(sql, ids, context);
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
  dispatch({ state }: Shipment): true | Refusal {
    return state === 'planned' || forbid('shipment.dispatched');
  }

  @Scope('deliver', { title: 'shipment.deliver', acr: 'aal2', maxAge: 600 })
  deliver({ state }: Shipment): true | Refusal {
    return state === 'dispatched' || forbid('shipment.not-dispatched');
  }
}
