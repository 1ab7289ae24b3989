import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, SelectedTenant } from 'gatehouse/ability';
import { ApiOperation, Tag } from 'gatehouse/api';
import { type Emitter, Events } from 'gatehouse/events';
import type { Principal, TenantId } from 'gatehouse/kernel';
import { Caller } from 'gatehouse/web';
import { ShipmentDispatched } from './shipment.events.js';
import { ShipmentRepository } from './shipment.repository.js';

/** Commands of shipments. The guard has decided whether they are allowed. */
@Tag('Shipments', 'Goods in transit.')
@AbilitySubject('id')
@Controller('api/v1/logistics/shipments/:id')
export class ShipmentController {
  private readonly dispatched: Emitter<ShipmentDispatched>;

  constructor(
    private readonly shipments: ShipmentRepository,
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
    await this.shipments.setState(tenantId, id, 'dispatched');
    const subject = `logistics/shipments/${id}`;
    const data = { shipmentId: id };
    await this.dispatched.emit({ tenantIds: [tenantId], subject, actorId: userId, data });
  }

  @Post('deliver')
  @RequireScopes('logistics:shipment:deliver')
  @HttpCode(204)
  @ApiOperation({ summary: 'Deliver a shipment' })
  async deliver(@SelectedTenant() tenantId: TenantId, @Param('id') id: string): Promise<void> {
    await this.shipments.setState(tenantId, id, 'delivered');
  }
}
