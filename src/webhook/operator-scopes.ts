/** Scopes of operators for subscriptions to platform events. */
export const READ = 'webhooks:operator-webhook:read';
export const MANAGE = 'webhooks:operator-webhook:manage';
export const ROTATE = 'webhooks:operator-webhook:rotate';
