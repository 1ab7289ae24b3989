export { WebhookModule } from './webhook.module.js';
