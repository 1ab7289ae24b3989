import { Body, Controller, Get, Post } from '@nestjs/common';
import { RequireScopes, SelectedTenant } from 'gatehouse/ability';
import { Creates } from 'gatehouse/iam';
import { TenantDatabase } from 'gatehouse/database';
import { newId, type TenantId } from 'gatehouse/kernel';
import { ApiOperation, type ItemPage, type Page, Paged, PageOf, QueryOf, Tag, toPage } from 'gatehouse/api';
import { PlanShipmentDto, ShipmentResponse, ShipmentsQuery } from './shipment.dto.js';

const COLUMNS = `id, state, contents, speed, weight, to_char(pickup_on, 'YYYY-MM-DD') AS "pickupOn", marks`;

/** The shipments of an organization. */
@Tag('Shipments', 'Goods in transit.')
@Controller('api/v1/logistics/shipments')
export class ShipmentsController {
  constructor(private readonly database: TenantDatabase) {}

  @Get()
  @RequireScopes('logistics:shipment:read')
  @Paged(ShipmentResponse)
  @ApiOperation({ summary: 'List shipments', description: 'Oldest first.' })
  async list(
    @SelectedTenant() tenantId: TenantId,
    @PageOf() page: Page,
    @QueryOf(ShipmentsQuery) { state }: ShipmentsQuery,
  ): Promise<ItemPage<ShipmentResponse>> {
    const sql = `SELECT ${COLUMNS} FROM shipments
      WHERE tenant_id = $1 AND id > $2 ${state === undefined ? '' : 'AND state = $4'} ORDER BY id LIMIT $3`;
    const values = [page.after ?? '', page.limit + 1, ...(state === undefined ? [] : [state])];
    const rows = await this.database.rows<ShipmentResponse>(tenantId, sql, values);
    return toPage(rows, page, (shipment) => shipment);
  }

  @Post()
  @RequireScopes('logistics:shipment:create')
  @ApiOperation({ summary: 'Plan a shipment' })
  @Creates(ShipmentResponse, '/api/v1/logistics/shipments/{id}')
  async plan(@SelectedTenant() tenantId: TenantId, @Body() body: PlanShipmentDto): Promise<ShipmentResponse> {
    const { contents, speed, weight, pickupOn = null, marks = [] } = body;
    const sql = `INSERT INTO shipments (tenant_id, id, state, contents, speed, weight, pickup_on, marks)
      VALUES ($1, $2, 'planned', $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`;
    const values = [newId(), contents, speed, weight, pickupOn, marks];
    const [created] = await this.database.rows<ShipmentResponse>(tenantId, sql, values);
    if (!created) throw new Error('The shipment was not created.');
    return created;
  }
}
