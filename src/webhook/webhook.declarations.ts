import { Tag } from '../platform/api/index.js';

/** Groups operations under the API tag "Webhooks". */
export const WebhooksTag = () =>
  Tag('Webhooks', 'Events, as they happen, to servers of an organization or of the platform.');

/** Scopes of operators for subscriptions to platform events. */
export const READ = 'webhooks:operator-webhook:read';
export const MANAGE = 'webhooks:operator-webhook:manage';
export const ROTATE = 'webhooks:operator-webhook:rotate';
