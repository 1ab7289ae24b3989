import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  ApiAcceptedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  IfMatch,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  QueryOf,
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { Caller } from '../../platform/web/index.js';
import {
  AttemptResponse,
  DeliveryDetailsResponse,
  DeliveryResponse,
} from '../deliveries/delivery.response.js';
import { DeliveryService } from '../deliveries/delivery.service.js';
import { DeliveriesQuery } from '../deliveries/dto/delivery.dto.js';
import {
  CreateSubscriptionDto,
  RecoverDto,
  SendTestDto,
  UpdateSubscriptionDto,
} from '../endpoints/dto/subscription.dto.js';
import { EndpointService } from '../endpoints/endpoint.service.js';
import {
  CreatedSubscriptionResponse,
  RotatedSubscriptionSecretResponse,
  SubscriptionResponse,
  TestSentResponse,
} from '../endpoints/subscription.response.js';
import { EventsQuery } from '../feed/event.query.js';
import { EventPageResponse, EventTypesResponse } from '../feed/event.response.js';
import { EventService } from '../feed/event.service.js';
import { WebhooksTag } from '../webhooks-tag.js';

const READ = 'webhooks:operator-webhook:read';
const MANAGE = 'webhooks:operator-webhook:manage';
const ROTATE = 'webhooks:operator-webhook:rotate';

/** The same as for an organization, for events of the whole platform. */
@WebhooksTag()
@Controller('api/v1/operator/webhooks')
export class OperatorWebhookController {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly deliveries: DeliveryService,
    private readonly events: EventService,
  ) {}

  @Get('event-types')
  @RequireScopes(READ)
  @ApiOperation({ operationId: 'listPlatformEventTypes', summary: 'List types of platform events' })
  @ApiOkResponse({ type: EventTypesResponse })
  async types(@Caller() caller: Principal): Promise<EventTypesResponse> {
    return { items: await this.events.listTypes(PLATFORM, caller) };
  }

  @Get('events')
  @RequireScopes(READ)
  @ApiOperation({ operationId: 'listPlatformEvents', summary: 'Read platform events' })
  @ApiOkResponse({ type: EventPageResponse })
  feed(@Caller() caller: Principal, @QueryOf(EventsQuery) query: EventsQuery): Promise<EventPageResponse> {
    return this.events.read(PLATFORM, caller, query);
  }

  @Get('subscriptions')
  @RequireScopes(READ)
  @Paged(SubscriptionResponse)
  @ApiOperation({
    operationId: 'listPlatformSubscriptions',
    summary: 'List subscriptions to platform events',
  })
  async list(@PageOf() page: Page): Promise<ItemPage<SubscriptionResponse>> {
    return toPage(
      await this.endpoints.list(PLATFORM, page),
      page,
      ({ id }) => id,
      (endpoint) => SubscriptionResponse.from(endpoint),
    );
  }

  @Post('subscriptions')
  @RequireScopes(MANAGE)
  @Problems('conflict')
  @ApiOperation({ operationId: 'createPlatformSubscription', summary: 'Subscribe to platform events' })
  @Creates(CreatedSubscriptionResponse, '/api/v1/operator/webhooks/subscriptions/{id}')
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateSubscriptionDto,
  ): Promise<CreatedSubscriptionResponse> {
    const { endpoint, secret } = await this.endpoints.create(PLATFORM, caller, body);
    return { ...SubscriptionResponse.from(endpoint), secret };
  }

  @Get('subscriptions/:id')
  @RequireScopes(READ)
  @AbilitySubject('id')
  @ApiOperation({ operationId: 'getPlatformSubscription', summary: 'Get a subscription to platform events' })
  @Versioned(SubscriptionResponse)
  async read(@Param('id') id: string): Promise<SubscriptionResponse> {
    return SubscriptionResponse.from(await this.endpoints.get(PLATFORM, id));
  }

  @Patch('subscriptions/:id')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @ApiOperation({
    operationId: 'updatePlatformSubscription',
    summary: 'Change a subscription to platform events',
  })
  @Versioned(SubscriptionResponse)
  async update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateSubscriptionDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<SubscriptionResponse> {
    await ifMatch.require(() => this.read(id));
    return SubscriptionResponse.from(await this.endpoints.update(PLATFORM, caller, id, body));
  }

  @Delete('subscriptions/:id')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deletePlatformSubscription',
    summary: 'Delete a subscription to platform events',
  })
  @ApiNoContentResponse()
  async delete(@Param('id') id: string): Promise<void> {
    await this.requireSubscription(id);
    await this.endpoints.delete(PLATFORM, id);
  }

  @Post('subscriptions/:id/rotate-secret')
  @RequireScopes(ROTATE)
  @AbilitySubject('id')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotatePlatformSubscriptionSecret',
    summary: 'Rotate the secret of a subscription to platform events',
  })
  @ApiOkResponse({ type: RotatedSubscriptionSecretResponse })
  async rotateSecret(@Param('id') id: string): Promise<RotatedSubscriptionSecretResponse> {
    await this.requireSubscription(id);
    return this.endpoints.rotateSecret(PLATFORM, id);
  }

  @Post('subscriptions/:id/test')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @HttpCode(202)
  @Problems('conflict')
  @ApiOperation({ operationId: 'testPlatformSubscription', summary: 'Send a test of a platform event' })
  @ApiAcceptedResponse({ type: TestSentResponse })
  async test(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { type }: SendTestDto,
  ): Promise<TestSentResponse> {
    return { deliveryId: await this.endpoints.sendTest(PLATFORM, caller, id, type) };
  }

  @Post('subscriptions/:id/recover')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @HttpCode(202)
  @Problems('conflict')
  @ApiOperation({ operationId: 'recoverPlatformSubscription', summary: 'Deliver missed platform events' })
  @ApiAcceptedResponse()
  async recover(@Param('id') id: string, @Body() { since }: RecoverDto): Promise<void> {
    await this.requireSubscription(id);
    await this.endpoints.recover(PLATFORM, id, since);
  }

  @Delete('subscriptions/:id/recover')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'cancelPlatformRecovery',
    summary: 'Stop delivering missed platform events',
  })
  @ApiNoContentResponse()
  async cancelRecovery(@Param('id') id: string): Promise<void> {
    await this.requireSubscription(id);
    await this.endpoints.cancelRecovery(PLATFORM, id);
  }

  @Get('subscriptions/:id/deliveries')
  @RequireScopes(READ)
  @AbilitySubject('id')
  @Paged(DeliveryResponse)
  @ApiOperation({ operationId: 'listPlatformDeliveries', summary: 'List deliveries of platform events' })
  async listDeliveries(
    @Param('id') id: string,
    @PageOf() page: Page,
    @QueryOf(DeliveriesQuery) { state }: DeliveriesQuery,
  ): Promise<ItemPage<DeliveryResponse>> {
    await this.requireSubscription(id);
    return toPage(
      await this.deliveries.list(PLATFORM, id, page, state),
      page,
      (delivery) => delivery.id,
      (delivery) => DeliveryResponse.from(delivery),
    );
  }

  @Get('deliveries/:deliveryId')
  @RequireScopes(READ)
  @AbilitySubject('deliveryId')
  @ApiOperation({ operationId: 'getPlatformDelivery', summary: 'Get a delivery of a platform event' })
  @ApiOkResponse({ type: DeliveryDetailsResponse })
  async readDelivery(@Param('deliveryId') id: string): Promise<DeliveryDetailsResponse> {
    const { delivery, attempts } = await this.deliveries.get(PLATFORM, id);
    const attemptList = attempts.map((attempt) => AttemptResponse.from(attempt));
    return { ...DeliveryResponse.from(delivery), attemptList };
  }

  @Post('deliveries/:deliveryId/redeliver')
  @RequireScopes(MANAGE)
  @AbilitySubject('deliveryId')
  @HttpCode(202)
  @Problems('conflict')
  @ApiOperation({ operationId: 'redeliverPlatformEvent', summary: 'Deliver a platform event again' })
  @ApiAcceptedResponse()
  async redeliver(@Param('deliveryId') id: string): Promise<void> {
    await this.deliveries.redeliver(PLATFORM, id);
  }

  /**
   * The scopes of operators are about subscriptions and deliveries.
   * @throws {AppError} not-found for the id of a delivery
   */
  private async requireSubscription(id: string): Promise<void> {
    await this.endpoints.get(PLATFORM, id);
  }
}
