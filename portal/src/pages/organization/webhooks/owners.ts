import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import type { OrganizationProps } from '../allowed.ts';
import type { WebhookOwner } from './webhook-queries.ts';

/** Subscriptions of an organization. */
export const ofOrganization = ({ tenantId, allowed }: OrganizationProps): WebhookOwner => ({
  api: '/api/v1/webhooks',
  key: ['organization', tenantId, 'webhooks'],
  path: pathIn(PAGE_PATHS.webhooks, tenantId),
  lead: 'webhooks.lead',
  mayCreate: allowed['webhooks:subscription:create'],
  mayReadDeliveries: allowed['webhooks:delivery:read'],
  mayRedeliver: allowed['webhooks:delivery:redeliver'],
  collection: 'subscriptions',
  scopes: {
    test: 'webhooks:subscription:test',
    update: 'webhooks:subscription:update',
    rotate: 'webhooks:subscription:rotate',
    delete: 'webhooks:subscription:delete',
  },
});

/** Subscriptions to events of the platform. */
export const ofPlatform = (mayManage: boolean): WebhookOwner => ({
  api: '/api/v1/operator/webhooks',
  key: ['operator', 'webhooks'],
  path: PAGE_PATHS.operatorWebhooks,
  lead: 'operator.webhooks.lead',
  mayCreate: mayManage,
  mayReadDeliveries: true,
  mayRedeliver: mayManage,
  collection: 'operator-webhooks',
  scopes: {
    test: 'webhooks:operator-webhook:manage',
    update: 'webhooks:operator-webhook:manage',
    rotate: 'webhooks:operator-webhook:rotate',
    delete: 'webhooks:operator-webhook:manage',
  },
});
