import { declareMessages } from '../platform/messages/index.js';

const messages = declareMessages({
  'scope.webhook-subscription': 'Webhooks',
  'scope.webhook-subscription.read': 'View webhooks',
  'scope.webhook-subscription.create': 'Create webhooks',
  'scope.webhook-subscription.update': 'Change webhooks',
  'scope.webhook-subscription.delete': 'Delete webhooks',
  'scope.webhook-subscription.rotate': 'Rotate secrets of webhooks',
  'scope.webhook-subscription.test': 'Send test events',
  'scope.webhook-delivery': 'Webhook deliveries',
  'scope.webhook-delivery.read': 'View deliveries and their attempts',
  'scope.webhook-delivery.redeliver': 'Deliver again',
  'scope.webhook-event': 'Events',
  'scope.webhook-event.read': 'Read events',
  'scope.operator-webhook': 'Webhooks of the platform',
  'scope.operator-webhook.read': 'View webhooks, deliveries and events of the platform',
  'scope.operator-webhook.rotate': 'Rotate secrets of webhooks of the platform',
  'scope.operator-webhook.manage': 'Manage webhooks of the platform',
  'mail.webhook-disabled.subject': 'A webhook was disabled',
  'mail.webhook-disabled.your-organization': 'your organization',
  'mail.webhook-disabled.text': 'A webhook of {organization} to {host} was disabled.',
  'mail.webhook-disabled.of-platform': 'A webhook of the platform to {host} was disabled.',
  'mail.webhook-disabled.enable':
    'See why in its deliveries, and enable it again once the receiver accepts events.',
  'webhook.too-many': 'There can be {max} subscriptions. Delete one that is not in use.',
  'webhook.unknown-type': 'There is no such type of events.',
  'webhook.type-not-readable': 'You may not read events of this type.',
  'webhook.needs-scope': 'It needs the permission {scope}.',
  'webhook.since-expired': 'The time is more than {days} days ago.',
  'webhook.since-future': 'The time is in the future.',
  'webhook.disabled': 'The subscription is disabled. Enable it first.',
  'webhook.delivery-not-finished': 'The delivery is not finished: it will be sent anyway.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
