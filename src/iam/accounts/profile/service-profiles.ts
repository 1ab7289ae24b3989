import type { MachinePrincipal, PlatformPrincipal, TenantId } from '../../../kernel/index.js';

/** A service account as it sees itself. */
export interface ServiceProfile {
  readonly id: string;
  /** Its organization; null for one of the platform. */
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly roles: string[];
  readonly createdAt: Date;
}

/** Profiles of service accounts. Implemented by the module that has them. */
export abstract class ServiceProfiles {
  /** @returns null for an account that is gone */
  abstract find(caller: MachinePrincipal | PlatformPrincipal): Promise<ServiceProfile | null>;
}
