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
@AbilityPolicy({ module: 'logistics', entity: 'shipment', collection: 'shipments' })
export class ShipmentPolicy implements EntityPolicy<Shipment> {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Shipment>> {
    const sql = 'SELECT id, state FROM shipments WHERE tenant_id = $1 AND id = ANY($2)';
    return this.database.loadByIds<Shipment>(sql, ids, context);
  }

  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create')
  create(): true {
    return true;
  }

  @Scope('dispatch')
  dispatch({ state }: Shipment): true | Refusal {
    return state === 'planned' || forbid('shipment.dispatched');
  }

  @Scope('deliver')
  deliver({ state }: Shipment): true | Refusal {
    return state === 'dispatched' || forbid('shipment.not-dispatched');
  }
}
