import { Body, Controller, Get, Post } from '@nestjs/common';
import { RequireScopes, SelectedTenant } from 'gatehouse/ability';
import { Creates } from 'gatehouse/iam';
import type { TenantId } from 'gatehouse/kernel';
import { ApiOperation, type ItemPage, type Page, Paged, PageOf, QueryOf, Tag, toPage } from 'gatehouse/api';
import { PlanShipmentDto, ShipmentResponse, ShipmentsQuery } from './shipment.dto.js';
import { ShipmentRepository } from './shipment.repository.js';

/** The shipments of an organization. */
@Tag('Shipments', 'Goods in transit.')
@Controller('api/v1/logistics/shipments')
export class ShipmentsController {
  constructor(private readonly shipments: ShipmentRepository) {}

  @Get()
  @RequireScopes('logistics:shipment:read')
  @Paged(ShipmentResponse)
  @ApiOperation({ summary: 'List shipments', description: 'Oldest first.' })
  async list(
    @SelectedTenant() tenantId: TenantId,
    @PageOf() page: Page,
    @QueryOf(ShipmentsQuery) { state }: ShipmentsQuery,
  ): Promise<ItemPage<ShipmentResponse>> {
    const rows = await this.shipments.list(tenantId, page, state);
    return toPage(rows, page, (shipment) => shipment);
  }

  @Post()
  @RequireScopes('logistics:shipment:create')
  @ApiOperation({ summary: 'Plan a shipment' })
  @Creates(ShipmentResponse, '/api/v1/logistics/shipments/{id}')
  async plan(@SelectedTenant() tenantId: TenantId, @Body() body: PlanShipmentDto): Promise<ShipmentResponse> {
    return this.shipments.insert(tenantId, body);
  }
}
