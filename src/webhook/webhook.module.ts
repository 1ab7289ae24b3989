import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { DeliveryController, OperatorDeliveryController } from './deliveries/delivery.controller.js';
import { AttemptEntity, DeliveryEntity } from './deliveries/delivery.entity.js';
import { DeliveryRepository } from './deliveries/delivery.repository.js';
import { DeliveryService } from './deliveries/delivery.service.js';
import { EndpointEntity } from './endpoints/endpoint.entity.js';
import { EndpointCheck } from './endpoints/endpoint-check.js';
import { RecoveryService } from './endpoints/recovery.service.js';
import { EndpointMails } from './endpoints/endpoint-mails.js';
import { EndpointRepository } from './endpoints/endpoint.repository.js';
import { EndpointService } from './endpoints/endpoint.service.js';
import { EndpointStatusChanges } from './endpoints/endpoint-status-changes.js';
import { EndpointTrail } from './endpoints/endpoint-trail.js';
import { EventReaders } from './endpoints/event-readers.js';
import { ScopeReview } from './endpoints/scope-review.js';
import {
  OperatorSubscriptionController,
  SubscriptionController,
} from './endpoints/subscription.controller.js';
import { ClaimsRepository } from './engine/claims.repository.js';
import { Deliverer } from './engine/deliverer.js';
import { Dispatcher } from './engine/dispatcher.js';
import { EventBodies } from './engine/event-body.js';
import { FinishedDeliveries } from './engine/finished-deliveries.js';
import { FanOut } from './engine/fan-out.js';
import { Recovery } from './engine/recovery.js';
import { Signatures } from './engine/signatures.js';
import { EventController, OperatorEventController } from './feed/event.controller.js';
import { EventService } from './feed/event.service.js';
import { EventListener } from './listen/event-listener.js';
import { WebhookCleanup } from './webhook-cleanup.js';
import { DeliveryPolicy, EndpointPolicy, EventPolicy, OperatorWebhookPolicy } from './webhook.policy.js';

const engine = [
  ClaimsRepository,
  Deliverer,
  Dispatcher,
  EventBodies,
  FanOut,
  FinishedDeliveries,
  Recovery,
  Signatures,
];
const endpoints = [
  EndpointCheck,
  EndpointMails,
  EndpointRepository,
  EndpointService,
  EndpointStatusChanges,
  EndpointTrail,
  EventReaders,
  RecoveryService,
  ScopeReview,
];
const deliveries = [DeliveryRepository, DeliveryService];
const feed = [EventListener, EventService];
const policies = [DeliveryPolicy, EndpointPolicy, EventPolicy, OperatorWebhookPolicy];

/** Subscriptions to events, their deliveries, and the feed of events (ADR 40). */
@Module({
  imports: [
    TypeOrmModule.forFeature([EndpointEntity, DeliveryEntity, AttemptEntity]),
    AbilityModule,
    IamModule,
  ],
  controllers: [
    SubscriptionController,
    DeliveryController,
    EventController,
    OperatorSubscriptionController,
    OperatorDeliveryController,
    OperatorEventController,
  ],
  providers: [...engine, ...endpoints, ...deliveries, ...feed, ...policies, WebhookCleanup],
})
export class WebhookModule {}
