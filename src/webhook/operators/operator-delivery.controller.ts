import { Controller, Get, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
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
import { CountRepository, SourcesResponse } from '../../platform/counts/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { Caller } from '../../platform/web/index.js';
import { readActivity } from '../deliveries/activity.js';
import { DeliveriesQuery, DeliveryDetailsResponse, DeliveryResponse } from '../deliveries/delivery.dto.js';
import { DeliveryService } from '../deliveries/delivery.service.js';
import { EndpointService } from '../endpoints/endpoint.service.js';
import { WebhooksTag } from '../webhooks-tag.js';
import { MANAGE, READ } from './operator-scopes.js';

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
