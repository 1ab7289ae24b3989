export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookKeys,
  type WebhookRequest,
  WebhookVerificationError,
} from './verify-webhook.js';
