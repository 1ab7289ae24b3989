import type { TenantId } from '../../kernel/index.js';

/**
 * Finds the organizations of connections, by which people sign in. Implemented by the module that
 * has connections.
 */
export abstract class ConnectionTenants {
  /** @returns null for a connection that was deleted since */
  abstract findTenant(connectionId: string): Promise<TenantId | null>;
}
