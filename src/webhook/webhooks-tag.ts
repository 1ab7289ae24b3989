import { Tag } from '../platform/api/index.js';

/** Groups operations under the API tag "Webhooks". */
export const WebhooksTag = () =>
  Tag('Webhooks', 'Events, as they happen, to servers of an organization or of the platform.');
