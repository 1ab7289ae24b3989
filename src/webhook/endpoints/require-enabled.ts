import { AppError } from '../../platform/errors/index.js';
import type { Endpoint } from './endpoint.repository.js';

/**
 * Refuses to add deliveries that a subscription would not get.
 * @throws {AppError} conflict if it is disabled
 */
export function requireEnabled({ status }: Pick<Endpoint, 'status'>): void {
  if (status === 'disabled') throw new AppError('conflict', { reason: { id: 'webhook.disabled' } });
}
