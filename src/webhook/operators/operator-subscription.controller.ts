import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  Accepts,
  Answers,
  IfMatch,
  Operation,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { Caller } from '../../platform/web/index.js';
import {
  CreatedSubscriptionResponse,
  CreateSubscriptionDto,
  RecoverDto,
  RotatedSubscriptionSecretResponse,
  SendTestDto,
  SubscriptionResponse,
  TestSentResponse,
  UpdateSubscriptionDto,
} from '../endpoints/subscription.dto.js';
import { DeliveryService } from '../deliveries/delivery.service.js';
import { EndpointService } from '../endpoints/endpoint.service.js';
import { RecoveryService } from '../endpoints/recovery.service.js';
import { WebhooksTag } from '../webhooks-tag.js';
import { MANAGE, READ, ROTATE } from './operator-scopes.js';

/** Subscriptions to events of the whole platform. */
@WebhooksTag()
@Controller('api/v1/operator/webhooks/subscriptions')
export class OperatorSubscriptionController {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly deliveries: DeliveryService,
    private readonly recoveries: RecoveryService,
  ) {}

  @Get()
  @RequireScopes(READ)
  @Paged(SubscriptionResponse)
  @Operation('List subscriptions to platform events')
  async listPlatformSubscriptions(@PageOf() page: Page) {
    return toPage(await this.endpoints.list(PLATFORM, page), page, SubscriptionResponse.from);
  }

  @Post()
  @RequireScopes(MANAGE)
  @Problems('conflict')
  @Operation('Subscribe to platform events')
  @Creates(CreatedSubscriptionResponse, '/api/v1/operator/webhooks/subscriptions/{id}')
  async createPlatformSubscription(@Caller() caller: Principal, @Body() body: CreateSubscriptionDto) {
    const { endpoint, secret } = await this.endpoints.create(PLATFORM, caller, body);
    return { ...SubscriptionResponse.from(endpoint), secret };
  }

  @Get(':id')
  @RequireScopes(READ)
  @AbilitySubject('id')
  @Operation('Get a subscription to platform events')
  @Versioned(SubscriptionResponse)
  async getPlatformSubscription(@Param('id') id: string) {
    return SubscriptionResponse.from(await this.endpoints.get(PLATFORM, id));
  }

  @Patch(':id')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @Operation('Change a subscription to platform events')
  @Versioned(SubscriptionResponse)
  async updatePlatformSubscription(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateSubscriptionDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getPlatformSubscription(id));
    return SubscriptionResponse.from(await this.endpoints.update(PLATFORM, caller, id, body));
  }

  @Delete(':id')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation('Delete a subscription to platform events')
  async deletePlatformSubscription(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.endpoints.get(PLATFORM, id);
    await this.endpoints.delete(PLATFORM, caller, id);
  }

  @Post(':id/rotate-secret')
  @RequireScopes(ROTATE)
  @AbilitySubject('id')
  @Operation('Rotate the secret of a subscription to platform events')
  @Answers(RotatedSubscriptionSecretResponse)
  async rotatePlatformSubscriptionSecret(@Caller() caller: Principal, @Param('id') id: string) {
    await this.endpoints.get(PLATFORM, id);
    return this.endpoints.rotateSecret(PLATFORM, caller, id);
  }

  @Post(':id/test')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation('Send a test of a platform event')
  @Accepts(TestSentResponse)
  async testPlatformSubscription(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { type }: SendTestDto,
  ) {
    return { deliveryId: await this.deliveries.sendTest(PLATFORM, caller, id, type) };
  }

  @Post(':id/recover')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation('Deliver missed platform events')
  @Accepts()
  async recoverPlatformSubscription(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { since }: RecoverDto,
  ): Promise<void> {
    await this.endpoints.get(PLATFORM, id);
    await this.recoveries.start(PLATFORM, caller, id, since);
  }

  @Delete(':id/recover')
  @RequireScopes(MANAGE)
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation('Stop delivering missed platform events')
  async cancelPlatformRecovery(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.endpoints.get(PLATFORM, id);
    await this.recoveries.cancel(PLATFORM, caller, id);
  }
}
