import {
  AbilityPolicy,
  type Accessible,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from 'gatehouse/ability';
import { type Load, LoadRepository } from './load.repository.js';
import './warehouse.messages.js';

/** A load is a part of its site: a role on the site, or on one above it, holds on the load. */
@AbilityPolicy({
  module: 'warehouse',
  entity: 'load',
  collection: 'loads',
  title: 'warehouse.loads',
  parents: ({ siteId }: Load) => [`gatehouse:///warehouse/sites/${siteId}`],
})
export class LoadPolicy implements EntityPolicy<Load> {
  constructor(private readonly loads: LoadRepository) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Load>> {
    return this.loads.load(ids, context);
  }

  async list(
    page: { readonly limit: number; readonly after: string | null },
    accessible: Accessible,
    { principal }: LoadContext,
  ): Promise<string[]> {
    if (principal.tenantId === null) return [];
    return (await this.loads.list(principal.tenantId, page, accessible)).map(({ id }) => id);
  }

  @Scope('read', { title: 'warehouse.load.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'warehouse.load.create', on: 'sites' })
  create(): true {
    return true;
  }

  @Scope('release', { title: 'warehouse.load.release' })
  release({ released }: Load): true | Refusal {
    return !released || forbid('warehouse.load.released');
  }
}
