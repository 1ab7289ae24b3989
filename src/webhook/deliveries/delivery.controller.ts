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
import { beginOf, CountRepository, SourcesResponse } from '../../platform/counts/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { Caller } from '../../platform/web/index.js';
import { EndpointService } from '../endpoints/endpoint.service.js';
import { DELIVERY } from '../engine/finished-deliveries.js';
import { MANAGE, READ, WebhooksTag } from '../webhook.declarations.js';
import { DeliveriesQuery, DeliveryDetailsResponse, DeliveryResponse } from './delivery.dto.js';
import { DeliveryService } from './delivery.service.js';

/** Deliveries to the subscriptions of the selected organization. */
@WebhooksTag()
@Controller('api/v1/webhooks')
export class DeliveryController {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly endpoints: EndpointService,
    private readonly counts: CountRepository,
  ) {}

  @Get('activity')
  @RequireScopes('webhooks:subscription:read')
  @Operation(
    'Count the attempts of the last 24 hours',
    'By subscription and outcome: `delivered`, `refused` for a response other than 2xx, `unreachable` for none. Tests do not count. Subscriptions without an attempt are left out.',
  )
  @Answers(SourcesResponse)
  async getSubscriptionActivity(@SelectedTenant() tenantId: TenantId) {
    return readActivity(this.counts, tenantId);
  }

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

/** Deliveries to subscriptions to events of the whole platform. */
@WebhooksTag()
@Controller('api/v1/operator/webhooks')
export class OperatorDeliveryController {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly endpoints: EndpointService,
    private readonly counts: CountRepository,
  ) {}

  @Get('activity')
  @RequireScopes(READ)
  @Operation(
    'Count the attempts of the last 24 hours at subscriptions to platform events',
    'By subscription and outcome, as for an organization.',
  )
  @Answers(SourcesResponse)
  async getPlatformSubscriptionActivity() {
    return readActivity(this.counts, PLATFORM);
  }

  @Get('subscriptions/:id/deliveries')
  @RequireScopes(READ)
  @AbilitySubject('id')
  @Paged(DeliveryResponse)
  @Operation('List deliveries of platform events')
  async listPlatformDeliveries(
    @Param('id') id: string,
    @PageOf() page: Page,
    @QueryOf(DeliveriesQuery) { state }: DeliveriesQuery,
  ) {
    await this.endpoints.get(PLATFORM, id);
    return toPage(await this.deliveries.list(PLATFORM, id, page, state), page, DeliveryResponse.from);
  }

  @Get('deliveries/:deliveryId')
  @RequireScopes(READ)
  @AbilitySubject('deliveryId')
  @Operation('Get a delivery of a platform event')
  @Answers(DeliveryDetailsResponse)
  async getPlatformDelivery(@Caller() caller: Principal, @Param('deliveryId') id: string) {
    return DeliveryDetailsResponse.ofDetails(await this.deliveries.get(PLATFORM, caller, id));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @RequireScopes(MANAGE)
  @AbilitySubject('deliveryId')
  @Problems('conflict')
  @Operation('Deliver a platform event again')
  @Accepts()
  async redeliverPlatformEvent(@Caller() caller: Principal, @Param('deliveryId') id: string): Promise<void> {
    await this.deliveries.redeliver(PLATFORM, caller, id);
  }
}

/** Counts the attempts of the last 24 hours, by subscription and outcome. */
async function readActivity(counts: CountRepository, tenantId: TenantId): Promise<SourcesResponse> {
  const since = beginOf('hour');
  return SourcesResponse.from(await counts.listOfSources(tenantId, 'hour', DELIVERY, since), 'hour', since);
}
