import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, SelectedTenant } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
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
import { MANAGE, READ, ROTATE, WebhooksTag } from '../webhook.declarations.js';
import {
  CreatedSubscriptionResponse,
  CreateSubscriptionDto,
  RecoverDto,
  RotatedSubscriptionSecretResponse,
  SendTestDto,
  SubscriptionResponse,
  TestSentResponse,
  UpdateSubscriptionDto,
} from './subscription.dto.js';
import { DeliveryService } from '../deliveries/delivery.service.js';
import { EndpointService } from './endpoint.service.js';
import { RecoveryService } from './recovery.service.js';

/** Subscriptions of the selected organization to its events. */
@WebhooksTag()
@Controller('api/v1/webhooks/subscriptions')
export class SubscriptionController {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly deliveries: DeliveryService,
    private readonly recoveries: RecoveryService,
  ) {}

  @Get()
  @RequireScopes('webhooks:subscription:read')
  @Paged(SubscriptionResponse)
  @Operation('List subscriptions')
  async listSubscriptions(@SelectedTenant() tenantId: TenantId, @PageOf() page: Page) {
    const endpoints = await this.endpoints.list(tenantId, page);
    return toPage(endpoints, page, SubscriptionResponse.from);
  }

  @Post()
  @RequireScopes('webhooks:subscription:create')
  @Problems('conflict')
  @Operation(
    'Subscribe to events',
    'The response contains the secret, which cannot be read again. The caller must hold the read scope of each type.',
  )
  @Creates(CreatedSubscriptionResponse, '/api/v1/webhooks/subscriptions/{id}')
  async createSubscription(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Body() body: CreateSubscriptionDto,
  ) {
    const { endpoint, secret } = await this.endpoints.create(tenantId, caller, body);
    return { ...SubscriptionResponse.from(endpoint), secret };
  }

  @Get(':id')
  @RequireScopes('webhooks:subscription:read')
  @AbilitySubject('id')
  @Operation('Get a subscription')
  @Versioned(SubscriptionResponse)
  async getSubscription(@SelectedTenant() tenantId: TenantId, @Param('id') id: string) {
    return SubscriptionResponse.from(await this.endpoints.get(tenantId, id));
  }

  @Patch(':id')
  @RequireScopes('webhooks:subscription:update')
  @AbilitySubject('id')
  @Operation(
    'Change, disable or enable a subscription',
    'Omitted fields do not change. An enabled subscription begins with one delivery.',
  )
  @Versioned(SubscriptionResponse)
  async updateSubscription(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateSubscriptionDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getSubscription(tenantId, id));
    return SubscriptionResponse.from(await this.endpoints.update(tenantId, caller, id, body));
  }

  @Delete(':id')
  @RequireScopes('webhooks:subscription:delete')
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation('Delete a subscription and its deliveries')
  async deleteSubscription(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<void> {
    await this.endpoints.delete(tenantId, caller, id);
  }

  @Post(':id/rotate-secret')
  @RequireScopes('webhooks:subscription:rotate')
  @AbilitySubject('id')
  @Operation('Rotate the secret', 'Both secrets sign for one day.')
  @Answers(RotatedSubscriptionSecretResponse)
  rotateSubscriptionSecret(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ) {
    return this.endpoints.rotateSecret(tenantId, caller, id);
  }

  @Post(':id/test')
  @RequireScopes('webhooks:subscription:test')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation('Send a test', 'An example, marked by `data.test`, to this subscription alone.')
  @Accepts(TestSentResponse)
  async testSubscription(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { type }: SendTestDto,
  ) {
    return { deliveryId: await this.deliveries.sendTest(tenantId, caller, id, type) };
  }

  @Post(':id/recover')
  @RequireScopes('webhooks:delivery:redeliver')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Deliver missed events',
    'Delivers the events since a time that were not delivered, 100 a second. A second call starts again.',
  )
  @Accepts()
  async recoverSubscription(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { since }: RecoverDto,
  ): Promise<void> {
    await this.recoveries.start(tenantId, caller, id, since);
  }

  @Delete(':id/recover')
  @RequireScopes('webhooks:delivery:redeliver')
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation('Stop delivering missed events')
  async cancelRecovery(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<void> {
    await this.endpoints.get(tenantId, id);
    await this.recoveries.cancel(tenantId, caller, id);
  }
}

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
