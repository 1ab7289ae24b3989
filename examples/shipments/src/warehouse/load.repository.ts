import { Injectable } from '@nestjs/common';
import type { Accessible, LoadContext } from 'gatehouse/ability';
import { TenantDatabase } from 'gatehouse/database';
import { newId, type TenantId } from 'gatehouse/kernel';

export interface Load {
  readonly id: string;
  readonly siteId: string;
  readonly contents: string;
  readonly released: boolean;
}

const COLUMNS = 'id, site_id AS "siteId", contents, released';
const ALL = `SELECT ${COLUMNS} FROM loads WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`;
/** Loads that roles name ($4), and those at sites that roles name ($5) or at sites below. */
const SOME = `WITH RECURSIVE below AS (
    SELECT id FROM sites WHERE tenant_id = $1 AND id = ANY($5)
    UNION SELECT s.id FROM below JOIN sites s ON s.tenant_id = $1 AND s.parent_id = below.id
  ), found AS (
    SELECT id FROM loads WHERE tenant_id = $1 AND id = ANY($4) AND id > $2
    UNION SELECT at.id FROM below CROSS JOIN LATERAL (
      SELECT l.id FROM loads l WHERE l.tenant_id = $1 AND l.site_id = below.id AND l.id > $2 ORDER BY l.id LIMIT $3) at
    ORDER BY id LIMIT $3)
  SELECT ${COLUMNS} FROM loads WHERE tenant_id = $1 AND id IN (SELECT id FROM found) ORDER BY id`;

/** Loads of organizations. */
@Injectable()
export class LoadRepository {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Load>> {
    const sql = `SELECT ${COLUMNS} FROM loads WHERE tenant_id = $1 AND id = ANY($2)`;
    return this.database.loadByIds<Load>(sql, ids, context);
  }

  /** Lists loads in order of id: all of the organization, or those that the roles reach. */
  async list(
    tenantId: TenantId,
    { limit, after }: { readonly limit: number; readonly after: string | null },
    accessible: Accessible,
  ): Promise<Load[]> {
    const page = [after ?? '', limit];
    if (accessible.isEverything) return this.database.rows<Load>(tenantId, ALL, page);
    const loads = await accessible.idsOf('warehouse', 'loads');
    const sites = await accessible.idsOf('warehouse', 'sites');
    return this.database.rows<Load>(tenantId, SOME, [...page, loads, sites]);
  }

  async insert(tenantId: TenantId, siteId: string, contents: string): Promise<Load> {
    const sql = `INSERT INTO loads (tenant_id, id, site_id, contents) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`;
    const [load] = await this.database.rows<Load>(tenantId, sql, [newId(), siteId, contents]);
    if (!load) throw new Error('The load was not created.');
    return load;
  }

  async release(tenantId: TenantId, id: string): Promise<void> {
    const sql = 'UPDATE loads SET released = true WHERE tenant_id = $1 AND id = $2';
    await this.database.rows(tenantId, sql, [id]);
  }
}
