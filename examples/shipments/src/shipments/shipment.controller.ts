import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, SelectedTenant } from 'gatehouse/ability';
import { TenantDatabase } from 'gatehouse/database';
import { ApiOperation, Tag } from 'gatehouse/api';
import { type Emitter, Events } from 'gatehouse/events';
import type { Principal, TenantId } from 'gatehouse/kernel';
import { Caller } from 'gatehouse/web';
import { ShipmentDispatched } from './shipment.events.js';

/** Commands of shipments. The guard has decided whether they are allowed. */
@Tag('Shipments', 'Goods in transit.')
@AbilitySubject('id')
@Controller('api/v1/logistics/shipments/:id')
export class ShipmentController {
  private readonly dispatched: Emitter<ShipmentDispatched>;

  constructor(
    private readonly database: TenantDatabase,
    events: Events,
  ) {
    this.dispatched = events.emitter(ShipmentDispatched);
  }

  @Post('dispatch')
  @RequireScopes('logistics:shipment:dispatch')
  @HttpCode(204)
  @ApiOperation({ summary: 'Dispatch a shipment' })
  async dispatch(
    @SelectedTenant() tenantId: TenantId,
    @Caller() { userId }: Principal,
    @Param('id') id: string,
  ): Promise<void> {
    await this.move(tenantId, id, 'dispatched');
    const subject = `logistics/shipments/${id}`;
    const data = { shipmentId: id };
    await this.dispatched.emit({ tenantIds: [tenantId], subject, actorId: userId, data });
  }

  @Post('deliver')
  @RequireScopes('logistics:shipment:deliver')
  @HttpCode(204)
  @ApiOperation({ summary: 'Deliver a shipment' })
  async deliver(@SelectedTenant() tenantId: TenantId, @Param('id') id: string): Promise<void> {
    await this.move(tenantId, id, 'delivered');
  }

  private async move(tenantId: TenantId, id: string, state: string): Promise<void> {
    const sql = 'UPDATE shipments SET state = $3 WHERE tenant_id = $1 AND id = $2';
    await this.database.rows(tenantId, sql, [id, state]);
  }
}
