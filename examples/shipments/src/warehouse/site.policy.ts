import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from 'gatehouse/ability';
import { TenantDatabase } from 'gatehouse/database';
import './warehouse.messages.js';

interface Site {
  readonly id: string;
  readonly parentId: string | null;
}

/** A site may be a part of another one. */
@AbilityPolicy({
  module: 'warehouse',
  entity: 'site',
  collection: 'sites',
  title: 'warehouse.sites',
  parents: ({ parentId }: Site) => (parentId === null ? [] : [`gatehouse:///warehouse/sites/${parentId}`]),
})
export class SitePolicy implements EntityPolicy<Site> {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Site>> {
    const sql = 'SELECT id, parent_id AS "parentId" FROM sites WHERE tenant_id = $1 AND id = ANY($2)';
    return this.database.loadByIds<Site>(sql, ids, context);
  }

  @Scope('create', { title: 'warehouse.site.create' })
  create(): true {
    return true;
  }
}
