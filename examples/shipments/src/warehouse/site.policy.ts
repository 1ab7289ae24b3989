import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from 'gatehouse/ability';
import { TenantDatabase } from 'gatehouse/database';
import './warehouse.messages.js';

interface Site {
  readonly id: string;
  readonly parentId: string | null;
}

const WITH_ABOVE = `WITH RECURSIVE above AS (
    SELECT id, parent_id FROM sites WHERE tenant_id = $1 AND id = ANY($2)
    UNION SELECT s.id, s.parent_id FROM above JOIN sites s ON s.tenant_id = $1 AND s.id = above.parent_id
  ) SELECT id, parent_id AS "parentId" FROM sites WHERE tenant_id = $1 AND id IN (SELECT id FROM above)`;

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

  /** The decision about a load reads all sites above it by one statement. */
  loadAbove(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Site>> {
    return this.database.loadByIds<Site>(WITH_ABOVE, ids, context);
  }

  @Scope('create', { title: 'warehouse.site.create' })
  create(): true {
    return true;
  }
}
