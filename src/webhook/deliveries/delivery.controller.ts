import { Controller, Get, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, SelectedTenant } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  Accepts,
  Answers,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  QueryOf,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { EndpointService } from '../endpoints/endpoint.service.js';
import { WebhooksTag } from '../webhooks-tag.js';
import { DeliveriesQuery, DeliveryDetailsResponse, DeliveryResponse } from './delivery.dto.js';
import { DeliveryService } from './delivery.service.js';

/** Deliveries to the subscriptions of the selected organization. */
@WebhooksTag()
@Controller('api/v1/webhooks')
export class DeliveryController {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly endpoints: EndpointService,
  ) {}

  @Get('subscriptions/:id/deliveries')
  @RequireScopes('webhooks:delivery:read')
  @AbilitySubject('id')
  @Paged(DeliveryResponse)
  @Operation('List deliveries', 'Newest first.')
  async listDeliveries(
    @SelectedTenant() tenantId: TenantId,
    @Param('id') id: string,
    @PageOf() page: Page,
    @QueryOf(DeliveriesQuery) { state }: DeliveriesQuery,
  ) {
    await this.endpoints.get(tenantId, id);
    return toPage(await this.deliveries.list(tenantId, id, page, state), page, DeliveryResponse.from);
  }

  @Get('deliveries/:deliveryId')
  @RequireScopes('webhooks:delivery:read')
  @AbilitySubject('deliveryId')
  @Operation('Get a delivery with its attempts')
  @Answers(DeliveryDetailsResponse)
  async getDelivery(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('deliveryId') id: string,
  ) {
    return DeliveryDetailsResponse.ofDetails(await this.deliveries.get(tenantId, caller, id));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @RequireScopes('webhooks:delivery:redeliver')
  @AbilitySubject('deliveryId')
  @Problems('conflict')
  @Operation('Deliver again')
  @Accepts()
  async redeliver(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('deliveryId') id: string,
  ): Promise<void> {
    await this.deliveries.redeliver(tenantId, caller, id);
  }
}
