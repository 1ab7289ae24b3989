import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';
import { DISABLED_REASONS } from './endpoints/endpoint.entity.js';

@EventType('webhooks.subscription.disabled', {
  description: 'A subscription was disabled: nothing is delivered to it.',
  readScope: 'webhooks:subscription:read',
  platform: 'own',
})
export class SubscriptionDisabled {
  @Output.ulid({ description: 'The subscription.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' })
  subscriptionId: string;
  @Output.word(DISABLED_REASONS, { description: 'Why.' })
  reason: string;
}
