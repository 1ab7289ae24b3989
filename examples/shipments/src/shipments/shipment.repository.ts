import { Injectable } from '@nestjs/common';
import type { LoadContext } from 'gatehouse/ability';
import type { Page } from 'gatehouse/api';
import { TenantDatabase } from 'gatehouse/database';
import { newId, type TenantId } from 'gatehouse/kernel';
import type { PlanShipmentDto, ShipmentResponse, ShipmentState } from './shipment.dto.js';

const COLUMNS = `id, state, contents, speed, weight, to_char(pickup_on, 'YYYY-MM-DD') AS "pickupOn", marks`;

/** Shipments of organizations. */
@Injectable()
export class ShipmentRepository {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, ShipmentResponse>> {
    const sql = `SELECT ${COLUMNS} FROM shipments WHERE tenant_id = $1 AND id = ANY($2)`;
    return this.database.loadByIds<ShipmentResponse>(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { after, limit }: Page, state?: ShipmentState): Promise<ShipmentResponse[]> {
    const sql = `SELECT ${COLUMNS} FROM shipments
      WHERE tenant_id = $1 AND id > $2 ${state === undefined ? '' : 'AND state = $4'} ORDER BY id LIMIT $3`;
    const values = [after ?? '', limit + 1, ...(state === undefined ? [] : [state])];
    return this.database.rows<ShipmentResponse>(tenantId, sql, values);
  }

  async insert(tenantId: TenantId, planned: PlanShipmentDto): Promise<ShipmentResponse> {
    const { contents, speed, weight, pickupOn = null, marks = [] } = planned;
    const sql = `INSERT INTO shipments (tenant_id, id, state, contents, speed, weight, pickup_on, marks)
      VALUES ($1, $2, 'planned', $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`;
    const values = [newId(), contents, speed, weight, pickupOn, marks];
    const [created] = await this.database.rows<ShipmentResponse>(tenantId, sql, values);
    if (!created) throw new Error('The shipment was not created.');
    return created;
  }

  async setState(tenantId: TenantId, id: string, state: ShipmentState): Promise<void> {
    const sql = 'UPDATE shipments SET state = $3 WHERE tenant_id = $1 AND id = $2';
    await this.database.rows(tenantId, sql, [id, state]);
  }
}
