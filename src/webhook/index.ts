export { EventListener } from './listen/event-listener.js';
export { WebhookModule } from './webhook.module.js';
