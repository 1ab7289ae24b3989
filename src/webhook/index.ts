export { EndpointService } from './endpoints/endpoint.service.js';
export { SubscriptionResponse } from './endpoints/subscription.dto.js';
export { EventListener } from './listen/event-listener.js';
export { WebhookModule } from './webhook.module.js';
